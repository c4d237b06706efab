/* SPDX-License-Identifier: MIT */
/*
 * highest_bits.h - where varints end: the highest bits of many bytes at once
 */
#ifndef JFREC_BASE_HIGHEST_BITS_H
#define JFREC_BASE_HIGHEST_BITS_H

#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* So many bytes are read at once. */
#define HIGHEST_BITS_STEP 16

/*
 * Which of the bytes, 64 at most, have their highest bit set.  The last step may reach beyond them.
 */
static inline uint64_t highest_bits(const uint8_t *pos, unsigned count)
{
	uint64_t bits = 0;

#ifdef __SSE2__
	for (unsigned i = 0; i < count; i += HIGHEST_BITS_STEP) {
		__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(pos + i));

		bits |= (uint64_t)(unsigned)_mm_movemask_epi8(bytes) << i;
	}
#else
	for (unsigned i = 0; i < count; i += 8) {
		uint64_t eight;

		/* The product puts the lowest bits of eight bytes side by side, at its top. */
		memcpy(&eight, pos + i, sizeof(eight));
		eight = eight >> 7 & UINT64_C(0x0101010101010101);
		bits |= (eight * UINT64_C(0x0102040810204080) >> 56) << i;
	}
#endif
	return bits;
}

static inline unsigned count_bits(uint64_t bits)
{
	bits -= bits >> 1 & UINT64_C(0x5555555555555555);
	bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
	bits = (bits + (bits >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (unsigned)(bits * UINT64_C(0x0101010101010101) >> 56);
}

/*
 * Where eight bits in a row begin: the beginnings of varints of nine bytes, and what follows them.
 */
static inline uint64_t eight_in_a_row(uint64_t bits)
{
	bits &= bits >> 1;
	bits &= bits >> 2;
	return bits & bits >> 4;
}

#endif
