/* SPDX-License-Identifier: MIT */
/*
 * pick.c - when an event was, and whether that is wanted
 */
#include "print/pick.h"

#include "format/reader.h"

/*
 * All JVMs put startTime and duration first; where a producer does not, the
 * event is decoded for them.
 */
static bool event_ticks(struct render *r, const struct view *v, const struct jfrec_type *t,
			const struct raw_event *e, struct ticks *ticks)
{
	const struct plan *plan = plan_of(t);
	struct cursor c = event_payload(e, v->chunk->end);

	if (plan->start_step == 0 &&
	    (plan->duration_step == 1 || plan->duration_step == PLAN_NO_STEP)) {
		ticks->start = (int64_t)cursor_varint(&c);
		ticks->end = ticks->start;
		if (plan->duration_step == 1)
			ticks->end = long_add(ticks->start, (int64_t)cursor_varint(&c));
		return true;
	}
	if (!chunk_decode(v->chunk, t, e, r->slots))
		return false;
	ticks->start = plan->start_step == PLAN_NO_STEP ? 0 : (int64_t)r->slots[plan->start_step];
	ticks->end = ticks->start;
	if (plan->duration_step != PLAN_NO_STEP)
		ticks->end = long_add(ticks->start, (int64_t)r->slots[plan->duration_step]);
	return true;
}

static bool touches_span(const struct render *r, const struct view *v, const struct ticks *ticks)
{
	const struct clock *clock = &v->chunk->clock;

	if (r->from_ns != INT64_MIN && clock_time_ns(clock, ticks->end) < r->from_ns)
		return false;
	return r->to_ns == INT64_MAX || clock_time_ns(clock, ticks->start) < r->to_ns;
}

bool is_in_span(struct render *r, const struct view *v, const struct jfrec_type *t,
		const struct raw_event *e, struct ticks *ticks)
{
	return event_ticks(r, v, t, e, ticks) && touches_span(r, v, ticks);
}

bool is_matched(struct render *r, const struct view *v, const struct jfrec_type *t,
		const struct raw_event *e)
{
	struct where *w = r->reader->where;

	return !w || where_passes(w, v->chunk, t, e, r->slots);
}
