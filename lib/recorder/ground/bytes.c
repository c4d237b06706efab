/* SPDX-License-Identifier: MIT */
/*
 * bytes.c - a buffer that grows, and numbers and texts as recordings have them
 */
#include "recorder/ground/bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/jfrec-recorder.h"

void bytes_fini(struct bytes *b)
{
	free(b->data);
	*b = (struct bytes){ 0 };
}

static bool grow(struct bytes *b, size_t size)
{
	size_t room = b->room ? b->room : 1024;
	uint8_t *grown;

	while (room - b->size < size)
		room *= 2;
	grown = realloc(b->data, room);
	if (!grown) {
		b->failed = true;
		return false;
	}
	b->data = grown;
	b->room = room;
	return true;
}

/* For so many more; NULL: no memory. */
static inline uint8_t *reserve(struct bytes *b, size_t size)
{
	return b->room - b->size > size || grow(b, size + 1) ? b->data + b->size : NULL;
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
	uint8_t *at = reserve(b, 1);

	if (!at)
		return;
	*at = value;
	b->size++;
}

void bytes_varint(struct bytes *b, uint64_t value)
{
	uint8_t *at = reserve(b, 9);

	if (at)
		b->size += (size_t)(jfrec_event_varint_(at, value) - at);
}

void bytes_text_of(struct bytes *b, const char *text, size_t len)
{
	uint8_t *at = reserve(b, len + 10), *end = at;

	if (!at)
		return;
	*end++ = len ? 3 : 1;
	if (len) {
		end = jfrec_event_varint_(end, len);
		memcpy(end, text, len);
		end += len;
	}
	b->size += (size_t)(end - at);
}

void bytes_text(struct bytes *b, const char *text)
{
	if (text)
		bytes_text_of(b, text, strlen(text));
	else
		bytes_byte(b, 0);
}

void bytes_format(struct bytes *b, const char *format, ...)
{
	char line[4096];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (n > 0)
		bytes_add(b, line, (size_t)n < sizeof(line) ? (size_t)n : sizeof(line) - 1);
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
