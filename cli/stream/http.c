/* SPDX-License-Identifier: MIT */
/*
 * http.c - an HTTP server for the metrics page, run by the event loop
 */
#include "stream/http.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock_now.h"
#include "base/report.h"

/* For a request to come, and its answer to go. */
#define PATIENCE_NS (5 * NS_PER_SECOND)

/* Listening ------------------------------------------------------------------------------------ */

#define HOST_MAX 64

/* Take "HOST:PORT" apart; a port alone is one of this host. */
static bool split(const char *where, char host[HOST_MAX], const char **port)
{
	const char *colon = strrchr(where, ':'), *from = where, *to = colon;

	*port = colon ? colon + 1 : where;
	if (!**port || (*port)[strspn(*port, "0123456789")] || strtol(*port, NULL, 10) > 65535)
		return false;
	if (!colon || colon == where) {
		strcpy(host, "127.0.0.1");
		return true;
	}
	if (*from == '[' && to[-1] == ']') {
		from++;
		to--;
	}
	if (to <= from || to - from >= HOST_MAX)
		return false;
	memcpy(host, from, (size_t)(to - from));
	host[to - from] = '\0';
	return true;
}

static int bound_socket(const struct addrinfo *a)
{
	int fd = socket(a->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), one = 1;

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, a->ai_addr, a->ai_addrlen) == 0 && listen(fd, SOMAXCONN) == 0)
		return fd;
	close(fd);
	return -1;
}

static bool is_loopback(const struct sockaddr *a)
{
	const struct sockaddr_in6 *six = (const void *)a;
	const struct sockaddr_in *four = (const void *)a;

	return a->sa_family == AF_INET6 ? IN6_IS_ADDR_LOOPBACK(&six->sin6_addr)
					: ntohl(four->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
}

static void say_where(int fd)
{
	struct sockaddr_storage address;
	socklen_t len = sizeof(address);
	char host[HOST_MAX], port[16];
	bool has_colon;

	if (getsockname(fd, (struct sockaddr *)&address, &len) < 0 ||
	    getnameinfo((struct sockaddr *)&address, len, host, sizeof(host), port, sizeof(port),
			NI_NUMERICHOST | NI_NUMERICSERV) != 0)
		return;
	has_colon = strchr(host, ':') != NULL;
	fprintf(stderr, "jfrec: metrics at http://%s%s%s:%s/metrics\n", has_colon ? "[" : "", host,
		has_colon ? "]" : "", port);
}

int http_listen(struct http *h, const struct command *c, const char *where)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST };
	struct addrinfo *found;
	char host[HOST_MAX];
	const char *port;

	if (!split(where, host, &port))
		return report_usage(c,
				    "--listen takes an address and a port, such as "
				    "127.0.0.1:9464, not '%s'",
				    where);
	if (strcmp(host, "localhost") == 0)
		strcpy(host, "127.0.0.1");
	if (getaddrinfo(host, port, &hints, &found) != 0)
		return report_usage(c,
				    "--listen: %s is not an address of this host; write it in "
				    "numbers, such as 127.0.0.1:9464",
				    host);
	h->is_local = is_loopback(found->ai_addr);
	h->fd = bound_socket(found);
	freeaddrinfo(found);
	if (h->fd < 0) {
		fprintf(stderr, "jfrec: cannot listen at %s: %s\n", where, strerror(errno));
		return EXIT_FAILED;
	}
	say_where(h->fd);
	return EXIT_DONE;
}

void http_init(struct http *h)
{
	memset(h, 0, sizeof(*h));
	h->fd = -1;
	for (int i = 0; i < HTTP_CLIENTS; i++)
		h->clients[i].fd = -1;
}

/* Clients -------------------------------------------------------------------------------------- */

static void leave(struct http_client *c)
{
	if (c->fd >= 0)
		close(c->fd);
	free(c->answer);
	c->fd = -1;
	c->answer = NULL;
	c->request_len = c->answer_len = c->answer_done = 0;
}

void http_close(struct http *h)
{
	if (h->fd < 0)
		return;
	for (int i = 0; i < HTTP_CLIENTS; i++)
		leave(&h->clients[i]);
	close(h->fd);
	h->fd = -1;
}

static struct http_client *free_client(struct http *h)
{
	for (int i = 0; i < HTTP_CLIENTS; i++) {
		if (h->clients[i].fd < 0)
			return &h->clients[i];
	}
	return NULL;
}

