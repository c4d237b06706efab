/* SPDX-License-Identifier: MIT */
/*
 * fit.h - check that an event has enough bytes for its fields
 *
 * The only thing in an event that can be checked: a JVM leaves no byte over.
 */
#ifndef JFREC_FORMAT_FIT_H
#define JFREC_FORMAT_FIT_H

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "format/plan.h"
#include "format/walk.h"

/* Events of more bytes are stepped through varint by varint. */
#define FILL_MAX 64

/* So many bytes are read at once. */
#define FILL_STEP 16

/* Which of the bytes, 64 at most, have their highest bit set.  The last step may reach beyond them. */
static inline uint64_t highest_bits(const uint8_t *pos, unsigned count)
{
	uint64_t bits = 0;

#ifdef __SSE2__
	for (unsigned i = 0; i < count; i += FILL_STEP) {
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

/* Where eight bits in a row begin: the beginnings of varints of nine bytes, and what follows them. */
static inline uint64_t eight_in_a_row(uint64_t bits)
{
	bits &= bits >> 1;
	bits &= bits >> 2;
	return bits & bits >> 4;
}

/*
 * Do n varints fill these bytes, FILL_MAX at most, behind which FILL_STEP more can be read?  Each has
 * one byte below 0x80, its last; but a ninth byte, as that of a negative number, is always the last.
 */
static inline bool varints_fill(const uint8_t *pos, const uint8_t *stop, unsigned n)
{
	unsigned size = (unsigned)(stop - pos);
	uint64_t go_on, nines;

	if (size == 0)
		return n == 0;
	go_on = highest_bits(pos, size) & UINT64_MAX >> (64 - size);
	while ((nines = eight_in_a_row(go_on))) {
		unsigned first = (unsigned)__builtin_ctzll(nines);

		if (first + VARINT_MAX > size)
			return false;
		/* Taken for nine of one byte, of which eight were not expected. */
		go_on &= ~(UINT64_C(0x1ff) << first);
		n += VARINT_MAX - 1;
	}
	return go_on >> (size - 1) == 0 && size - count_bits(go_on) == n;
}

/* `end` is that of the chunk: what lies behind the event may be read, for speed. */
static inline bool fits_type(const struct jfrec_type *t, const struct raw_event *e,
			     const uint8_t *end)
{
	const struct plan *plan = plan_of(t);
	const uint8_t *stop = e->start + e->size;
	struct cursor payload;

	if (plan->only_varints && !plan->fault) {
		if (stop - e->payload <= FILL_MAX && end - stop >= FILL_STEP)
			return varints_fill(e->payload, stop, plan->step_count);
		return varints_skip(e->payload, end, plan->step_count) == stop;
	}
	payload = event_payload(e, end);
	return !plan->fault && plan_skip(plan, &payload) && payload.pos == stop;
}

/* The declared type of an event whose bytes are those of its fields; else NULL. */
static inline struct jfrec_type *fitting_type(const struct metadata *m, const struct raw_event *e,
					      const uint8_t *end)
{
	struct jfrec_type *t = metadata_type(m, e->type_id);

	return t && t->is_event && fits_type(t, e, end) ? t : NULL;
}

/* What is larger is seldom, and in damaged bytes it would jump over much. */
#define LARGE_EVENT 256

/*
 * The same as far as it costs little, for all events of a chunk: of strings and arrays in small ones
 * only the least length is known.
 */
static inline bool may_fit(const struct metadata *m, const struct raw_event *e, const uint8_t *end)
{
	const struct jfrec_type *t = metadata_type(m, e->type_id);
	const struct plan *plan;

	if (!t || !t->is_event)
		return false;
	plan = plan_of(t);
	if (plan->only_varints || e->size > LARGE_EVENT)
		return fits_type(t, e, end);
	return !plan->fault && e->size - (uint64_t)(e->payload - e->start) >= plan->min_size;
}

#endif
