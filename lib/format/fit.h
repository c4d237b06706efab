/* SPDX-License-Identifier: MIT */
/*
 * fit.h - check that an event has enough bytes for its fields
 *
 * The only thing in an event that can be checked: a JVM leaves no byte over.
 */
#ifndef JFREC_FORMAT_FIT_H
#define JFREC_FORMAT_FIT_H

#include "format/plan.h"
#include "format/walk.h"

/*
 * Do n varints fill these bytes, of which eight more can be read?  Each has one byte below 0x80, its last;
 * where its ninth byte is not, varints_skip() knows.
 */
static inline bool varints_fill(const uint8_t *pos, const uint8_t *stop, unsigned n)
{
	const uint64_t highest = 0x8080808080808080u, lowest = highest >> 7;
	uint64_t eight, count = 0;

	if (pos == stop || stop[-1] >= 0x80)
		return n == 0 && pos == stop;
	for (; stop - pos > 8; pos += 8) {
		memcpy(&eight, pos, sizeof(eight));
		count += ((~eight & highest) >> 7) * lowest >> 56;
	}
	memcpy(&eight, pos, sizeof(eight));
	count += ((~eight & highest) << (8 * (8 - (stop - pos))) >> 7) * lowest >> 56;
	return count == n;
}

/* `end` is that of the chunk: what lies behind the event may be read, for speed. */
static inline bool fits_type(const struct jfrec_type *t, const struct raw_event *e,
			     const uint8_t *end)
{
	const struct plan *plan = plan_of(t);
	const uint8_t *stop = e->start + e->size;
	struct cursor payload;

	if (plan->only_varints && !plan->fault)
		return (end - stop >= 8 && varints_fill(e->payload, stop, plan->step_count)) ||
		       varints_skip(e->payload, end, plan->step_count) == stop;
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
