/* SPDX-License-Identifier: MIT */
/*
 * event_time.c - read when an event began and ended, without decoding the rest
 */
#include "format/event_time.h"

#include <inttypes.h>

bool event_ticks_decoded(struct chunk *c, const struct jfrec_type *t, const struct raw_event *e,
			 uint64_t *slots, struct ticks *ticks)
{
	const struct plan *plan = plan_of(t);

	if (!chunk_decode(c, t, e, slots))
		return false;
	ticks->start = plan->start_step == PLAN_NO_STEP ? 0 : (int64_t)slots[plan->start_step];
	ticks->end = ticks->start;
	if (plan->duration_step != PLAN_NO_STEP)
		ticks->end = long_add(ticks->start, (int64_t)slots[plan->duration_step]);
	return true;
}

/* Ends beyond this are of damaged events. */
#define LONGEST_NS (INT64_C(366) * 86400 * 1000000000)

static bool refers_to_constants(const struct jfrec_type *t)
{
	for (unsigned i = 0; i < t->field_count; i++) {
		if (t->fields[i].constant)
			return true;
	}
	return false;
}

/* How long after the chunk's start the event ended; 0: that is not known. */
static int64_t end_of(struct chunk *c, struct jfrec_type *t, const struct raw_event *e)
{
	uint64_t slots[PLAN_MAX_STEPS];
	struct ticks ticks;
	int64_t ns;

	if (plan_of(t)->fault || !event_ticks(c, t, e, slots, &ticks))
		return 0;
	ns = long_subtract(clock_time_ns(&c->clock, ticks.end), c->info.start_ns);
	return ns < LONGEST_NS ? ns : 0;
}

void chunk_measure(struct chunk *c)
{
	struct chunk_walk walk = chunk_walk(c);
	bool lacks_constants = false;
	int64_t length = 0;
	struct raw_event e;

	if (c->info.state == JFREC_FINISHED || c->growing ||
	    (c->info.duration_ns > 0 && c->anchor_count))
		return;
	walk.is_quiet = true;
	while (chunk_walk_any(&walk, &e)) {
		struct jfrec_type *t = metadata_type(c->metadata, e.type_id);
		int64_t end = t && t->is_event ? end_of(c, t, &e) : 0;

		length = end > length ? end : length;
		lacks_constants |= !c->anchor_count && t && t->is_event && refers_to_constants(t);
	}
	if (c->info.duration_ns <= 0)
		c->info.duration_ns = length;
	if (lacks_constants)
		problem_damage(c->problems, c->extent.offset, 0,
			       "chunk %" PRIu64 " at byte %" PRIu64 ": none of its constants were "
			       "written before it ended; threads, stacks and most texts are missing "
			       "in all of its events",
			       c->extent.number, c->extent.offset);
}
