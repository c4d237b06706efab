/* SPDX-License-Identifier: MIT */
/*
 * print.c - print a recording, chunk by chunk
 */
#include <stdlib.h>

#include "base/error.h"
#include "base/options.h"
#include "base/sort.h"
#include "print/print.h"
#include "print/selected.h"

int print_next_chunk(struct render *r, struct jfrec_error *err)
{
	struct chunk *chunk = NULL;
	int got = source_next(r->source, &chunk, err);

	if (got <= 0)
		return got;
	if (r->crew)
		chunk_make_shareable(chunk);
	r->current = chunk_render_new(r, chunk, source_selected(r->source, chunk->metadata));
	if (!r->current)
		return jfrec_fail_memory(err);
	if (r->format->chunk)
		r->format->chunk(r);
	return 1;
}

/* How many events are printed between two words about it. */
#define PROGRESS_EVENTS 16384

void count_printed(struct render *r, uint64_t events)
{
	uint64_t before = r->printed / PROGRESS_EVENTS;

	r->printed += events;
	if (r->printed / PROGRESS_EVENTS != before)
		source_progress(r->source, r->printed);
}

void print_slots(struct render *r, const struct jfrec_type *t)
{
	if (r->printed)
		out_put(&r->out, r->format->separator, r->separator_len);
	render_slots(r, t, r->slots);
	r->left--;
	count_printed(r, 1);
}

void print_event_at(struct render *r, struct chunk_render *v, uint64_t offset)
{
	const struct jfrec_type *t;
	struct raw_event e;

	r->current = v;
	t = event_at(v->chunk, offset, &e);
	/* The bottom of the stack of slots is the event's. */
	r->slot_count = plan_of(t)->step_count;
	if (chunk_decode(v->chunk, t, &e, r->slots))
		print_slots(r, t);
}

/* Chunk by chunk, as the JDK prints JSON and XML
 * --------------------------------------------------- */

/* Sorted by end time, or in the order of the file, where all keys are the same. */
static int index_chunk(struct render *r, bool sort, struct sort_list *list)
{
	struct chunk_render *v = r->current;
	struct chunk_walk w = chunk_walk(v->chunk);
	struct jfrec_type *t;
	struct raw_event e;
	struct ticks ticks;

	list->count = 0;
	while (chunk_walk_next(&w, &e, &t)) {
		if (is_selected(r, v, t, &e, &ticks) &&
		    sort_add(list, sort ? ticks.end : 0, (uint64_t)(e.start - v->chunk->bytes)) < 0)
			return -1;
	}
	return sort_items(list);
}

static void print_list(struct render *r, const struct sort_list *list)
{
	struct chunk_render *v = r->current;

	for (size_t i = 0; i < list->count && !is_finished(r); i++) {
		/*
		 * Time jumps about among the threads' buffers: ask for the bytes early, and for
		 * where they are, which the text of the events between displaces.
		 */
		if (i + 8 < list->count && !r->crew) {
			__builtin_prefetch(&list->items[i] + 32);
			__builtin_prefetch(v->chunk->bytes + list->items[i + 8].value);
		}
		print_in_turn(r, v, list->items[i].value);
	}
	print_rest(r);
}

static int print_by_chunk(struct render *r, bool sort, struct jfrec_error *err)
{
	struct sort_list list = { 0 };
	int got = 0;

	while (!is_finished(r) && (got = print_next_chunk(r, err)) > 0) {
		struct chunk_render *v = r->current;

		if (index_chunk(r, sort, &list) < 0)
			got = jfrec_fail_memory(err);
		else
			print_list(r, &list);
		chunk_render_unref(r, v);
		if (got < 0)
			break;
	}
	sort_fini(&list);
	return got;
}

/* Printing ------------------------------------------------------------------------------------- */

/*
 * Can several threads do it? Stack traces have their numbers in the order of the events; and of
 * those with the largest values only few are printed.
 */
static bool is_shared(const struct jfrec_print_options *options)
{
	return options->stacks != JFREC_STACKS_ID && !options->by_field;
}

static int print_events(struct render *r, const struct jfrec_print_options *options,
			struct jfrec_error *err)
{
	const struct format_row *row = format_row(options->format);
	int ret;

	if (row->counts)
		return print_count(r, err);
	r->format->begin(r);
	r->crew = is_shared(options) ? render_crew_new(r) : NULL;
	if (options->by_field)
		ret = print_by_field(r, options, err);
	else if (options->order == JFREC_BY_TIME ||
	    (options->order == JFREC_AS_JDK && row->by_time))
		ret = print_by_window(r, err);
	else
		ret = print_by_chunk(r, options->order == JFREC_AS_JDK, err);
	render_crew_free(r->crew);
	r->crew = NULL;
	r->format->end(r);
	return ret;
}

/* Pass on events that are printed already, while we wait for those that come. */
static void flush(void *render)
{
	struct render *r = render;

	out_flush(&r->out);
}

int jfrec_print(struct jfrec_reader *reader, const struct jfrec_print_options *options,
		jfrec_write_fn *write, void *ctx, struct jfrec_error *err)
{
	struct jfrec_error own = { 0 };
	struct jfrec_print_options o;
	struct render r;
	int ret;

	if (!err)
		err = &own;
	if (options_take(&o, sizeof(o), options, err) < 0 || format_check(&o, err) < 0 ||
	    render_init(&r, format_row(o.format), &o, write, ctx, err) < 0)
		return -1;
	render_read(&r, reader);
	source_before_wait(r.source, flush, &r);
	ret = print_events(&r, &o, err);
	source_before_wait(r.source, NULL, NULL);
	/* An unknown name shows before the first event, and then there is no document. */
	if (ret < 0 && err->code == JFREC_EEXPRESSION)
		out_discard(&r.out);
	out_flush(&r.out);
	if (r.failure.code) {
		ret = -1;
		*err = r.failure;
	}
	if (r.out.error)
		ret = out_fail(&r.out, err);
	if (o.printed)
		*o.printed = r.printed;
	render_fini(&r);
	return ret;
}
