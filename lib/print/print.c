/* SPDX-License-Identifier: MIT */
/*
 * print.c - from the chunks of a recording to a document
 */
#include <stdlib.h>

#include "base/error.h"
#include "format/reader.h"
#include "print/order.h"
#include "print/render.h"
#include "print/contexts.h"

/* The JDK's text keeps this many events back, to order them over chunks. */
#define TEXT_WINDOW 1000000

/* The ticks at which an event began and ended. */
struct ticks {
	int64_t start, end;
};

/*
 * Read them from the event's bytes.  All JVMs put startTime and duration first;
 * where a producer does not, the event is decoded for them.
 */
static bool event_ticks(struct render *r, const struct view *v, const struct jfrec_type *t,
			const struct raw_event *e, struct ticks *ticks)
{
	const struct plan *plan = plan_of(t);
	struct cursor c = event_payload(e, v->chunk->end);

	if (plan->start_step == 0 && (plan->duration_step == 1 || plan->duration_step == PLAN_NO_STEP)) {
		ticks->start = (int64_t)cursor_varint(&c);
		ticks->end = ticks->start;
		if (plan->duration_step == 1)
			ticks->end = long_add(ticks->start, (int64_t)cursor_varint(&c));
		return true;
	}
	if (!chunk_decode(v->chunk, t, e, r->slots))
		return false;
	ticks->start = plan->start_step == PLAN_NO_STEP ? 0 : (int64_t)r->slots[plan->start_step];
	ticks->end = ticks->start;
	if (plan->duration_step != PLAN_NO_STEP)
		ticks->end = long_add(ticks->start, (int64_t)r->slots[plan->duration_step]);
	return true;
}

/* Make the next chunk the render's view. As reader_next_chunk(). */
static int next_view(struct render *r, struct jfrec_reader *reader, struct jfrec_error *err)
{
	struct chunk *chunk;
	int got = reader_next_chunk(reader, &chunk, err);

	if (got <= 0)
		return got;
	r->view = view_new(r, chunk, reader_wanted(reader, chunk->metadata));
	return r->view ? 1 : jfrec_fail_memory(err);
}

/* JSON and XML ----------------------------------------------------------------------------------- */

static int index_chunk(struct render *r, struct sort_list *list)
{
	struct view *v = r->view;
	struct chunk_walk w = chunk_walk(v->chunk);
	struct jfrec_type *t;
	struct raw_event e;
	struct ticks ticks;

	list->count = 0;
	while (chunk_walk_next(&w, &e, &t)) {
		if (v->wanted[t->index] && event_ticks(r, v, t, &e, &ticks) &&
		    sort_add(list, ticks.end, (uint64_t)(e.start - v->chunk->bytes)) < 0)
			return -1;
	}
	return sort_items(list);
}

static void print_sorted(struct render *r, const struct sort_list *list, bool *first)
{
	const char *separator = r->format->separator;
	const uint8_t *bytes = r->view->chunk->bytes;
	struct chunk *c = r->view->chunk;

	for (size_t i = 0; i < list->count && !r->out.error; i++) {
		struct cursor at = { .pos = bytes + list->items[i].value, .end = c->end };
		struct jfrec_type *t;
		struct raw_event e;

		/* Time jumps about among the threads' buffers: ask for the bytes early. */
		if (i + 8 < list->count)
			__builtin_prefetch(bytes + list->items[i + 8].value);
		walk_next(&at, &e);
		t = metadata_type(c->metadata, e.type_id);
		r->slot_count = plan_of(t)->step_count;
		if (!chunk_decode(c, t, &e, r->slots))
			continue;
		if (!*first)
			out_put(&r->out, separator, strlen(separator));
		*first = false;
		render_slots(r, t, r->slots);
	}
}

static int print_by_chunk(struct render *r, struct jfrec_reader *reader, struct jfrec_error *err)
{
	struct sort_list list = { 0 };
	bool first = true;
	int got = 0;

	r->format->begin(r);
	while (!r->out.error && (got = next_view(r, reader, err)) > 0) {
		if (index_chunk(r, &list) < 0)
			got = jfrec_fail_memory(err);
		else
			print_sorted(r, &list, &first);
		view_unref(r, r->view);
		if (got < 0)
			break;
	}
	r->format->end(r);
	sort_fini(&list);
	return got;
}

/* Text ------------------------------------------------------------------------------------------- */

/* What is to be done when the time of an item in the heap comes. */
enum action { OPEN_CONTEXT, CLOSE_CONTEXT, PRINT_EVENT };

/* The text waits in a heap: items name an event by its chunk's number and its offset in it. */
struct window {
	struct render *r;
	struct heap heap;
	struct view **views; /* by number; NULL when all their events are printed */
	uint32_t view_count, view_room;
	struct contexts *contexts;
};

static int window_add_view(struct window *w, struct view *v)
{
	if (w->view_count > HEAP_MAX_CHUNK || v->chunk->extent.size > HEAP_MAX_OFFSET)
		return -1;
	if (w->view_count == w->view_room) {
		uint32_t room = w->view_room ? w->view_room * 2 : 16;
		struct view **views = reallocarray(w->views, room, sizeof(struct view *));

		if (!views)
			return -1;
		w->views = views;
		w->view_room = room;
	}
	w->views[w->view_count++] = v;
	return 0;
}

