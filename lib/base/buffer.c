/* SPDX-License-Identifier: MIT */
/*
 * buffer.c - a growing byte buffer, with the encodings of recordings
 */
#include "base/buffer.h"

#include <stdlib.h>

#include "base/huge.h"

#define SMALLEST 256

/* Bytes of the longest varint of other formats. */
#define LEB128_MAX 10

static bool grow(struct buffer *b, size_t n)
{
	size_t room = b->room ? b->room : SMALLEST;
	uint8_t *data;

	while (room - b->len < n) {
		if (room > SIZE_MAX / 2)
			return false;
		room *= 2;
	}
	data = realloc(b->data, room);
	if (!data)
		return false;
	huge_pages(data, room);
	b->data = data;
	b->room = room;
	return true;
}

uint8_t *buffer_room(struct buffer *b, size_t n)
{
	if (b->failed)
		return NULL;
	if (n > b->room - b->len && !grow(b, n)) {
		b->failed = true;
		return NULL;
	}
	/* Room for nothing in an empty buffer. */
	return b->data ? b->data + b->len : NULL;
}

void buffer_put(struct buffer *b, const void *data, size_t len)
{
	uint8_t *at = len ? buffer_room(b, len) : NULL;

	if (!at)
		return;
	memcpy(at, data, len);
	b->len += len;
}

void buffer_u8(struct buffer *b, uint8_t v)
{
	buffer_put(b, &v, 1);
}

void buffer_be(struct buffer *b, uint64_t v, unsigned width)
{
	uint8_t *at = buffer_room(b, width);

	if (!at)
		return;
	put_be(at, v, width);
	b->len += width;
}

unsigned varint_size(uint64_t v)
{
	unsigned n = 1;

	while (n < VARINT_MAX && v >= 0x80) {
		v >>= 7;
		n++;
	}
	return n;
}

uint8_t *varint_put(uint8_t *to, uint64_t v)
{
	return varint_put_padded(to, v, varint_size(v));
}

uint8_t *varint_put_padded(uint8_t *to, uint64_t v, unsigned width)
{
	for (unsigned i = 1; i < width; i++) {
		*to++ = (uint8_t)(v | 0x80);
		v >>= 7;
	}
	*to++ = (uint8_t)v;
	return to;
}

void buffer_varint(struct buffer *b, uint64_t v)
{
	uint8_t *at = buffer_room(b, VARINT_MAX);

	if (at)
		b->len += (size_t)(varint_put(at, v) - at);
}

void buffer_leb128_slow(struct buffer *b, uint64_t v)
{
	uint8_t *at = buffer_room(b, LEB128_MAX);

	if (!at)
		return;
	for (; v >= 0x80; v >>= 7, b->len++)
		*at++ = (uint8_t)(v | 0x80);
	*at = (uint8_t)v;
	b->len++;
}

void buffer_padded(struct buffer *b, uint64_t v, unsigned width)
{
	uint8_t *at = buffer_room(b, width);

	if (at)
		b->len += (size_t)(varint_put_padded(at, v, width) - at);
}

void buffer_fini(struct buffer *b)
{
	free(b->data);
	*b = (struct buffer){ 0 };
}
