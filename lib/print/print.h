/* SPDX-License-Identifier: MIT */
/*
 * print.h - print a recording, chunk by chunk
 */
#ifndef JFREC_PRINT_PRINT_H
#define JFREC_PRINT_PRINT_H

#include "print/crew.h"
#include "print/formats.h"

/* Make the next chunk the render's view. As source_next(). */
int print_next_chunk(struct render *r, struct jfrec_error *err);

/* All events ordered by end time, in a window of a million. 0, or -1 with *err set. */
int print_by_window(struct render *r, struct jfrec_error *err);

/* Those that options->by_field selects, in its order. 0, or -1 with *err set. */
int print_by_field(struct render *r, const struct jfrec_print_options *options,
		   struct jfrec_error *err);

/* Print the event at that offset of the chunk; one that cannot be decoded is noted. */
void print_event_at(struct render *r, struct chunk_render *v, uint64_t offset);

/* Print one of r->current whose slots are in r->slots. */
void print_slots(struct render *r, const struct jfrec_type *t);

/* So many events were printed, by whomever: have it known how far this has come. */
void count_printed(struct render *r, uint64_t events);

/* The event at that offset, whose bytes are in memory, and its type. */
static inline const struct jfrec_type *event_at(const struct chunk *c, uint64_t offset,
						struct raw_event *e)
{
	struct cursor at = { .pos = c->bytes + offset, .end = c->end };

	*e = (struct raw_event){ .start = at.pos };
	walk_next(&at, e);
	return metadata_type(c->metadata, e->type_id);
}

/* The same as print_event_at() for each in turn, but by all threads of the crew if there is one. */
static inline void print_in_turn(struct render *r, struct chunk_render *v, uint64_t offset)
{
	if (r->crew)
		render_crew_add(r->crew, v, offset);
	else
		print_event_at(r, v, offset);
}

/* All events so far are printed. */
static inline void print_rest(struct render *r)
{
	if (r->crew)
		render_crew_finish(r->crew);
}

/* Print the number of the selected events, and nothing else.  0, or -1 with *err set. */
int print_count(struct render *r, struct jfrec_error *err);

/* Nothing more is to be printed: it cannot be, or the caller said so. */
static inline bool is_over(const struct render *r)
{
	return r->out.error || r->failure.code || *r->stop;
}

/* The same, or enough was: how many could be decoded is known once they are printed. */
static inline bool is_finished(struct render *r)
{
	if (r->left == 0)
		print_rest(r);
	return r->left == 0 || is_over(r);
}

#endif
