/* SPDX-License-Identifier: MIT */
/*
 * meanwhile.c - the second pass: what happened while the requests ran
 *
 *	chunk --chunk_moments_read(), by any thread--> moments --merge_chunk(), in order--> all
 */
#include "trace/meanwhile.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "read/chunk_crew.h"
#include "read/during.h"
#include "trace/chunk_moments.h"

void meanwhile_fini(struct meanwhile *w)
{
	name_set_fini(&w->names);
	free(w->moments);
	free(w->samples);
	free(w->fields);
	free(w->called);
	*w = (struct meanwhile){ 0 };
}

struct gathering {
	struct meanwhile *to;
	const struct requests *requests;
	struct chunk_jvms jvms; /* numbered as in the first pass */
	/* The chunk that is merged, and where its names are in all. */
	const struct chunk_moments *chunk;
	uint32_t *names; /* NAME_NONE: not asked for */
	uint32_t jvm;
	bool has_no_memory;
};

/* Names ---------------------------------------------------------------------------------------- */

static uint32_t name_of(struct gathering *g, uint32_t number)
{
	const struct name *name;
	uint32_t *to;

	if (number == NAME_NONE)
		return NAME_NONE;
	to = &g->names[number];
	if (*to != NAME_NONE)
		return *to;
	name = &g->chunk->book.names.list[number];
	if (g->to->names.count < NAMES_MAX)
		*to = name_set_put(&g->to->names, name->text, name->len);
	else
		*to = name_set_put(&g->to->names, "other", 5);
	g->has_no_memory |= *to == NAME_NONE;
	return *to;
}

/* Bounds --------------------------------------------------------------------------------------- */

static int by_length(const void *x, const void *y)
{
	const struct moment *a = x, *b = y;
	uint64_t m = (uint64_t)a->end_ns - (uint64_t)a->begin_ns;
	uint64_t n = (uint64_t)b->end_ns - (uint64_t)b->begin_ns;

	if (m != n)
		return m < n ? 1 : -1;
	if (a->begin_ns != b->begin_ns)
		return a->begin_ns < b->begin_ns ? -1 : 1;
	return (a->request > b->request) - (a->request < b->request);
}

static void keep_longest(struct meanwhile *w)
{
	qsort(w->moments, w->moment_count, sizeof(*w->moments), by_length);
	w->left_out += w->moment_count - MOMENTS_MAX / 2;
	w->moment_count = MOMENTS_MAX / 2;
}

/* To requests ---------------------------------------------------------------------------------- */

static void add_moment(struct gathering *g, const struct chunk_moment *m, size_t request)
{
	struct moment one = { .begin_ns = m->begin_ns,
			      .end_ns = m->end_ns,
			      .request = (uint32_t)request,
			      .kind = m->kind };

	one.type = name_of(g, m->type);
	one.label = name_of(g, m->label);
	one.detail = name_of(g, m->detail);
	one.site = name_of(g, m->site);
	if (g->to->moment_count == MOMENTS_MAX)
		keep_longest(g->to);
	g->has_no_memory |= !array_push(g->to->moments, g->to->moment_count, g->to->moment_room,
					one);
}

/* The event is the request: it says what that is called, and its fields. */
static void tell(struct gathering *g, const struct chunk_moment *m, size_t request)
{
	const struct chunk_told *told = &g->chunk->told[m->told - 1];
	struct called *called = &g->to->called[request];

	if (called->is_known)
		return; /* by another copy of the chunk */
	called->is_known = true;
	called->type = name_of(g, m->type);
	called->label = name_of(g, m->label);
	called->thread = name_of(g, told->thread_name);
	for (size_t i = 0; i < told->field_count; i++) {
		const struct chunk_field *f = &g->chunk->fields[told->first_field + i];
		struct told one = { (uint32_t)request,	 (uint32_t)i, name_of(g, f->name),
				    name_of(g, f->text), f->kind,     f->number };

		g->has_no_memory |= !array_push(g->to->fields, g->to->field_count,
						g->to->field_room, one);
	}
}

