/* SPDX-License-Identifier: MIT */
/*
 * run.c - queries, asked of a recording in one pass over its chunks
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "query/list.h"
#include "query/ride.h"
#include "query/worker.h"

/* Chunks of more JVMs than these are taken for the last one's. */
#define MAX_JVMS 1024

/* The JVM that a chunk is of, by its clock: 1, 2... 0 when memory is gone. */
static unsigned jvm_of(struct jfrec_query *q, const struct chunk_header *h)
{
	struct clock *clocks;

	for (unsigned i = 0; i < q->clock_count; i++) {
		if (clock_agrees(&q->clocks[i], h))
			return i + 1;
	}
	if (q->clock_count == MAX_JVMS)
		return MAX_JVMS;
	clocks = list_more(&q->arena, q->clocks, q->clock_count, sizeof(*clocks));
	if (!clocks)
		return 0;
	q->clocks = clocks;
	q->clocks[q->clock_count] = clock_of(h);
	return ++q->clock_count;
}

bool keep_limit(const struct jfrec_query *q, unsigned query, struct partial *p)
{
	const struct query *one = q->queries[query];

	return !q->keeps_limits || table_keep_limit(p, &one->parsed);
}

static bool begin_part(struct jfrec_query *q, unsigned part)
{
	for (unsigned i = 0; !q->has_part[part] && i < q->query_count; i++) {
		if (!partial_init(&q->queries[i]->answers[part].result, &q->queries[i]->resolved,
				  &q->arena))
			return false;
	}
	q->has_part[part] = true;
	return true;
}

static bool merge_into(struct jfrec_query *q, const struct worker *w, unsigned part)
{
	for (unsigned i = 0; i < q->query_count; i++) {
		struct partial *to = &q->queries[i]->answers[part].result;

		if (!q->queries[i]->resolved.failure &&
		    (!partial_merge(to, &w->partials[i], &q->objects, &q->arena) ||
		     !keep_limit(q, i, to)))
			return false;
	}
	return true;
}

/* Add what a chunk said to the results.  Called in the order of the chunks. */
static bool merge(struct jfrec_query *q, const struct worker *w, const struct chunk_task *task)
{
	unsigned part = q->parts ? q->parts->part_of(q->parts->ctx, task) : 0;

	q->objects.jvm = jvm_of(q, &w->reading.chunk->extent.header);
	if (!q->objects.jvm)
		return false;
	if (part < MAX_QUERY_PARTS && !(begin_part(q, part) && merge_into(q, w, part)))
		return false;
	for (unsigned i = 0; q->counts && i < q->schema.type_count; i++)
		q->counts[i] += w->counts[i];
	q->events += w->events;
	return true;
}

/* Which query takes the most, now that there is no more. */
static void note_largest(struct jfrec_query *q, const struct worker *w)
{
	uint64_t most = 0;

	for (unsigned i = 0; i < q->query_count; i++) {
		const struct partial *all = &q->queries[i]->answers[0].result;
		const struct partial *some = w && w->partials ? &w->partials[i] : all;
		uint64_t rows = all->groups.count + all->row_count, cells;

		if (some != all)
			rows += some->groups.count + some->row_count;
		cells = rows * q->queries[i]->resolved.column_count;
		if (cells <= most)
			continue;
		most = cells;
		q->largest = (int)i;
		q->largest_rows = rows;
	}
}

/* One chunk, by one of several threads; chunk_crew.h. */
static void *work(void *ctx, struct chunk_task *task)
{
	struct worker *w = malloc(sizeof(*w));

	if (!w)
		return NULL;
	worker_run(w, ctx, task);
	task->events = w->events;
	chunk_tell_end(task->chunk);
	return w;
}

static int merge_work(void *ctx, const struct chunk_task *task, void *found,
		      struct jfrec_error *err)
{
	const struct worker *w = found;

	if (!w->out_of_memory && merge(ctx, w, task))
		return 0;
	note_largest(ctx, w);
	return jfrec_fail_memory(err);
}

static void drop_work(void *ctx, void *found)
{
	(void)ctx;
	worker_fini(found);
	free(found);
}

static const struct chunk_work query_work = { work, merge_work, drop_work };

static struct chunk_task *take_first(struct jfrec_query *q)
{
	struct chunk_task *first = q->first;

	q->first = NULL;
	return first;
}

