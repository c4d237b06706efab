/* SPDX-License-Identifier: MIT */
/*
 * selected.c - select the events to print
 */
#include "print/selected.h"

bool is_in_span(struct render *r, const struct chunk_render *v, const struct jfrec_type *t,
		const struct raw_event *e, struct ticks *ticks)
{
	return event_ticks(v->chunk, t, e, r->slots, ticks) &&
	       ticks_touch(ticks, &v->chunk->clock, &r->bounds);
}

bool passes_filters(struct render *r, const struct chunk_render *v, const struct jfrec_type *t,
		    const struct raw_event *e)
{
	return source_passes(r->source, v->chunk, t, e, r->slots);
}
