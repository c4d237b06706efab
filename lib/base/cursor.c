/* SPDX-License-Identifier: MIT */
/*
 * cursor.c - the varints that cursor.h does not take inline
 */
#include "base/cursor.h"

static uint64_t varint_near_end(struct cursor *c)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < VARINT_MAX - 1; i++) {
		uint64_t byte = cursor_u8(c);

		v |= (byte & 0x7f) << (7 * i);
		if (!(byte & 0x80))
			return c->bad ? 0 : v;
	}
	v |= (uint64_t)cursor_u8(c) << 56;
	return c->bad ? 0 : v;
}

/* Unrolled by hand: a loop with a shift count costs half as much again. */
uint64_t cursor_varint_long(struct cursor *c)
{
	const uint8_t *p = c->pos;
	uint64_t v, byte;

	if (c->end - p < VARINT_MAX)
		return varint_near_end(c);
	v = p[0] & 0x7f;
	if (p[0] < 0x80) {
		c->pos = p + 1;
		return v;
	}
#define VARINT_BYTE(i)                                                                             \
	byte = p[i];                                                                               \
	v |= (byte & 0x7f) << (7 * (i));                                                           \
	if (byte < 0x80) {                                                                         \
		c->pos = p + (i) + 1;                                                              \
		return v;                                                                          \
	}
	VARINT_BYTE(1)
	VARINT_BYTE(2)
	VARINT_BYTE(3)
	VARINT_BYTE(4)
	VARINT_BYTE(5)
	VARINT_BYTE(6)
	VARINT_BYTE(7)
#undef VARINT_BYTE
	c->pos = p + VARINT_MAX;
	return v | (uint64_t)p[8] << 56;
}
