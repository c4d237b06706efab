/* SPDX-License-Identifier: MIT */
/*
 * window.c - print events in order of time across chunks
 *
 * As the JDK's text: a heap keeps a million events back, so whatever was
 * written that much later than its time still finds its place.  Where several
 * ended in the same nanosecond the heap's own order shows, and is the JDK's.
 */
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "print/contexts.h"
#include "print/jdk_heap.h"
#include "print/print.h"
#include "print/selected.h"

#define WINDOW 1000000
#define BATCH  4096

/* Chunks whose bytes stay in memory while their events wait; small ones may be thousands. */
#define VIEWS_AT_HAND 64

/* What is to be done when the time of an item in the heap comes. */
enum action { OPEN_CONTEXT, CLOSE_CONTEXT, PRINT_EVENT };

/* A chunk of which items wait. */
struct view {
	struct chunk_render *render; /* NULL: none do any more */
	uint64_t waiting;	     /* and one more while it is walked over */
};

/* The text waits in a heap: items name an event by its chunk's number and its offset in it. */
struct window {
	struct render *r;
	struct heap heap;
	struct view *views; /* by number */
	uint32_t view_count, view_room;
	uint32_t waiting_views; /* those that have a render */
	struct contexts *contexts;
	/*
	 * What has left the heap.  It is done in batches: the heap and the printing
	 * each want the caches for themselves, and got in each other's way.
	 */
	struct heap_ref batch[BATCH];
	size_t batch_count;
};

static int window_add_view(struct window *w, struct chunk_render *v)
{
	if (w->view_count > HEAP_MAX_CHUNK || v->chunk->extent.size > HEAP_MAX_OFFSET)
		return -1;
	if (!array_push(w->views, w->view_count, w->view_room, ((struct view){ v, 1 })))
		return -1;
	w->waiting_views++;
	return 0;
}

static void window_leave(struct window *w, uint32_t number)
{
	struct view *v = &w->views[number];

	if (--v->waiting)
		return;
	chunk_render_unref(w->r, v->render);
	v->render = NULL;
	w->waiting_views--;
}

static int window_offer(struct window *w, int64_t ticks, enum action action, const uint8_t *start)
{
	struct chunk_render *v = w->r->current;
	struct heap_item item = {
		.ns = clock_time_ns(&v->chunk->clock, ticks),
		.ref.is_end = action != OPEN_CONTEXT,
		.ref.tag = action,
		.ref.chunk = w->view_count - 1,
		.ref.offset = (uint64_t)(start - v->chunk->bytes),
	};

	if (heap_offer(&w->heap, item) < 0)
		return -1;
	w->views[item.ref.chunk].waiting++;
	return 0;
}

static void window_do_context(struct window *w, struct chunk_render *v, struct heap_ref item)
{
	struct render *r = w->r;
	struct raw_event e;
	const struct jfrec_type *t = event_at(v->chunk, item.offset, &e);

	print_rest(r);
	r->current = v;
	r->slot_count = plan_of(t)->step_count;
	if (!chunk_decode(v->chunk, t, &e, r->slots))
		; /* chunk_tell_end() will tell */
	else if (item.tag == OPEN_CONTEXT)
		contexts_open(w->contexts, r, t, r->slots, item.chunk, item.offset);
	else
		contexts_close(w->contexts, r, t, r->slots, item.chunk, item.offset);
}

/* Do what an item says, whose time has come. The caller's thread alone knows the contexts. */
static void window_do(struct window *w, struct heap_ref item)
{
	struct chunk_render *v = w->views[item.chunk].render;

	if (item.tag != PRINT_EVENT)
		window_do_context(w, v, item);
	else if (w->contexts->open)
		print_event_at(w->r, v, item.offset);
	else
		print_in_turn(w->r, v, item.offset);
}

/* The event that an item is about is far from the last one: ask for its bytes early. */
static void window_prefetch(const struct window *w, size_t i)
{
	if (i < w->batch_count) {
		const struct heap_ref item = w->batch[i];

		__builtin_prefetch(w->views[item.chunk].render->chunk->bytes + item.offset);
	}
}

static void window_do_batch(struct window *w)
{
	for (size_t i = 0; i < w->batch_count; i++) {
		if (!w->r->crew)
			window_prefetch(w, i + 8);
		if (!is_finished(w->r))
			window_do(w, w->batch[i]);
		window_leave(w, w->batch[i].chunk);
	}
	w->batch_count = 0;
}

/* Take the earliest item from the heap. */
static void window_poll(struct window *w)
{
	w->batch[w->batch_count++] = heap_poll(&w->heap).ref;
	if (w->batch_count == BATCH)
		window_do_batch(w);
}

static int window_add_event(struct window *w, const struct jfrec_type *t, const struct raw_event *e)
{
	struct chunk_render *v = w->r->current;
	/* Only text shows the contexts of an event. */
	bool lends = t->is_contextual && w->r->format->context;
	struct ticks ticks;

	if ((!v->selected[t->index] && !lends) || !is_in_span(w->r, v, t, e, &ticks))
		return 0;
	if (lends && (window_offer(w, ticks.start, OPEN_CONTEXT, e->start) < 0 ||
		      window_offer(w, ticks.end, CLOSE_CONTEXT, e->start) < 0))
		return -1;
	if (!v->selected[t->index] || !passes_filters(w->r, v, t, e))
		return 0;
	return window_offer(w, ticks.end, PRINT_EVENT, e->start);
}

static int window_add_chunk(struct window *w)
{
	struct render *r = w->r;
	struct chunk_render *v = r->current;
	struct chunk_walk walk = chunk_walk(v->chunk);
	struct jfrec_type *t;
	struct raw_event e;

	while (!is_finished(r) && chunk_walk_next(&walk, &e, &t)) {
		if (window_add_event(w, t, &e) < 0)
			return -1;
		while (w->heap.count > WINDOW)
			window_poll(w);
		r->current = v;
	}
	return 0;
}

int print_by_window(struct render *r, struct jfrec_error *err)
{
	struct contexts contexts = { 0 };
	struct window w = { .r = r, .contexts = &contexts };
	int got = 0;

	r->contexts = &contexts;
	while (!is_finished(r) && (got = print_next_chunk(r, err)) > 0) {
		if (window_add_view(&w, r->current) < 0) {
			chunk_render_unref(r, r->current);
			got = jfrec_fail_memory(err);
			break;
		}
		if (window_add_chunk(&w) < 0)
			got = jfrec_fail_memory(err);
		print_rest(r);
		if (w.waiting_views > VIEWS_AT_HAND)
			span_rest(&w.views[w.view_count - 1].render->chunk->span);
		window_leave(&w, w.view_count - 1);
		if (got < 0)
			break;
	}
	while (w.heap.count && !is_finished(r))
		window_poll(&w);
	window_do_batch(&w);
	print_rest(r);
	for (uint32_t i = 0; i < w.view_count; i++)
		chunk_render_unref(r, w.views[i].render);
	free(w.views);
	heap_fini(&w.heap);
	contexts_fini(&contexts);
	return got;
}
