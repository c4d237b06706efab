/* SPDX-License-Identifier: MIT */
/*
 * fit.h - check that an event has enough bytes for its fields
 *
 * The only thing in an event that can be checked: a JVM leaves no byte over.
 */
#ifndef JFREC_FORMAT_FIT_H
#define JFREC_FORMAT_FIT_H

#include "base/highest_bits.h"
#include "format/plan.h"
#include "format/walk.h"

/* Events of more bytes are stepped through varint by varint. */
#define FILL_MAX 64

/* They are read so many at a time, and so this many after them are read, too. */
#define FILL_STEP (2 * HIGHEST_BITS_STEP)

/*
 * Do n varints fill these bytes, FILL_MAX at most, after which FILL_STEP more can be read?  Each
 * has one byte below 0x80, its last; but a ninth byte, as that of a negative number, is always the
 * last.
 */
static inline bool varints_fill(const uint8_t *pos, const uint8_t *stop, unsigned n)
{
	unsigned size = (unsigned)(stop - pos);
	uint64_t go_on, nines;

	if (size == 0)
		return n == 0;
	/* A constant number of steps is no loop. */
	go_on = highest_bits(pos, FILL_STEP);
	if (size > FILL_STEP)
		go_on |= highest_bits(pos + FILL_STEP, FILL_STEP) << FILL_STEP;
	go_on &= UINT64_MAX >> (64 - size);
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

/* `end` is that of the chunk: what lies after the event may be read, for speed. */
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
 * The same as far as it costs little, for all events of a chunk: of strings and arrays in small
 * ones only the least length is known.
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
