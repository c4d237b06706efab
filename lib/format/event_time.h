/* SPDX-License-Identifier: MIT */
/*
 * event_time.h - read when an event began and ended, without decoding the rest
 */
#ifndef JFREC_FORMAT_EVENT_TIME_H
#define JFREC_FORMAT_EVENT_TIME_H

#include "format/chunk.h"

/* The ticks at which an event began and ended. */
struct ticks {
	int64_t start, end;
};

/* event_ticks() of an event in which others come first: it is decoded. */
bool event_ticks_decoded(struct chunk *c, const struct jfrec_type *t, const struct raw_event *e,
			 uint64_t *slots, struct ticks *ticks);

/*
 * Read them from the event's bytes.  Slots of plan_of(t)->step_count may be
 * used.  False if they cannot be decoded, which is noted.
 *
 * All JVMs put startTime and duration first.
 */
static inline bool event_ticks(struct chunk *c, const struct jfrec_type *t,
			       const struct raw_event *e, uint64_t *slots, struct ticks *ticks)
{
	const struct plan *plan = plan_of(t);
	struct cursor at = event_payload(e, c->end);

	if (plan->start_step != 0 ||
	    (plan->duration_step != 1 && plan->duration_step != PLAN_NO_STEP))
		return event_ticks_decoded(c, t, e, slots, ticks);
	ticks->start = (int64_t)cursor_varint(&at);
	ticks->end = ticks->start;
	if (plan->duration_step == 1)
		ticks->end = long_add(ticks->start, (int64_t)cursor_varint(&at));
	return true;
}

/*
 * Of a chunk whose header was never finished: take its length from its events, where the header has
 * none, and tell if none of its constants were written, as async-profiler writes them last.
 */
void chunk_measure(struct chunk *c);

/* Points in time, in ns since 1970; the least and the greatest mean: no bound. */
struct bounds {
	int64_t from_ns, to_ns;
};

/* NULL: no bound. */
static inline struct bounds bounds_of(const int64_t *from_ns, const int64_t *to_ns)
{
	return (struct bounds){ from_ns ? *from_ns : INT64_MIN, to_ns ? *to_ns : INT64_MAX };
}

/* Did the event end at the first bound or later, and begin before the second? */
static inline bool ticks_touch(const struct ticks *ticks, const struct clock *clock,
			       const struct bounds *b)
{
	if (b->from_ns != INT64_MIN && clock_time_ns(clock, ticks->end) < b->from_ns)
		return false;
	return b->to_ns == INT64_MAX || clock_time_ns(clock, ticks->start) < b->to_ns;
}

#endif
