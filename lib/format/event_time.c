/* SPDX-License-Identifier: MIT */
/*
 * event_time.c - read when an event began and ended, without decoding the rest
 */
#include "format/event_time.h"

/*
 * All JVMs put startTime and duration first; where a producer does not, the
 * event is decoded for them.
 */
bool event_ticks(struct chunk *c, const struct jfrec_type *t, const struct raw_event *e,
		 uint64_t *slots, struct ticks *ticks)
{
	const struct plan *plan = plan_of(t);
	struct cursor at = event_payload(e, c->end);

	if (plan->start_step == 0 &&
	    (plan->duration_step == 1 || plan->duration_step == PLAN_NO_STEP)) {
		ticks->start = (int64_t)cursor_varint(&at);
		ticks->end = ticks->start;
		if (plan->duration_step == 1)
			ticks->end = long_add(ticks->start, (int64_t)cursor_varint(&at));
		return true;
	}
	if (!chunk_decode(c, t, e, slots))
		return false;
	ticks->start = plan->start_step == PLAN_NO_STEP ? 0 : (int64_t)slots[plan->start_step];
	ticks->end = ticks->start;
	if (plan->duration_step != PLAN_NO_STEP)
		ticks->end = long_add(ticks->start, (int64_t)slots[plan->duration_step]);
	return true;
}