static void window_unref_view(struct window *w, uint32_t number)
{
	struct view *v = w->views[number];

	if (v->refs == 1)
		w->views[number] = NULL;
	view_unref(w->r, v);
}

static int window_offer(struct window *w, int64_t ticks, enum action action, const uint8_t *start)
{
	struct view *v = w->r->view;
	struct heap_item item = {
		.ns = clock_time_ns(&v->chunk->clock, ticks),
		.is_end = action != OPEN_CONTEXT,
		.tag = action,
		.chunk = w->view_count - 1,
		.offset = (uint64_t)(start - v->chunk->bytes),
	};

	if (heap_offer(&w->heap, item) < 0)
		return -1;
	v->refs++;
	return 0;
}

/* The event that an item is about is far from the last one: ask for its bytes early. */
static void window_prefetch(const struct window *w, size_t i)
{
	const struct heap_item *item = &w->heap.items[i];

	if (i < w->heap.count)
		__builtin_prefetch(w->views[item->chunk]->chunk->bytes + item->offset);
}

/* Do what the earliest item says. */
static void window_poll(struct window *w)
{
	struct heap_item item = heap_poll(&w->heap);
	struct render *r = w->r;
	struct chunk *c;
	struct cursor at;
	struct raw_event e;
	const struct jfrec_type *t;

	for (size_t i = 0; i < 3; i++)
		window_prefetch(w, i);
	r->view = w->views[item.chunk];
	c = r->view->chunk;
	at = (struct cursor){ .pos = c->bytes + item.offset, .end = c->end };
	walk_next(&at, &e);
	t = metadata_type(c->metadata, e.type_id);
	r->slot_count = plan_of(t)->step_count;
	if (!chunk_decode(c, t, &e, r->slots))
		; /* chunk_tell_misfits() will tell */
	else if (item.tag == OPEN_CONTEXT)
		contexts_open(w->contexts, r, t, r->slots, item.chunk, item.offset);
	else if (item.tag == CLOSE_CONTEXT)
		contexts_close(w->contexts, r, t, r->slots, item.chunk, item.offset);
	else
		render_slots(r, t, r->slots);
	window_unref_view(w, item.chunk);
}

static int window_add_event(struct window *w, const struct jfrec_type *t, const struct raw_event *e)
{
	struct view *v = w->r->view;
	struct ticks ticks;

	if (!v->wanted[t->index] && !t->is_contextual)
		return 0;
	if (!event_ticks(w->r, v, t, e, &ticks))
		return 0;
	if (t->is_contextual && (window_offer(w, ticks.start, OPEN_CONTEXT, e->start) < 0 ||
				 window_offer(w, ticks.end, CLOSE_CONTEXT, e->start) < 0))
		return -1;
	return v->wanted[t->index] ? window_offer(w, ticks.end, PRINT_EVENT, e->start) : 0;
}

static int window_add_chunk(struct window *w)
{
	struct render *r = w->r;
	struct view *v = r->view;
	struct chunk_walk walk = chunk_walk(v->chunk);
	struct jfrec_type *t;
	struct raw_event e;

	while (!r->out.error && chunk_walk_next(&walk, &e, &t)) {
		if (window_add_event(w, t, &e) < 0)
			return -1;
		while (w->heap.count > TEXT_WINDOW)
			window_poll(w);
		r->view = v;
	}
	return 0;
}

static int print_text(struct render *r, struct jfrec_reader *reader, struct jfrec_error *err)
{
	struct contexts contexts = { 0 };
	struct window w = { .r = r, .contexts = &contexts };
	int got = 0;

	r->contexts = &contexts;
	while (!r->out.error && (got = next_view(r, reader, err)) > 0) {
		if (window_add_view(&w, r->view) < 0) {
			view_unref(r, r->view);
			got = jfrec_fail_memory(err);
			break;
		}
		if (window_add_chunk(&w) < 0)
			got = jfrec_fail_memory(err);
		window_unref_view(&w, w.view_count - 1);
		if (got < 0)
			break;
	}
	while (w.heap.count && !r->out.error)
		window_poll(&w);
	for (uint32_t i = 0; i < w.view_count; i++) {
		while (w.views[i])
			window_unref_view(&w, i);
	}
	free(w.views);
	heap_fini(&w.heap);
	contexts_fini(&contexts);
	return got;
}

/* ------------------------------------------------------------------------------------------------ */

static const struct format *format_of(enum jfrec_format format)
{
	switch (format) {
	case JFREC_JSON:
		return &json_format;
	case JFREC_XML:
		return &xml_format;
	case JFREC_TEXT:
	case JFREC_EXACT:
		return &text_format;
	}
	return NULL;
}

int jfrec_print(struct jfrec_reader *reader, const struct jfrec_print_options *options,
		jfrec_write_fn *write, void *ctx, struct jfrec_error *err)
{
	const struct format *format = format_of(options->format);
	struct render r;
	int ret;

	if (!format)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "no such format");
	if (render_init(&r, format, options, write, ctx, err) < 0)
		return -1;
	ret = format == &text_format ? print_text(&r, reader, err) : print_by_chunk(&r, reader, err);
	out_flush(&r.out);
	if (r.out.error)
		ret = out_fail(&r.out, err);
	render_fini(&r);
	return ret;
}
