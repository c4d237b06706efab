/* SPDX-License-Identifier: MIT */
/*
 * bytes.c - a buffer that grows, and numbers and texts as recordings have them
 */
#include "native/bytes.h"

#include <stdlib.h>
#include <string.h>

#include "native/jfrec-recorder.h"

void bytes_fini(struct bytes *b)
{
	free(b->data);
	*b = (struct bytes){ 0 };
}

/* For so many more; NULL: no memory. */
static uint8_t *reserve(struct bytes *b, size_t size)
{
	size_t room = b->room ? b->room : 1024;
	uint8_t *grown;

	if (b->room - b->size >= size && b->data)
		return b->data + b->size;
	while (room - b->size < size)
		room *= 2;
	grown = realloc(b->data, room);
	if (!grown) {
		b->failed = true;
		return NULL;
	}
	b->data = grown;
	b->room = room;
	return b->data + b->size;
}

void bytes_add(struct bytes *b, const void *data, size_t size)
{
	uint8_t *at = reserve(b, size);

	if (!at || !size)
		return;
	memcpy(at, data, size);
	b->size += size;
}

void bytes_byte(struct bytes *b, uint8_t value)
{
	bytes_add(b, &value, 1);
}

void bytes_varint(struct bytes *b, uint64_t value)
{
	uint8_t *at = reserve(b, 9);

	if (at)
		b->size += (size_t)(jfrec_event_varint_(at, value) - at);
}

void bytes_text(struct bytes *b, const char *text)
{
	size_t len = text ? strlen(text) : 0;

	bytes_byte(b, !text ? 0 : !len ? 1 : 3);
	if (!len)
		return;
	bytes_varint(b, len);
	bytes_add(b, text, len);
}

size_t bytes_begin(struct bytes *b, uint64_t type)
{
	size_t at = b->size;

	bytes_add(b, "\0\0\0", 4);
	bytes_varint(b, type);
	return at;
}

void bytes_end(struct bytes *b, size_t at)
{
	if (!b->failed)
		put_padded(b->data + at, b->size - at);
}
