/* SPDX-License-Identifier: MIT */
/*
 * cursor.c - the varints that cursor.h does not take inline
 */
#include "base/cursor.h"

struct varint varint_read(const uint8_t *pos, const uint8_t *end)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < VARINT_MAX && pos < end; i++) {
		uint64_t byte = *pos++;

		if (i == VARINT_MAX - 1)
			return (struct varint){ v | byte << 56, pos };
		v |= (byte & 0x7f) << (7 * i);
		if (!(byte & 0x80))
			return (struct varint){ v, pos };
	}
	return (struct varint){ 0, NULL };
}