/* How long the recording, or what is looked at of it, lasted. */
static int measure_time(const struct jfrec_query *q, double *seconds, struct jfrec_error *err)
{
	int64_t from, to;

	if (recording_span(source_recording(q->source), &from, &to, err) < 0)
		return -1;
	if (from < q->bounds.from_ns)
		from = q->bounds.from_ns;
	if (to > q->bounds.to_ns)
		to = q->bounds.to_ns;
	*seconds = to > from ? (double)long_subtract(to, from) / 1e9 : 0;
	return 0;
}

static bool has_rate(const struct resolved *r)
{
	for (unsigned i = 0; i < r->column_count; i++) {
		if (r->columns[i].measure == MEASURE_RATE)
			return true;
	}
	return false;
}

/* For rates: of all, where there is one part. */
static int seconds_of(const struct jfrec_query *q, unsigned part, double *seconds,
		      struct jfrec_error *err)
{
	bool has_others = false;

	for (unsigned i = 1; i < MAX_QUERY_PARTS; i++)
		has_others |= q->has_part[i];
	if (!has_others)
		return measure_time(q, seconds, err);
	*seconds = q->parts->seconds_of(q->parts->ctx, part);
	return 0;
}

static void make_texts(const struct value *v)
{
	if (v->kind == VALUE_OBJECT)
		object_as_text(v->object, false);
	for (size_t i = 0; v->kind == VALUE_LIST && i < v->list->count; i++)
		make_texts(&v->list->items[i]);
}

/* While running out of memory can still be told. */
static bool make_all_texts(struct jfrec_query *q, const struct jfrec_answer *t)
{
	for (size_t row = 0; row < t->row_count; row++) {
		for (unsigned i = 0; i < t->query->visible_count; i++)
			make_texts(&t->rows[row][i]);
	}
	return !q->objects.out_of_memory;
}

static int fill(struct jfrec_query *q, struct query *one, unsigned part, struct jfrec_error *err)
{
	struct answer *answer = &one->answers[part];
	struct jfrec_answer *t = arena_zalloc(&q->arena, 1, sizeof(*t));

	if (!t)
		return jfrec_fail_memory(err);
	t->parsed = &one->parsed;
	t->name = one->name;
	t->title = one->title;
	t->is_form = one->is_form;
	t->seconds = (double)one->parsed.every_ns / 1e9;
	if (!one->parsed.every_ns && has_rate(&one->resolved) &&
	    seconds_of(q, part, &t->seconds, err) < 0)
		return -1;
	answer->table = t;
	if (table_fill(t, &answer->result, &q->arena) && make_all_texts(q, t))
		return 0;
	return jfrec_fail_memory(err);
}

/* Rates are of the whole recording's length, which a pipe shows at its end. */
static int spool_for_rates(struct jfrec_query *q, struct jfrec_error *err)
{
	bool is_needed = false;

	for (unsigned i = 0; i < q->query_count; i++) {
		const struct parsed *p = &q->queries[i]->parsed;

		for (unsigned k = 0; k < p->item_count && !p->every_ns; k++)
			is_needed |= p->items[k].measure == MEASURE_RATE;
	}
	return is_needed ? source_spool(q->source, err) : 0;
}

static int begin(struct jfrec_query *q, struct jfrec_error *err)
{
	if (q->has_run)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "queries run once");
	q->has_run = true;
	q->objects.is_final = true;
	if (spool_for_rates(q, err) < 0)
		return -1;
	return programs_prepare(q) && begin_part(q, 0) ? 0 : jfrec_fail_memory(err);
}

static int end(struct jfrec_query *q, int ret, struct jfrec_error *err)
{
	for (unsigned i = 0; i < q->query_count && ret == 0; i++) {
		for (unsigned part = 0; part < MAX_QUERY_PARTS && ret == 0; part++) {
			if (!q->queries[i]->resolved.failure && q->has_part[part])
				ret = fill(q, q->queries[i], part, err);
		}
	}
	if (ret < 0 && q->largest < 0)
		note_largest(q, NULL);
	return ret;
}

int query_run_with(struct jfrec_query *q, const struct query_parts *parts,
		   const struct chunk_rider *others, size_t count, struct jfrec_error *err)
{
	struct chunk_rider all[MAX_RIDERS] = { { &query_work, q } };

	q->parts = parts;
	if (begin(q, err) < 0)
		return -1;
	memcpy(all + 1, others, count * sizeof(*others));
	return end(q, source_each_chunk_of(q->source, take_first(q), all, count + 1, err), err);
}

int jfrec_query_run(struct jfrec_query *q, struct jfrec_error *err)
{
	if (begin(q, err) < 0)
		return -1;
	return end(q, source_each_chunk(q->source, take_first(q), &query_work, q, err), err);
}
