/* SPDX-License-Identifier: MIT */
/*
 * stream.c - read bytes in sequence from a pipe or a compressed file
 */
#include "input/stream.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "compressions.h"

/* Between two looks at the stop flag: a signal may come just before the wait. */
#define PATIENCE_MS 250

bool source_would_wait(const struct source *s)
{
	struct pollfd p = { .fd = s->fd, .events = POLLIN };

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
		n = s->once ? read(s->fd, to, len) : pread(s->fd, to, len, (off_t)s->at);
		if (n > 0)
			s->at += (uint64_t)n;
		if (n >= 0 || (errno != EINTR && errno != EAGAIN))
			return n;
		if (errno == EAGAIN)
			await(s);
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

#ifndef JFREC_LZ4
#define lz4_new NULL
#endif
#ifndef JFREC_XZ
#define xz_new NULL
#endif

static bool lz4_is(const struct source *s)
{
	return s->len >= 4 && memcmp(s->buf, "\4\"M\30", 4) == 0;
}

static bool xz_is(const struct source *s)
{
	return s->len >= 4 && memcmp(s->buf, "\3757zX", 4) == 0;
}

static const struct compression {
	const char *name;
	bool (*is)(const struct source *s);
	struct decoder *(*make)(void); /* NULL: built without it */
} compressions[] = {
	{ "gzip", gzip_is, gzip_new },
	{ "zstd", zstd_is, zstd_new },
	{ "lz4", lz4_is, lz4_new },
	{ "xz", xz_is, xz_new },
};

/* NULL: none that we know. */
static const struct compression *compression_of(const struct source *s)
{
	for (size_t i = 0; i < sizeof(compressions) / sizeof(*compressions); i++) {
		if (compressions[i].is(s))
			return &compressions[i];
	}
	return NULL;
}

bool stream_is_compressed(int fd)
{
	struct source s;
	ssize_t n = pread(fd, s.buf, MAGIC_SIZE, 0);

	s.len = n > 0 ? (size_t)n : 0;
	return compression_of(&s) != NULL;
}

bool stream_is_compressed_memory(const uint8_t *bytes, uint64_t len)
{
	struct source s;

	s.len = len < MAGIC_SIZE ? (size_t)len : MAGIC_SIZE;
	memcpy(s.buf, bytes, s.len);
	return compression_of(&s) != NULL;
}

/* Its decoder, if the bytes are compressed.  0, or -1 with *err set. */
static int add_decoder(struct stream *s, struct jfrec_error *err)
{
	const struct compression *c = compression_of(&s->source);

	if (c && !c->make)
		return jfrec_fail(err, JFREC_EUNSUPPORTED, JFREC_NO_OFFSET,
				  "is compressed with %s, for which this jfrec was built without "
				  "support; decompress it first, or pipe it in: %s -dc FILE | "
				  "jfrec ... -",
				  c->name, c->name);
	s->decoder = c ? c->make() : NULL;
	return c && !s->decoder ? jfrec_fail_memory(err) : 0;
}

/* All of a source but its buffer is zero. */
static struct stream *stream_without_source(struct jfrec_error *err)
{
	struct stream *s = malloc(sizeof(*s));

	if (!s) {
		jfrec_fail_memory(err);
		return NULL;
	}
	s->decoder = NULL;
	s->unfolded = 0;
	memset(&s->source, 0, offsetof(struct source, buf));
	return s;
}

static struct stream *stream_begin(struct stream *s, struct jfrec_error *err)
{
	if (source_begin(&s->source, err) == 0 && add_decoder(s, err) == 0)
		return s;
	free(s);
	return NULL;
}

struct stream *stream_new(int fd, bool once, const struct waiting *waiting, struct jfrec_error *err)
{
	struct stream *s = stream_without_source(err);

	if (!s)
		return NULL;
	s->source.fd = fd;
	s->source.once = once;
	s->source.waiting = waiting;
	return stream_begin(s, err);
}

struct stream *stream_new_memory(const uint8_t *bytes, uint64_t len, struct jfrec_error *err)
{
	struct stream *s = stream_without_source(err);

	if (!s)
		return NULL;
	s->source.fd = -1;
	s->source.memory = bytes;
	s->source.memory_len = len;
	return stream_begin(s, err);
}

void stream_free(struct stream *s)
{
	if (!s)
		return;
	if (s->decoder)
		s->decoder->free(s->decoder);
	free(s);
}

/*
 * What unfolds to so many times its size is no recording, which shrinks to a tenth or so, but made
 * to fill memory, disks and time.
 */
#define UNFOLDS_FREELY (UINT64_C(64) << 20)
#define MOST_TIMES     1000

static int unfold(struct stream *s, void *to, size_t len, size_t *got, struct jfrec_error *err)
{
	if (s->unfolded > UNFOLDS_FREELY && s->unfolded / MOST_TIMES > s->source.at)
		return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET,
				  "reading stopped: the compressed data expands to more than %u "
				  "times its size, which no recording does (if it is one, "
				  "decompress it to a file first)",
				  MOST_TIMES);
	if (s->decoder->read(s->decoder, &s->source, to, len, got, err) < 0)
		return -1;
	s->unfolded += *got;
	return 0;
}

int stream_read(struct stream *s, void *to, size_t len, size_t *got, struct jfrec_error *err)
{
	struct source *source = &s->source;

	*got = 0;
	if (s->decoder)
		return unfold(s, to, len, got, err);
	if (source_fill(source, err) < 0)
		return -1;
	*got = source->len - source->pos < len ? source->len - source->pos : len;
	memcpy(to, source->buf + source->pos, *got);
	source->pos += *got;
	return 0;
}
