/* SPDX-License-Identifier: MIT */
/*
 * stream.c - bytes that come one after the other: a pipe, a compressed file
 */
#include "input/stream.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

/* As read(), but waits for bytes also where the descriptor would not, and after signals. */
static ssize_t read_some(const struct source *s, void *to, size_t len)
{
	for (;;) {
		struct pollfd p = { .fd = s->fd, .events = POLLIN };
		ssize_t n = read(s->fd, to, len);

		if (n >= 0 || (errno != EINTR && errno != EAGAIN) || (s->stop && *s->stop))
			return n;
		if (errno == EAGAIN)
			poll(&p, 1, -1);
	}
}

int source_fill(struct source *s, struct jfrec_error *err)
{
	ssize_t n;

	if (s->pos < s->len || s->at_end)
		return 0;
	n = read_some(s, s->buf, sizeof(s->buf));
	if (n < 0)
		return jfrec_fail_sys(err, errno, "cannot read");
	s->pos = 0;
	s->len = (size_t)n;
	s->at_end = n == 0;
	return 0;
}

/* Enough bytes to know a compression by. */
#define MAGIC_SIZE 4

/* A pipe may deliver them one by one. */
static int source_begin(struct source *s, struct jfrec_error *err)
{
	while (s->len < MAGIC_SIZE && !s->at_end) {
		ssize_t n = read_some(s, s->buf + s->len, sizeof(s->buf) - s->len);

		if (n < 0)
			return jfrec_fail_sys(err, errno, "cannot read");
		s->len += (size_t)n;
		s->at_end = n == 0;
	}
	return 0;
}

bool stream_is_compressed(int fd)
{
	struct source s;
	ssize_t n = pread(fd, s.buf, MAGIC_SIZE, 0);

	s.len = n > 0 ? (size_t)n : 0;
	return gzip_is(&s) || zstd_is(&s);
}

struct stream *stream_new(int fd, const volatile sig_atomic_t *stop, struct jfrec_error *err)
{
	struct stream *s = malloc(sizeof(*s));
	bool is_compressed;

	if (!s) {
		jfrec_fail_memory(err);
		return NULL;
	}
	s->decoder = NULL;
	s->source.fd = fd;
	s->source.pos = s->source.len = 0;
	s->source.at_end = false;
	s->source.stop = stop;
	if (source_begin(&s->source, err) < 0) {
		free(s);
		return NULL;
	}
	is_compressed = gzip_is(&s->source) || zstd_is(&s->source);
	if (is_compressed)
		s->decoder = gzip_is(&s->source) ? gzip_new() : zstd_new();
	if (!is_compressed || s->decoder)
		return s;
	free(s);
	jfrec_fail_memory(err);
	return NULL;
}

void stream_free(struct stream *s)
{
	if (!s)
		return;
	if (s->decoder)
		s->decoder->free(s->decoder);
	free(s);
}

int stream_read(struct stream *s, void *to, size_t len, size_t *got, struct jfrec_error *err)
{
	struct source *source = &s->source;

	*got = 0;
	if (s->decoder)
		return s->decoder->read(s->decoder, source, to, len, got, err);
	if (source_fill(source, err) < 0)
		return -1;
	*got = source->len - source->pos < len ? source->len - source->pos : len;
	memcpy(to, source->buf + source->pos, *got);
	source->pos += *got;
	return 0;
}
