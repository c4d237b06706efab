/* SPDX-License-Identifier: MIT */
/*
 * buffer.h - a growing byte buffer, with the encodings of recordings
 *
 * The counterpart of cursor.h: a buffer that could not grow stays failed and
 * takes nothing more, so put a record together, then look at `failed` once.
 */
#ifndef JFREC_BASE_BUFFER_H
#define JFREC_BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"

/* All zero is an empty buffer. */
struct buffer {
	uint8_t *data;
	size_t len, room;
	bool failed; /* memory is gone; nothing added since counts */
};

/* Room for n bytes after the last one, or NULL; also of none in a buffer that has no bytes. */
uint8_t *buffer_room(struct buffer *b, size_t n);

void buffer_put(struct buffer *b, const void *data, size_t len);
void buffer_u8(struct buffer *b, uint8_t v);

/* An integer of `width` bytes, the most significant first. */
void buffer_be(struct buffer *b, uint64_t v, unsigned width);

void buffer_varint(struct buffer *b, uint64_t v);

/* The varint of other formats: 64 bits take up to ten bytes, where a recording's end after nine. */
void buffer_leb128_slow(struct buffer *b, uint64_t v);

/* Most are of one byte. */
static inline void buffer_leb128(struct buffer *b, uint64_t v)
{
	if (v < 0x80 && b->len < b->room && !b->failed)
		b->data[b->len++] = (uint8_t)v;
	else
		buffer_leb128_slow(b, v);
}

/* A varint of exactly `width` bytes, which it must fit into. */
void buffer_padded(struct buffer *b, uint64_t v, unsigned width);

/* Forget the bytes, not their room. */
static inline void buffer_clear(struct buffer *b)
{
	b->len = 0;
}

void buffer_fini(struct buffer *b);

/* How many bytes a varint takes. */
unsigned varint_size(uint64_t v);

/* Write one at `to`, which has room for VARINT_MAX; returns its end. */
uint8_t *varint_put(uint8_t *to, uint64_t v);

/* The same, of exactly `width` bytes. */
uint8_t *varint_put_padded(uint8_t *to, uint64_t v, unsigned width);

static inline void put_be(uint8_t *to, uint64_t v, unsigned width)
{
	for (unsigned i = 0; i < width; i++)
		to[i] = (uint8_t)(v >> 8 * (width - 1 - i));
}

#endif
