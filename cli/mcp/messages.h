/* SPDX-License-Identifier: MIT */
/*
 * messages.h - messages of JSON-RPC, as they come in: one in each line
 */
#ifndef JFREC_CLI_MCP_MESSAGES_H
#define JFREC_CLI_MCP_MESSAGES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* What a batch has beyond these, which only the revision 2025-03-26 knows, is left out. */
#define MOST_OF_BATCH 8

/* A request, or a notification, which has no id. All of it lives as long as the call. */
struct message {
	const json_t *id; /* a string or an integer; or NULL */
	const char *method;
	const json_t *params; /* an object; or NULL */
};

struct messages {
	/* To be set before: who takes a message, and who tells what is wrong with it. */
	void (*take)(void *ctx, const struct message *m);
	void (*refuse)(void *ctx, const json_t *id, int code, const char *text);
	void *ctx;
	char *bytes;
	size_t len;
	bool is_too_long; /* the message at hand: the rest of it is left out */
};

/* False when memory is gone. */
bool messages_init(struct messages *m);
void messages_fini(struct messages *m);

/* Where the next bytes go, and how many; never 0. */
char *messages_room(struct messages *m, size_t *room);

/* So many bytes came: take the messages that are whole. */
void messages_come(struct messages *m, size_t n);

#endif
