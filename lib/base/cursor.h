/* SPDX-License-Identifier: MIT */
/*
 * cursor.h - move through input without leaving it
 *
 * Only this code reads numbers from input, and checks before that their bytes are there.  These
 * functions move a position themselves, for speed, and each says why it stays inside; a test
 * (bounds.py) finds any other:
 *
 *	format/walk.h        walk_head(), walk_one()
 *	format/event_rows.c  is_chained()
 *	format/mark.c        marks_scan()
 *	read/chunk_count.c   count_window()
 *	scrub/known_texts.c  find_texts()
 *
 * A cursor that ran past its end stays bad: it delivers zeros, and nothing read since counts.  So
 * read a record, then check `bad` once; but check it before a value becomes a count, an offset or
 * the size of an allocation.
 */
#ifndef JFREC_BASE_CURSOR_H
#define JFREC_BASE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/highest_bits.h"

struct cursor {
	const uint8_t *pos, *end;
	bool bad;
};

static inline struct cursor cursor_over(const void *bytes, uint64_t len)
{
	return (struct cursor){ .pos = bytes, .end = (const uint8_t *)bytes + len };
}

static inline uint64_t cursor_left(const struct cursor *c)
{
	return (uint64_t)(c->end - c->pos);
}

static inline void cursor_spoil(struct cursor *c)
{
	c->bad = true;
	c->pos = c->end;
}

/* Take the next n bytes, or NULL. */
static inline const uint8_t *cursor_take(struct cursor *c, uint64_t n)
{
	const uint8_t *p = c->pos;

	if (n > cursor_left(c)) {
		cursor_spoil(c);
		return NULL;
	}
	c->pos += n;
	return c->bad ? NULL : p;
}

/* Go back to, or ahead to, a place inside the same bytes. */
static inline void cursor_seek(struct cursor *c, const uint8_t *start, uint64_t offset)
{
	if (offset > (uint64_t)(c->end - start))
		cursor_spoil(c);
	else
		c->pos = start + offset;
}

static inline uint8_t cursor_u8(struct cursor *c)
{
	const uint8_t *p = cursor_take(c, 1);

	return p ? *p : 0;
}

static inline uint16_t be16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t be32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return __builtin_bswap32(v);
}

static inline uint64_t be64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return __builtin_bswap64(v);
}

static inline uint32_t cursor_be32(struct cursor *c)
{
	const uint8_t *p = cursor_take(c, 4);

	return p ? be32(p) : 0;
}

static inline uint64_t cursor_be64(struct cursor *c)
{
	const uint8_t *p = cursor_take(c, 8);

	return p ? be64(p) : 0;
}

/* The most bytes a varint takes: eight of 7 bits, then one of 8. */
#define VARINT_MAX 9

struct varint {
	uint64_t value;
	const uint8_t *end; /* of its bytes; NULL if they end before it does */
};

/*
 * Any varint: of nine bytes, or near the end, where each byte must be asked for.
 * It comes in registers, and so the cursors of loops can stay in theirs.
 */
struct varint varint_read(const uint8_t *pos, const uint8_t *end);

/* Step over one; eight bytes can be read from pos.  Its end may lie one byte after these. */
static inline const uint8_t *varint_step(const uint8_t *pos)
{
	uint64_t eight, ends;

	memcpy(&eight, pos, sizeof(eight));
	ends = ~eight & UINT64_C(0x8080808080808080);
	return pos + (ends ? __builtin_ctzll(ends) / 8 + 1 : VARINT_MAX);
}

/* Step over n of them. NULL if the bytes end before they do. */
const uint8_t *varints_skip(const uint8_t *pos, const uint8_t *end, uint64_t n);

/* Most texts are short, and have a byte for each letter. */
static inline void cursor_skip_varints(struct cursor *c, uint64_t n)
{
	const uint8_t *pos = c->pos;

	if (n < HIGHEST_BITS_STEP && cursor_left(c) >= HIGHEST_BITS_STEP &&
	    !(highest_bits(pos, HIGHEST_BITS_STEP) & ((1u << n) - 1)))
		pos += n;
	else
		pos = varints_skip(pos, c->end, n);
	if (pos)
		c->pos = pos;
	else
		cursor_spoil(c);
}

static inline uint64_t cursor_varint_slow(struct cursor *c)
{
	struct varint v = varint_read(c->pos, c->end);

	if (v.end)
		c->pos = v.end;
	else
		cursor_spoil(c);
	return v.value;
}

/*
 * LEB128 of at most nine bytes; the ninth has no continuation bit but eight
 * bits of value.  0 once the cursor is bad.
 *
 * Byte by byte, since the lengths of one field's values are much alike and so
 * predicted; putting bytes together without branches waits for each step.
 */
static inline __attribute__((always_inline)) uint64_t cursor_varint(struct cursor *c)
{
	const uint8_t *p = c->pos;
	uint64_t v = 0;

	if (__builtin_expect(c->end - p < VARINT_MAX, 0))
		return cursor_varint_slow(c);
#define VARINT_BYTE(i)                             \
	v |= (uint64_t)(p[i] & 0x7f) << (7 * (i)); \
	if (p[i] < 0x80) {                         \
		c->pos = p + (i) + 1;              \
		return v;                          \
	}
	VARINT_BYTE(0)
	VARINT_BYTE(1)
	VARINT_BYTE(2)
	VARINT_BYTE(3)
	VARINT_BYTE(4)
	VARINT_BYTE(5)
#undef VARINT_BYTE
	return cursor_varint_slow(c);
}

#endif
