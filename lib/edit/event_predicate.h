/* SPDX-License-Identifier: MIT */
/*
 * event_predicate.h - decide which events stay
 */
#ifndef JFREC_EDIT_EVENT_PREDICATE_H
#define JFREC_EDIT_EVENT_PREDICATE_H

#include "format/event_time.h"
#include "read/reader.h"

struct keep {
	struct jfrec_reader *reader;
	struct bounds bounds;
	struct chunk *chunk; /* at hand */
};

/* Can events of the type stay? */
static inline bool keeps_type(const struct keep *k, const struct jfrec_type *t)
{
	return reader_wants(k->reader, t);
}

static inline bool keep_is_bounded(const struct keep *k)
{
	return k->bounds.from_ns != INT64_MIN || k->bounds.to_ns != INT64_MAX;
}

/* Does every event of the type stay?  Then keeps_event() need not be asked. */
static inline bool keeps_all(const struct keep *k, const struct jfrec_type *t)
{
	return keeps_type(k, t) && !keep_is_bounded(k) &&
	       (!k->reader->where || where_passes_all(k->reader->where, t));
}

/* Does the event stay?  slots: room for those of its type. */
static inline bool keeps_event(const struct keep *k, const struct jfrec_type *t,
			       const struct raw_event *e, uint64_t *slots)
{
	struct where *w = k->reader->where;
	struct ticks ticks;

	if (keep_is_bounded(k) && (!event_ticks(k->chunk, t, e, slots, &ticks) ||
				   !ticks_touch(&ticks, &k->chunk->clock, &k->bounds)))
		return false;
	return !w || where_passes(w, k->chunk, t, e, slots);
}

#endif
