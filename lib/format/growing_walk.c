/* SPDX-License-Identifier: MIT */
/*
 * growing_walk.c - step from event to event in a chunk that a JVM writes
 *
 * Size and type of an event are read in the window of live_buffer.h.  Only an event that is wanted
 * is copied to its address, which is where a struct raw_event points.
 */
#include "format/chunk.h"

/* The bytes from there on that are in the window, as far as the walk goes. */
static struct cursor look(const struct chunk *c, const struct cursor *at)
{
	struct cursor window = growing_look(c->growing, (uint64_t)(at->pos - c->bytes));

	if (cursor_left(&window) > cursor_left(at))
		window = cursor_over(window.pos, cursor_left(at));
	return window;
}

int chunk_step_growing(const struct chunk *c, struct cursor *at, struct raw_event *e)
{
	struct cursor window = look(c, at), rest;
	uint64_t size, type_id, head;

	if (cursor_left(at) == 0)
		return 0;
	rest = walk_head(window, &size, &type_id);
	head = (uint64_t)(rest.pos - window.pos);
	if (rest.bad || size < head || size > cursor_left(at) ||
	    !growing_walk(c->growing, (uint64_t)(at->pos - c->bytes), size))
		return -1;
	e->start = cursor_take(at, head);
	e->payload = at->pos;
	e->size = size;
	e->type_id = type_id;
	cursor_take(at, size - head);
	return 1;
}

static bool is_passed_over(const struct metadata *m, const bool *selected, uint64_t id)
{
	const struct jfrec_type *t = id > TYPE_CHECKPOINT ? metadata_type(m, id) : NULL;

	return t && t->is_event && !selected[t->index];
}

bool chunk_step_over(struct chunk_walk *w, const bool *selected)
{
	const struct chunk *c = w->chunk;
	struct cursor at = look(c, &w->at);
	const uint8_t *first = at.pos, *next = first, *last = NULL;
	uint64_t passed = 0; /* the type of `last` */
	struct raw_event e;

	/* Events of a type come in rows. */
	while (walk_next(&at, &e) == 1 &&
	       ((last && e.type_id == passed) ||
		is_passed_over(c->metadata, selected, e.type_id))) {
		passed = e.type_id;
		last = e.start;
		next = at.pos;
	}
	if (!last)
		return false;
	cursor_take(&w->at, (uint64_t)(last - first));
	w->last = w->at.pos;
	cursor_take(&w->at, (uint64_t)(next - last));
	return true;
}
