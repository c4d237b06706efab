/* SPDX-License-Identifier: MIT */
/*
 * event_predicate.h - decide which events stay
 */
#ifndef JFREC_EDIT_EVENT_PREDICATE_H
#define JFREC_EDIT_EVENT_PREDICATE_H

#include "format/event_time.h"
#include "read/chunk_source.h"

struct event_predicate {
	struct chunk_source *source;
	struct bounds bounds;
	struct chunk *chunk; /* at hand */
};

/* Can events of the type stay? */
static inline bool event_predicate_selects_type(const struct event_predicate *k,
						const struct jfrec_type *t)
{
	return source_selects(k->source, t);
}

static inline bool event_predicate_is_bounded(const struct event_predicate *k)
{
	return k->bounds.from_ns != INT64_MIN || k->bounds.to_ns != INT64_MAX;
}

/* Does every event of the type stay?  Then event_predicate_selects() need not be asked. */
static inline bool event_predicate_selects_all(const struct event_predicate *k,
					       const struct jfrec_type *t)
{
	return event_predicate_selects_type(k, t) && !event_predicate_is_bounded(k) &&
	       source_passes_all(k->source, t);
}

/* Does the event stay?  slots: room for those of its type. */
static inline bool event_predicate_selects(const struct event_predicate *k,
					   const struct jfrec_type *t, const struct raw_event *e,
					   uint64_t *slots)
{
	struct ticks ticks;

	if (event_predicate_is_bounded(k) && (!event_ticks(k->chunk, t, e, slots, &ticks) ||
					      !ticks_touch(&ticks, &k->chunk->clock, &k->bounds)))
		return false;
	return source_passes(k->source, k->chunk, t, e, slots);
}

#endif
