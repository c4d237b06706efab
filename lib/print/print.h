/* SPDX-License-Identifier: MIT */
/*
 * print.h - print a recording, chunk by chunk
 */
#ifndef JFREC_PRINT_PRINT_H
#define JFREC_PRINT_PRINT_H

#include "print/formats.h"

/* Make the next chunk the render's view. As source_next(). */
int print_next_chunk(struct render *r, struct jfrec_error *err);

/* All events ordered by end time, in a window of a million. 0, or -1 with *err set. */
int print_by_window(struct render *r, struct jfrec_error *err);

/* Those that options->by_field selects, in its order. 0, or -1 with *err set. */
int print_by_field(struct render *r, const struct jfrec_print_options *options,
		   struct jfrec_error *err);

/* Print an event of r->current; one that cannot be decoded is noted. */
void print_event(struct render *r, const struct jfrec_type *t, const struct raw_event *e);

/* The same for one whose slots are in r->slots. */
void print_slots(struct render *r, const struct jfrec_type *t);

/* Print the number of the selected events, and nothing else.  0, or -1 with *err set. */
int print_count(struct render *r, struct jfrec_error *err);

/* Nothing more is to be printed: enough was, it cannot be, or the caller said so. */
static inline bool is_finished(const struct render *r)
{
	return r->left == 0 || r->out.error || r->failure.code || *r->stop;
}

#endif
