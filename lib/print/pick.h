/* SPDX-License-Identifier: MIT */
/*
 * pick.h - select the events to print
 */
#ifndef JFREC_PRINT_PICK_H
#define JFREC_PRINT_PICK_H

#include "format/event_time.h"
#include "print/render.h"

/*
 * Does the event touch the span of time that is to be printed?  If so *ticks
 * is set.  One that cannot be decoded does not, which is noted.
 */
bool is_in_span(struct render *r, const struct chunk_render *v, const struct jfrec_type *t,
		const struct raw_event *e, struct ticks *ticks);

/* Are its fields as the caller wants them?  As above. */
bool is_matched(struct render *r, const struct chunk_render *v, const struct jfrec_type *t,
		const struct raw_event *e);

/* Is it to be printed: is its type wanted, and does it pass both? */
static inline bool is_picked(struct render *r, const struct chunk_render *v,
			     const struct jfrec_type *t, const struct raw_event *e,
			     struct ticks *ticks)
{
	return v->wanted[t->index] && is_in_span(r, v, t, e, ticks) && is_matched(r, v, t, e);
}

#endif