/* Requests of a thread do not overlap, so that few share a moment with this one. */
static void merge_of_thread(struct gathering *g, const struct chunk_moment *m)
{
	const struct requests *q = g->requests;
	uint64_t id = during_id(g->jvm, m->thread);

	for (size_t i = requests_first(q, id, m->begin_ns);
	     i < q->count && q->items[i].id == id && q->items[i].begin_ns < m->end_ns; i++) {
		const struct request *r = &q->items[i];

		if (m->told && r->begin_ns == m->begin_ns && r->end_ns == m->end_ns)
			tell(g, m, i);
		else
			add_moment(g, m, i);
	}
}

/* What stops all threads stops every request that runs. */
static void merge_global(struct gathering *g, const struct chunk_moment *m)
{
	const struct requests *q = g->requests;

	for (size_t i = 0; i < q->count; i++) {
		const struct request *r = &q->items[i];

		if (r->jvm == g->jvm && r->begin_ns < m->end_ns && r->end_ns > m->begin_ns)
			add_moment(g, m, i);
	}
}

static void merge_sample(struct gathering *g, const struct chunk_sample *s)
{
	const struct requests *q = g->requests;
	uint64_t id = during_id(g->jvm, s->thread);
	size_t i = requests_first(q, id, s->at_ns);
	struct ran one = { s->at_ns, s->ns > 0 ? s->ns : 0, s->samples, (uint32_t)i, NAME_NONE,
			   NAME_NONE, s->rank };

	if (i == q->count || q->items[i].id != id || q->items[i].begin_ns > s->at_ns)
		return;
	if (g->to->sample_count == MOMENTS_MAX) {
		g->to->left_out++;
		return;
	}
	one.site = name_of(g, s->site);
	one.type = name_of(g, s->type);
	g->has_no_memory |= !array_push(g->to->samples, g->to->sample_count, g->to->sample_room,
					one);
}

static int merge_chunk(void *ctx, const struct chunk_task *task, void *found,
		       struct jfrec_error *err)
{
	struct gathering *g = ctx;
	const struct chunk_moments *m = found;
	size_t names = (size_t)m->book.names.count + 1;

	g->chunk = m;
	g->jvm = chunk_jvms_number(&g->jvms, task->chunk);
	g->names = malloc(names * sizeof(*g->names));
	if (g->jvm == IDMAP_NONE || !g->names) {
		free(g->names);
		return jfrec_fail_memory(err);
	}
	memset(g->names, 0xff, names * sizeof(*g->names));
	for (size_t i = 0; i < m->moment_count && !g->has_no_memory; i++) {
		if (m->moments[i].thread == ANY_THREAD)
			merge_global(g, &m->moments[i]);
		else
			merge_of_thread(g, &m->moments[i]);
	}
	for (size_t i = 0; i < m->sample_count && !g->has_no_memory; i++)
		merge_sample(g, &m->samples[i]);
	free(g->names);
	return g->has_no_memory ? jfrec_fail_memory(err) : 0;
}

static void *read_chunk(void *ctx, struct chunk_task *task)
{
	const struct gathering *g = ctx;

	return chunk_moments_read(g->requests, task);
}

static void drop_chunk(void *ctx, void *found)
{
	(void)ctx;
	chunk_moments_free(found);
}

int meanwhile_read(struct meanwhile *w, const struct requests *q, struct jfrec_reader *r,
		   struct jfrec_error *err)
{
	static const struct chunk_work how = { read_chunk, merge_chunk, drop_chunk };
	static const struct second_look look = { .tell = NULL };
	struct gathering g = { .to = w, .requests = q };
	int ret;

	w->called = calloc(q->count + 1, sizeof(*w->called));
	if (!w->called)
		return jfrec_fail_memory(err);
	ret = source_each_chunk_again(reader_source(r), &look, &how, &g, err);
	chunk_jvms_fini(&g.jvms);
	return ret;
}
