/* SPDX-License-Identifier: MIT */
/*
 * selected.h - select the events to print
 */
#ifndef JFREC_PRINT_SELECTED_H
#define JFREC_PRINT_SELECTED_H

#include "format/event_time.h"
#include "print/render.h"

/*
 * Does the event touch the span of time that is to be printed?  If so *ticks
 * is set.  One that cannot be decoded does not, which is noted.
 */
static inline bool is_in_span(struct render *r, const struct chunk_render *v,
			      const struct jfrec_type *t, const struct raw_event *e,
			      struct ticks *ticks)
{
	return event_ticks(v->chunk, t, e, r->slots, ticks) &&
	       ticks_touch(ticks, &v->chunk->clock, &r->bounds);
}

/* Does it pass the filters on fields?  As above. */
static inline bool passes_filters(struct render *r, const struct chunk_render *v,
				  const struct jfrec_type *t, const struct raw_event *e)
{
	return source_passes(r->source, v->chunk, t, e, r->slots);
}

/* Is it to be printed: is its type selected, and does it pass both tests? */
static inline bool is_selected(struct render *r, const struct chunk_render *v,
			       const struct jfrec_type *t, const struct raw_event *e,
			       struct ticks *ticks)
{
	return v->selected[t->index] && is_in_span(r, v, t, e, ticks) && passes_filters(r, v, t, e);
}

#endif
