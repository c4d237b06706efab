/* SPDX-License-Identifier: MIT */
/*
 * cursor.c - the varints that cursor.h does not take inline
 */
#include "base/cursor.h"

uint64_t cursor_varint_slow(struct cursor *c)
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
