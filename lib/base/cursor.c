/* SPDX-License-Identifier: MIT */
/*
 * cursor.c - read the varints that cursor.h does not read inline
 */
#include "base/cursor.h"

#include "base/highest_bits.h"

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

/* So many bytes at a time, where there are at least so many varints. */
#define MANY_BYTES   64
#define MANY_VARINTS 32

/* As far as whole blocks go, all of whose varints are skipped, and none is of nine bytes. */
static const uint8_t *skip_blocks(const uint8_t *pos, const uint8_t *end, uint64_t *n)
{
	while (*n >= MANY_VARINTS && end - pos >= MANY_BYTES) {
		uint64_t go_on = highest_bits(pos, MANY_BYTES);
		unsigned count = MANY_BYTES - count_bits(go_on);

		if (eight_in_a_row(go_on) || count > *n)
			break;
		/* After the last one that ends there: there is one in each eight bytes. */
		pos += MANY_BYTES - __builtin_clzll(~go_on);
		*n -= count;
	}
	return pos;
}

#define EACH_BYTE UINT64_C(0x0101010101010101)

/*
 * Eight bytes at a time.  That they are all of one byte, as letters are, is
 * guessed ahead by the branch.  Otherwise the product of the bits that mark
 * ends by a one for each byte is, in each byte, how many varints end in it and
 * before it.
 */
const uint8_t *varints_skip(const uint8_t *pos, const uint8_t *end, uint64_t n)
{
	if (n >= MANY_VARINTS)
		pos = skip_blocks(pos, end, &n);
	while (n && end - pos >= VARINT_MAX) {
		unsigned few = n < 8 ? (unsigned)n : 8;
		uint64_t eight, ends, counts;

		memcpy(&eight, pos, sizeof(eight));
		ends = ~eight >> 7 & EACH_BYTE;
		if ((ends ^ EACH_BYTE) << (64 - 8 * few) == 0) {
			pos += few;
			n -= few;
			continue;
		}
		counts = ends * EACH_BYTE;
		if (n <= counts >> 56) {
			/* The first byte whose count is n: there its highest bit stays. */
			uint64_t reached = counts + (0x80 - n) * EACH_BYTE;

			return pos + __builtin_ctzll(reached & 0x80 * EACH_BYTE) / 8 + 1;
		}
		/* The last of the eight that ends one; the ninth byte of a varint always does. */
		pos += ends ? 8 - __builtin_clzll(ends) / 8 : VARINT_MAX;
		n -= ends ? counts >> 56 : 1;
	}
	for (; n && pos; n--)
		pos = varint_read(pos, end).end;
	return pos;
}
