/* SPDX-License-Identifier: MIT */
/*
 * first_slots.c - decode only the first values of events, where the others are not read
 */
#include "format/first_slots.h"

#include <string.h>

/* Where an end is if it is known: by its last bytes, which differ the most. */
static inline struct fitting_end *place_of_end(struct fitting_ends *ends, const struct fitting_end *end)
{
	uint64_t last;

	if (end->len < sizeof(last))
		return NULL;
	memcpy(&last, end->bytes + end->len - sizeof(last), sizeof(last));
	return &ends->known[last * 0x9e3779b97f4a7c15u >> 56];
}

/* Do the values after the first slots, which end at `at`, fit? */
static inline bool end_fits(const struct plan *p, unsigned count, const struct raw_event *e,
		     struct cursor at, struct fitting_ends *ends)
{
	struct fitting_end end = { p->steps + count, at.pos,
				   (size_t)(e->start + e->size - at.pos) };
	struct fitting_end *known;

	if (count == p->step_count)
		return true;
	known = place_of_end(ends, &end);
	if (known && known->steps == end.steps && known->len == end.len &&
	    memcmp(known->bytes, end.bytes, end.len) == 0)
		return true;
	if (!plan_skip_rest(p, count, &at) || event_overran(e, &at))
		return false;
	if (known)
		*known = end;
	return true;
}

/* Times, threads and stacks come first, and are often all that is asked for. */
static inline bool decode_first(const struct plan *p, unsigned count, struct cursor *c,
				uint64_t *slots)
{
	unsigned longs = count < p->leading_longs ? count : p->leading_longs;
	struct cursor at = *c;

	for (unsigned i = 0; i < longs; i++)
		slots[i] = cursor_varint(&at);
	*c = at;
	return longs < count ? plan_decode_some(p, longs, count, c, slots) : !at.bad;
}

bool chunk_decode_first(struct chunk *c, const struct jfrec_type *t, const struct raw_event *e,
			unsigned count, struct fitting_ends *ends, uint64_t *slots)
{
	const struct plan *plan = plan_of(t);
	struct cursor payload = event_payload(e, c->end);
	bool can = !plan->fault && decode_first(plan, count, &payload, slots) &&
		   !event_overran(e, &payload) && end_fits(plan, count, e, payload, ends);

	if (!can)
		chunk_note_misfit(c, t, e);
	return can;
}
