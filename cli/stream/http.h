/* SPDX-License-Identifier: MIT */
/*
 * http.h - an HTTP server for the metrics page, run by the event loop
 *
 * One answer for a connection.  A slow client does not delay others: it is left after some
 * seconds, or when another one comes, all places are taken, and it has waited longest without
 * asking.
 */
#ifndef JFREC_CLI_STREAM_HTTP_H
#define JFREC_CLI_STREAM_HTTP_H

#include <poll.h>

#include "base/command.h"
#include "stream/http_request.h"

#define HTTP_CLIENTS 16

struct http_client {
	int fd; /* -1: none */
	int64_t until_ns;
	char request[HTTP_REQUEST_MAX];
	size_t request_len;
	char *answer; /* NULL: not yet */
	size_t answer_len, answer_done;
};

struct http {
	int fd; /* -1: not listening */
	bool is_local; /* at an address that only this host can reach */
	struct http_client clients[HTTP_CLIENTS];
	/* The page as it is now, by open_memstream() or so; to be freed.  NULL: it failed. */
	char *(*page)(void *ctx, size_t *len);
	void *ctx;
	const char *type; /* of the page, for Content-Type */
};

/* Not listening yet. */
void http_init(struct http *h);

/*
 * Listen at "127.0.0.1:9464", "[::1]:9464", "localhost:9464", or at "9464" of 127.0.0.1; port 0 is
 * one that is free.  Says where, on stderr.  An exit code, after saying what is wrong.
 */
int http_listen(struct http *h, const struct command *c, const char *where);

/* What to poll() for; then do what can be done without waiting. */
#define HTTP_FDS (1 + HTTP_CLIENTS)
void http_gather(struct http *h, struct pollfd fds[HTTP_FDS]);
void http_react(struct http *h, const struct pollfd fds[HTTP_FDS]);

void http_close(struct http *h);

#endif
