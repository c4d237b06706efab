/* SPDX-License-Identifier: MIT */
/*
 * stream.c - read bytes in sequence from a pipe or a compressed file
 */
#include "input/stream.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

static bool lz4_is(const struct source *s)
{
	return s->len >= 4 && memcmp(s->buf, "\4\"M\30", 4) == 0;
}

static bool xz_is(const struct source *s)
{
	return s->len >= 4 && memcmp(s->buf, "\3757zX", 4) == 0;
}

static bool bzip2_is(const struct source *s)
{
	return s->len >= 4 && memcmp(s->buf, "BZh", 3) == 0 && s->buf[3] >= '1' && s->buf[3] <= '9';
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
	{ "bzip2", bzip2_is, bzip2_new },
	{ "base64", letters_are, letters_new },
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
	s->under = NULL;
	s->unfolded = 0;
	s->promise.is_made = false;
	memset(&s->source, 0, offsetof(struct source, buf));
	s->source.end = UINT64_MAX;
	return s;
}

static struct stream *stream_begin(struct stream *s, struct jfrec_error *err)
{
	if (source_begin(&s->source, err) == 0 && add_decoder(s, err) == 0)
		return s;
	stream_free(s);
	return NULL;
}

static int read_other(void *from, void *to, size_t len, size_t *got, struct jfrec_error *err)
{
	return stream_read(from, to, len, got, err);
}

/* What comes out of a stream may be compressed, too. */
static struct stream *stream_begin_over(struct stream *from, struct jfrec_error *err)
{
	struct stream *s = stream_without_source(err);

	if (!s) {
		stream_free(from);
		return NULL;
	}
	s->source.fd = -1;
	s->source.from = from;
	s->source.read = read_other;
	s->source.root = from->source.root ? from->source.root : &from->source;
	return stream_begin(s, err);
}

/* Base64 may hold something compressed. */
static struct stream *stream_begin_all(struct stream *s, struct jfrec_error *err)
{
	s = stream_begin(s, err);
	return s && s->decoder && letters_are(&s->source) ? stream_begin_over(s, err) : s;
}

struct stream *stream_new(int fd, bool once, const struct waiting *waiting, struct jfrec_error *err)
{
	struct stream *s = stream_without_source(err);

	if (!s)
		return NULL;
	s->source.fd = fd;
	s->source.once = once;
	s->source.waiting = waiting;
	return stream_begin_all(s, err);
}

struct stream *stream_new_memory(const uint8_t *bytes, uint64_t len, struct jfrec_error *err)
{
	struct stream *s = stream_without_source(err);

	if (!s)
		return NULL;
	s->source.fd = -1;
	s->source.memory = bytes;
	s->source.memory_len = len;
	return stream_begin_all(s, err);
}

static void set_part(struct source *s, const struct input_part *part)
{
	s->fd = part->fd;
	s->memory = part->memory;
	s->memory_len = part->len;
	if (part->memory)
		return;
	s->at = s->start = part->start;
	s->end = part->start + part->len;
}

struct stream *stream_new_part(const struct input_part *part, struct decoder *decoder,
			       const struct stream_promise *promise, struct jfrec_error *err)
{
	struct stream *s = stream_without_source(err);

	if (!s) {
		if (decoder)
			decoder->free(decoder);
		return NULL;
	}
	set_part(&s->source, part);
	if (!decoder)
		return stream_begin_all(s, err);
	s->decoder = decoder;
	s->promise = *promise;
	s->crc = 0;
	return stream_begin_over(s, err);
}

struct stream *stream_new_over(struct input *under, struct decoder *decoder)
{
	struct stream *s = stream_without_source(NULL);

	if (!s)
		return NULL;
	s->source.fd = -1;
	s->source.at_end = true;
	s->decoder = decoder;
	s->under = under;
	return s;
}

void stream_free(struct stream *s)
{
	if (!s)
		return;
	if (s->decoder)
		s->decoder->free(s->decoder);
	stream_free(s->source.from);
	free(s);
}

void stream_set_waiting(struct stream *s, const struct waiting *waiting)
{
	for (; s; s = s->source.from)
		s->source.waiting = waiting;
}

/*
 * What unpacks to this many times its size is not a recording, which shrinks to a tenth or so, but
 * made to fill memory, disks and time.
 */
#define UNFOLDS_FREELY (UINT64_C(64) << 20)
#define MOST_TIMES     1000

/* 0, or -1 with *err set when all came, and it is not what was promised. */
static int keep_promise(struct stream *s, const void *bytes, size_t got, struct jfrec_error *err)
{
	const struct stream_promise *p = &s->promise;

	s->crc = inflate_crc(s->crc, bytes, got);
	if (got)
		return 0;
	if (s->unfolded != p->size)
		return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET,
				  "it unpacks to %" PRIu64 " bytes, not to the %" PRIu64
				  " that its archive says",
				  s->unfolded, p->size);
	if (s->crc != p->crc)
		return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET,
				  "it is damaged: its checksum is not the one that its archive says");
	return 0;
}

static int unfold(struct stream *s, void *to, size_t len, size_t *got, struct jfrec_error *err)
{
	if (!s->under && s->unfolded > UNFOLDS_FREELY &&
	    s->unfolded / MOST_TIMES > source_consumed(&s->source))
		return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET,
				  "reading stopped: the compressed data expands to more than %u "
				  "times its size, which no recording does (if it is one, "
				  "decompress it to a file first)",
				  MOST_TIMES);
	if (s->decoder->read(s->decoder, &s->source, to, len, got, err) < 0)
		return -1;
	s->unfolded += *got;
	return s->promise.is_made ? keep_promise(s, to, *got, err) : 0;
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
