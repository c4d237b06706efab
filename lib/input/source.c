/* SPDX-License-Identifier: MIT */
/*
 * source.c - read bytes in sequence from a descriptor or memory
 */
#include "input/source.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

/* Between two looks at the stop flag: a signal may come just before the wait. */
#define PATIENCE_MS 250

uint64_t source_consumed(const struct source *s)
{
	const struct source *root = s->root ? s->root : s;

	return root->at - root->start;
}

bool source_would_wait(const struct source *s)
{
	struct pollfd p = { .fd = s->fd, .events = POLLIN };

	if (s->root)
		return s->pos == s->len && !s->at_end && source_would_wait(s->root);
	return s->pos == s->len && !s->at_end && s->once && poll(&p, 1, 0) == 0;
}

static bool is_stopped(const struct source *s)
{
	return s->waiting && s->waiting->stop && *s->waiting->stop;
}

/* Wait for bytes, or for the end. */
static void await(const struct source *s)
{
	struct pollfd p = { .fd = s->fd, .events = POLLIN };
	bool can_stop = s->waiting && s->waiting->stop;

	while (!is_stopped(s) && poll(&p, 1, can_stop ? PATIENCE_MS : -1) == 0)
		;
}

static size_t read_memory(struct source *s, void *to, size_t len)
{
	uint64_t left = s->memory_len - s->at;

	if (len > left)
		len = (size_t)left;
	memcpy(to, s->memory + s->at, len);
	s->at += len;
	return len;
}

static size_t within(const struct source *s, size_t len)
{
	uint64_t left = s->end > s->at ? s->end - s->at : 0;

	return len < left ? len : (size_t)left;
}

/* As read(), but waits for bytes also where the descriptor would not, and after signals. */
static ssize_t read_some(struct source *s, void *to, size_t len)
{
	const struct waiting *w = s->waiting;

	if (s->memory)
		return (ssize_t)read_memory(s, to, len);
	if (w && w->before && source_would_wait(s))
		w->before(w->ctx);
	for (;;) {
		ssize_t n;

		if (w && w->stop && s->once)
			await(s);
		if (is_stopped(s)) {
			errno = EINTR;
			return -1;
		}
		n = s->once ? read(s->fd, to, len) : pread(s->fd, to, within(s, len), (off_t)s->at);
		if (n > 0)
			s->at += (uint64_t)n;
		if (n >= 0 || (errno != EINTR && errno != EAGAIN))
			return n;
		if (errno == EAGAIN)
			await(s);
	}
}

/* After those that are in the buffer.  How many, or -1 with *err set. */
static ssize_t add_some(struct source *s, struct jfrec_error *err)
{
	size_t room = sizeof(s->buf) - s->len, got;
	ssize_t n;

	if (s->from)
		return s->read(s->from, s->buf + s->len, room, &got, err) < 0 ? -1 : (ssize_t)got;
	n = read_some(s, s->buf + s->len, room);
	return n < 0 ? jfrec_fail_sys(err, errno, "cannot read") : n;
}

int source_fill(struct source *s, struct jfrec_error *err)
{
	ssize_t n;

	if (s->pos < s->len || s->at_end)
		return 0;
	s->pos = s->len = 0;
	n = add_some(s, err);
	if (n < 0)
		return -1;
	s->len = (size_t)n;
	s->at_end = n == 0;
	return 0;
}

/* A pipe may deliver them one by one. */
int source_begin(struct source *s, struct jfrec_error *err)
{
	struct jfrec_error why;

	while (s->len < MAGIC_SIZE && !s->at_end) {
		ssize_t n = add_some(s, &why);

		/* What another stream has before its damage comes first. */
		if (n < 0 && s->from && why.code == JFREC_EFORMAT)
			return 0;
		if (n < 0) {
			if (err)
				*err = why;
			return -1;
		}
		s->len += (size_t)n;
		s->at_end = n == 0;
	}
	return 0;
}
