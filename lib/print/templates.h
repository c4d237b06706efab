/* SPDX-License-Identifier: MIT */
/*
 * templates.h - the templates of a chunk's types, made on first use
 */
#ifndef JFREC_PRINT_TEMPLATES_H
#define JFREC_PRINT_TEMPLATES_H

#include "print/render.h"

/* Make the template of an event type. NULL when memory is gone. */
struct op *make_event_template(struct shapes *s, const struct jfrec_type *t);

/* The template of an event type; NULL when memory is gone. */
static inline struct op *shapes_event(struct shapes *s, const struct jfrec_type *t)
{
	struct op *ops = SHARED_GET(s->events[t->index]);

	return ops ? ops : make_event_template(s, t);
}

/* The template of the lines that a contextual event lends to others. */
struct op *shapes_context(struct shapes *s, const struct jfrec_type *t);

/* The template of a site; NULL when memory is gone. */
struct op *site_ops(struct shapes *shapes, const struct site *s);

#endif
