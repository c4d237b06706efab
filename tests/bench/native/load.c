/* SPDX-License-Identifier: MIT */
/*
 * load.c - ask memcached for one value, again and again, over several connections
 *
 * usage: load PORT CONNECTIONS REQUESTS
 *
 * Prints requests a second, and the median and the 99th percentile of the latency in microseconds.
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MOST 64
#define VALUE 100

static const char get[] = "get key\r\n";
static char expected[VALUE + 64];
static size_t expected_size;

struct connection {
	int fd;
	uint64_t sent_ns;
	size_t got;
};

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void ask(struct connection *c)
{
	c->sent_ns = now();
	c->got = 0;
	if (write(c->fd, get, sizeof(get) - 1) != (ssize_t)sizeof(get) - 1)
		fail("write");
}

/* True: the answer is complete. */
static int take(struct connection *c)
{
	char text[1024];
	ssize_t n = read(c->fd, text, sizeof(text));

	if (n <= 0)
		fail("read");
	c->got += (size_t)n;
	return c->got >= expected_size;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void store(int fd)
{
	char text[VALUE + 64], value[VALUE + 1];
	int len;

	memset(value, 'v', VALUE);
	value[VALUE] = '\0';
	len = snprintf(text, sizeof(text), "set key 0 0 %d\r\n%s\r\n", VALUE, value);
	if (write(fd, text, (size_t)len) != len || read(fd, text, sizeof(text)) != 8)
		fail("set");
	expected_size = (size_t)snprintf(expected, sizeof(expected), "VALUE key 0 %d\r\n%s\r\nEND\r\n", VALUE, value);
}

int main(int argc, char **argv)
{
	static struct connection all[MOST];
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	int count = argc > 2 ? atoi(argv[2]) : 0, epoll = epoll_create1(0), one = 1;
	long requests = argc > 3 ? atol(argv[3]) : 0, done = 0, asked = 0;
	uint32_t *times = calloc((size_t)requests + MOST, sizeof(*times));
	uint64_t begin;

	if (count < 1 || count > MOST || requests < count || !times)
		return 2;
	a.sin_port = htons((uint16_t)atoi(argv[1]));
	for (int i = 0; i < count; i++) {
		struct epoll_event e = { .events = EPOLLIN, .data = { .ptr = &all[i] } };

		all[i].fd = socket(AF_INET, SOCK_STREAM, 0);
		if (connect(all[i].fd, (struct sockaddr *)&a, sizeof(a)) ||
		    setsockopt(all[i].fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)))
			fail("connect");
		if (i == 0)
			store(all[i].fd);
		epoll_ctl(epoll, EPOLL_CTL_ADD, all[i].fd, &e);
	}
	begin = now();
	for (int i = 0; i < count; i++, asked++)
		ask(&all[i]);
	while (done < asked) {
		struct epoll_event events[MOST];
		int n = epoll_wait(epoll, events, MOST, -1);

		for (int i = 0; i < n; i++) {
			struct connection *c = events[i].data.ptr;

			if (!take(c))
				continue;
			times[done++] = (uint32_t)(now() - c->sent_ns);
			if (asked < requests) {
				ask(c);
				asked++;
			}
		}
	}
	begin = now() - begin;
	qsort(times, (size_t)done, sizeof(*times), by_number);
	printf("%.0f %.1f %.1f\n", (double)done * 1e9 / (double)begin, times[done / 2] / 1e3, times[done * 99 / 100] / 1e3);
	return 0;
}