/* The one that has waited longest without a whole request; NULL if all have asked. */
static struct http_client *slowest_client(struct http *h)
{
	struct http_client *slowest = NULL;

	for (int i = 0; i < HTTP_CLIENTS; i++) {
		struct http_client *c = &h->clients[i];

		if (!c->answer && (!slowest || c->until_ns < slowest->until_ns))
			slowest = c;
	}
	return slowest;
}

static const char *reason_of(int status)
{
	switch (status) {
	case 200:
		return "OK";
	case 404:
		return "Not Found";
	case 405:
		return "Method Not Allowed";
	case 421:
		return "Misdirected Request";
	case 431:
		return "Request Header Fields Too Large";
	case 500:
		return "Internal Server Error";
	default:
		return "Bad Request";
	}
}

/* Headers and page, in one piece. */
static void make_answer(struct http *h, struct http_client *c, int status, bool is_head)
{
	char *page = NULL, fallback[128], *head;
	size_t len = 0;
	int head_len;

	if (status == 200 && !(page = h->page(h->ctx, &len)))
		status = 500;
	if (!page)
		len = (size_t)snprintf(fallback, sizeof(fallback),
				       "%d %s; the metrics are at /metrics\n", status,
				       reason_of(status));
	head_len = asprintf(&head,
			    "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
			    "%sConnection: close\r\n\r\n",
			    status, reason_of(status), page ? h->type : "text/plain", len,
			    status == 405 ? "Allow: GET, HEAD\r\n" : "");
	c->answer = head_len < 0 ? NULL : realloc(head, (size_t)head_len + len);
	if (c->answer) {
		c->answer_len = (size_t)head_len + (is_head ? 0 : len);
		memcpy(c->answer + head_len, page ? page : fallback, len);
	} else if (head_len >= 0) {
		free(head);
	}
	free(page);
	if (!c->answer)
		leave(c);
}

static void read_request(struct http *h, struct http_client *c)
{
	ssize_t got =
		recv(c->fd, c->request + c->request_len, HTTP_REQUEST_MAX - c->request_len, 0);
	bool is_head;
	int status;

	if (got <= 0) {
		if (got == 0 || errno != EAGAIN)
			leave(c);
		return;
	}
	c->request_len += (size_t)got;
	status = http_request_status(c->request, c->request_len, &is_head);
	if (status == 200 && h->is_local &&
	    !http_request_names_this_host(c->request, c->request_len))
		status = 421;
	if (status)
		make_answer(h, c, status, is_head);
}

/* Most have sent their request by now; and who has not may be the next to go. */
static bool accept_client(struct http *h)
{
	struct http_client *c = free_client(h);
	int fd;

	if (!c && !(c = slowest_client(h)))
		return false;
	fd = accept4(h->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (fd < 0)
		return false;
	leave(c);
	c->fd = fd;
	c->until_ns = monotonic_now_ns() + PATIENCE_NS;
	read_request(h, c);
	return true;
}

static void write_answer(struct http_client *c)
{
	ssize_t sent = send(c->fd, c->answer + c->answer_done, c->answer_len - c->answer_done,
			    MSG_NOSIGNAL);

	if (sent < 0 && errno == EAGAIN)
		return;
	c->answer_done += sent > 0 ? (size_t)sent : 0;
	if (sent < 0 || c->answer_done == c->answer_len) {
		shutdown(c->fd, SHUT_WR);
		leave(c);
	}
}

/* Serving -------------------------------------------------------------------------------------- */

void http_gather(struct http *h, struct pollfd fds[HTTP_FDS])
{
	bool has_room = free_client(h) || slowest_client(h);

	fds[0] = (struct pollfd){ .fd = has_room ? h->fd : -1, .events = POLLIN };
	for (int i = 0; i < HTTP_CLIENTS; i++) {
		struct http_client *c = &h->clients[i];

		if (c->fd >= 0 && monotonic_now_ns() > c->until_ns)
			leave(c);
		fds[i + 1] = (struct pollfd){ c->fd, c->answer ? POLLOUT : POLLIN, 0 };
	}
}

void http_react(struct http *h, const struct pollfd fds[HTTP_FDS])
{
	for (int i = 0; i < HTTP_CLIENTS; i++) {
		struct http_client *c = &h->clients[i];

		if (c->fd < 0 || !fds[i + 1].revents)
			continue;
		if (!c->answer)
			read_request(h, c);
		else
			write_answer(c);
	}
	for (int i = 0; fds[0].revents && i < HTTP_CLIENTS && accept_client(h); i++)
		;
}
