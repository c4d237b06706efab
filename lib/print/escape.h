/* SPDX-License-Identifier: MIT */
/*
 * escape.h - copy strings, and escape what a format cannot have in them
 *
 * Nearly all bytes of nearly all strings are copied as they are. So eight are looked at and copied
 * at a time: each format has a function, a marks_fn, that finds those among them that it escapes.
 */
#ifndef JFREC_PRINT_ESCAPE_H
#define JFREC_PRINT_ESCAPE_H

#include "print/render.h"

#define EACH_BYTE UINT64_C(0x0101010101010101)

#define HIGHEST_BITS (0x80 * EACH_BYTE)

/*
 * Of eight bytes, the highest bits of those that need a second look: all that are not ASCII, and
 * others. The lowest one that is set is right; those above it need not be.
 *
 * It is (eight | ...) & HIGHEST_BITS, where ... is of those below, which are right for ASCII.
 */
typedef uint64_t marks_fn(uint64_t eight);

/* Which are less than c? */
static inline uint64_t below(uint64_t eight, uint8_t c)
{
	return eight - c * EACH_BYTE;
}

static inline uint64_t equal(uint64_t eight, uint8_t c)
{
	return below(eight ^ c * EACH_BYTE, 1);
}

static inline uint64_t marks_high(uint64_t eight)
{
	return eight & HIGHEST_BITS;
}

/* Copy what comes before the first marked byte of less than eight; returns how many that are. */
static inline __attribute__((always_inline)) size_t copy_few(char *at, const uint8_t *s, size_t len,
							     marks_fn *marks)
{
	size_t n = 0;

	if (len >= 4) {
		uint32_t first, last;

		/* They may overlap. */
		memcpy(&first, s, sizeof(first));
		memcpy(&last, s + len - sizeof(last), sizeof(last));
		if (!marks(first | (uint64_t)last << 32)) {
			memcpy(at, &first, sizeof(first));
			memcpy(at + len - sizeof(last), &last, sizeof(last));
			return len;
		}
	}
	for (; n < len && !marks(s[n] * EACH_BYTE); n++)
		at[n] = (char)s[n];
	return n;
}

/* The same of any number of bytes. No more than `len` are read and written. */
static inline __attribute__((always_inline)) size_t copy_unmarked(char *at, const uint8_t *s,
								  size_t len, marks_fn *marks)
{
	size_t n = 0;

	if (len < 8)
		return copy_few(at, s, len, marks);
	for (;;) {
		uint64_t eight, marked;

		memcpy(&eight, s + n, sizeof(eight));
		memcpy(at + n, &eight, sizeof(eight));
		marked = marks(eight);
		if (marked)
			return n + (size_t)__builtin_ctzll(marked) / 8;
		if (n + 8 == len)
			return len;
		/* The last eight may overlap with those before. */
		n = n + 16 <= len ? n + 8 : len - 8;
	}
}

/*
 * Write a string: what is marked goes through escape(), which writes one code point and returns the
 * end.
 */
static inline __attribute__((always_inline)) void put_escaped_string(
	struct render *r, struct string s, marks_fn *marks, char *(*escape)(char *at, int32_t c))
{
	/* In variables: what has its address taken lies in memory. */
	const uint8_t *bytes = s.bytes;
	uint64_t left = s.len;

	while (left) {
		char *at = out_room(&r->out);
		size_t len = left < OUT_SLACK ? left : OUT_SLACK;
		size_t n = copy_unmarked(at, bytes, len, marks);

		out_end(&r->out, at + n);
		bytes += n;
		left -= n;
		if (n == len)
			continue;
		/* Such as the slashes in names of classes, in JSON as the JDK writes it. */
		if (__builtin_expect(*bytes < 0x80, 1)) {
			out_end(&r->out, escape(out_room(&r->out), *bytes));
			bytes++;
			left--;
		} else {
			struct string rest = { s.encoding, bytes, left, 0 };

			out_end(&r->out, escape(out_room(&r->out), string_next(&rest)));
			bytes = rest.bytes;
			left = rest.len;
		}
	}
}

#endif
