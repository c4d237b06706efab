/* SPDX-License-Identifier: MIT */
/*
 * within.c - when threads were in a traced method or tagged span
 */
#include "stacks/within.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "stacks/stacks.h"

int64_t within_time_ns(const struct chunk_header *h, int64_t ticks)
{
	double ns = chunk_header_has_clock(h) ? 1e9 / (double)h->ticks_per_second : 1;

	return long_add(h->start_ns,
			double_to_long((double)long_subtract(ticks, h->start_ticks) * ns));
}

/* Reading -------------------------------------------------------------------------------------- */

/* What is being read. */
struct span_reading {
	struct jfrec_stacks *stacks;
	uint64_t seen; /* spans, also those that are not wanted */
};

struct sighted {
	uint64_t thread; /* its key */
	int64_t begin_ns, end_ns;
};

/* What a thread found in a chunk. */
struct found_spans {
	struct sighted *spans;
	size_t count, room;
	uint64_t seen;
};

static bool is_span(const struct jfrec_type *t)
{
	return t->is_event && !plan_of(t)->fault &&
	       (strcmp(t->name, "profiler.Span") == 0 || strcmp(t->name, "jdk.MethodTrace") == 0);
}

static struct type_set span_types(const struct chunk *c)
{
	struct type_set set = { 0 };

	for (uint32_t i = 0; i < c->metadata->type_count; i++) {
		if (is_span(&c->metadata->types[i]))
			type_set_add(&set, c->metadata->types[i].id);
	}
	return set;
}

/* Is the span as long as is asked for, and has it the tag? */
static bool is_wanted(const struct jfrec_stacks *s, struct objects *objects, struct object event,
		      int64_t duration)
{
	const struct chunk_header *h = &objects->chunk->extent.header;
	double least = (double)s->options.within_ns * ((double)h->ticks_per_second / 1e9);
	const char *tag;
	bool is_wanted;

	if (duration < double_to_long(least))
		return false;
	if (!s->within_tag)
		return true;
	tag = object_text(objects, event, "tag", NULL);
	is_wanted = tag && strcmp(tag, s->within_tag) == 0;
	arena_recycle(&objects->scratch);
	return is_wanted;
}

static int add_span(const struct jfrec_stacks *s, struct objects *objects, struct object event,
		    struct found_spans *f)
{
	const struct chunk_header *h = &objects->chunk->extent.header;
	int64_t begin = object_number(event, "startTime", 0);
	int64_t duration = object_number(event, "duration", 0);
	uint64_t thread = 0;

	f->seen++;
	if (!is_wanted(s, objects, event, duration))
		return 0;
	object_key(event, "eventThread", &thread);
	return array_push(f->spans, f->count, f->room,
			  (struct sighted){ (uint32_t)thread, within_time_ns(h, begin),
					    within_time_ns(h, long_add(begin, duration)) })
		       ? 0
		       : -1;
}

static void drop_spans(void *ctx, void *found)
{
	struct found_spans *f = found;

	(void)ctx;
	free(f->spans);
	free(f);
}

/* One chunk, by one of several threads; chunk_crew.h. */
static void *read_spans(void *ctx, struct chunk_task *task)
{
	const struct span_reading *r = ctx;
	struct found_spans *f = calloc(1, sizeof(*f));
	const struct type_set types = span_types(task->chunk);
	uint64_t *slots = source_room(task->source)->slots;
	struct chunk_walk w = chunk_walk(task->chunk);
	struct objects objects = { .chunk = task->chunk };
	int ret = f ? 0 : -1;
	struct raw_event e;

	while (ret == 0 && chunk_walk_any_of(&w, &types, &e)) {
		const struct jfrec_type *t = chunk_type_of(task->chunk, &e);

		if (t && is_span(t) && chunk_decode(task->chunk, t, &e, slots))
			ret = add_span(r->stacks, &objects, (struct object){ t, slots }, f);
	}
	arena_fini(&objects.scratch);
	chunk_tell_end(task->chunk);
	if (ret == 0)
		return f;
	if (f)
		drop_spans(ctx, f);
	return NULL;
}

static int merge_spans(void *ctx, const struct chunk_task *task, void *found,
		       struct jfrec_error *err)
{
	struct span_reading *r = ctx;
	const struct found_spans *f = found;

	(void)task;
	r->seen += f->seen;
	for (size_t i = 0; i < f->count; i++) {
		const struct sighted *s = &f->spans[i];

		if (intervals_add(&r->stacks->within, s->thread, s->begin_ns, s->end_ns) < 0)
			return jfrec_fail_memory(err);
	}
	return 0;
}

int jfrec_stacks_read_spans(struct jfrec_stacks *s, struct jfrec_reader *r, struct jfrec_error *err)
{
	static const struct chunk_work how = { read_spans, merge_spans, drop_spans };
	struct span_reading reading = { s, 0 };

	intervals_fini(&s->within);
	if (source_each_chunk(reader_source(r), NULL, &how, &reading, err) < 0)
		return -1;
	if (intervals_sort(&s->within) < 0)
		return jfrec_fail_memory(err);
	s->gathering.within = &s->within;
	return reading.seen > 0;
}
