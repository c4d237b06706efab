/* SPDX-License-Identifier: MIT */
/*
 * bytes.h - a buffer that grows, and numbers and texts as recordings have them
 */
#ifndef JFREC_RECORDER_GROUND_BYTES_H
#define JFREC_RECORDER_GROUND_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeros are empty.  failed: there was no memory, and what came after is missing. */
struct bytes {
	uint8_t *data;
	size_t size, room;
	bool failed;
};

void bytes_fini(struct bytes *b);
void bytes_add(struct bytes *b, const void *data, size_t size);
void bytes_byte(struct bytes *b, uint8_t value);
void bytes_varint(struct bytes *b, uint64_t value);

/* A text as UTF-8, as empty, or for NULL as none. */
void bytes_text(struct bytes *b, const char *text);

/* The same of so many bytes. */
void bytes_text_of(struct bytes *b, const char *text, size_t len);

/* Formatted text as it is, at most 4,095 bytes of it. */
void bytes_format(struct bytes *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Begin an event with room for its size, and fill that in: at is what the first returned. */
size_t bytes_begin(struct bytes *b, uint64_t type);
void bytes_end(struct bytes *b, size_t at);

/* Four bytes, of which each but the last says that it is continued: up to 2^28 - 1. */
static inline void put_padded(uint8_t *at, size_t value)
{
	at[0] = (uint8_t)(value | 0x80);
	at[1] = (uint8_t)(value >> 7 | 0x80);
	at[2] = (uint8_t)(value >> 14 | 0x80);
	at[3] = (uint8_t)(value >> 21 & 0x7f);
}

#endif
