/* SPDX-License-Identifier: MIT */
/*
 * first_slots.c - decode only the first values of events, where the others are not read
 */
#include "format/first_slots.h"

#include <string.h>

/* Where an end is if it is known: by its last bytes, which differ the most. */
static inline struct fitting_end *place_of_end(struct fitting_ends *ends,
					       const struct fitting_end *end)
{
	uint64_t last;

	if (end->len < sizeof(last))
		return NULL;
	memcpy(&last, end->bytes + end->len - sizeof(last), sizeof(last));
	return &ends->known[last * 0x9e3779b97f4a7c15u >> 56];
}

/*
 * Where it is lies in variables here, not in a cursor whose address is taken, which would be stored
 * and loaded again for each value.
 */

static __attribute__((noinline)) bool rest_fits(const struct plan *p, unsigned count,
						const struct raw_event *e, const uint8_t *pos,
						const uint8_t *end)
{
	struct cursor at = { .pos = pos, .end = end };

	return plan_skip_rest(p, count, &at) && !event_overran(e, &at);
}

/* Do the values after the first slots, which end at `pos`, fit? */
static inline bool end_fits(const struct plan *p, unsigned count, const struct raw_event *e,
			    const uint8_t *pos, const uint8_t *end, struct fitting_ends *ends)
{
	struct fitting_end last = { p->steps + count, pos, (size_t)(e->start + e->size - pos) };
	struct fitting_end *known;

	if (count == p->step_count)
		return true;
	known = place_of_end(ends, &last);
	if (known && known->steps == last.steps && known->len == last.len &&
	    memcmp(known->bytes, last.bytes, last.len) == 0)
		return true;
	if (!rest_fits(p, count, e, pos, end))
		return false;
	if (known)
		*known = last;
	return true;
}

static __attribute__((noinline)) const uint8_t *decode_others(const struct plan *p, unsigned first,
							      unsigned count, const uint8_t *pos,
							      const uint8_t *end, uint64_t *slots)
{
	struct cursor at = { .pos = pos, .end = end };

	return plan_decode_some(p, first, count, &at, slots) ? at.pos : NULL;
}

/*
 * Where the first slots end, or NULL. Times, threads and stacks come first, and are often all that
 * is asked for.
 */
static inline const uint8_t *decode_first(const struct plan *p, unsigned count, struct cursor at,
					  uint64_t *slots)
{
	unsigned longs = count < p->leading_longs ? count : p->leading_longs;

	for (unsigned i = 0; i < longs; i++)
		slots[i] = cursor_varint(&at);
	if (at.bad)
		return NULL;
	return longs < count ? decode_others(p, longs, count, at.pos, at.end, slots) : at.pos;
}

bool chunk_decode_first(struct chunk *c, const struct jfrec_type *t, const struct raw_event *e,
			unsigned count, struct fitting_ends *ends, uint64_t *slots)
{
	const struct plan *plan = plan_of(t);
	struct cursor payload = event_payload(e, c->end);
	const uint8_t *pos = plan->fault ? NULL : decode_first(plan, count, payload, slots);

	if (pos && pos <= e->start + e->size && end_fits(plan, count, e, pos, payload.end, ends))
		return true;
	chunk_note_misfit(c, t, e);
	return false;
}
