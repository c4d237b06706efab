/* SPDX-License-Identifier: MIT */
/*
 * row_worker.c - one thread's way from a chunk to parts of rows
 */
#include "tables/row_worker.h"

#include <stdlib.h>

#include "base/array.h"

/* A part ends when it takes so much memory. */
#define PART_MOST ((size_t)8 << 20)

/* And so many rows, whose numbers are in 31 bits. */
#define PART_ROWS (1u << 20)

struct row_worker *row_worker_new(const struct jfrec_tables *t, bool *const *wanted,
				  struct batch_pool *pool)
{
	struct row_worker *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->pool = pool;
	w->tables = calloc(t->count + 1, sizeof(*w->tables));
	if (w->tables && chunk_rows_init(&w->rows, t, wanted, NULL) == 0)
		return w;
	free(w->tables);
	free(w);
	return NULL;
}

void row_worker_free(struct row_worker *w)
{
	if (!w)
		return;
	chunk_rows_fini(&w->rows);
	for (size_t i = 0; i < w->rows.tables->count; i++) {
		if (w->tables[i].filler)
			filler_fini(w->tables[i].filler);
		free(w->tables[i].filler);
		free(w->tables[i].sources);
	}
	free(w->tables);
	free(w);
}

void row_part_free(struct row_part *p, struct batch_pool *pool)
{
	if (!p)
		return;
	for (uint32_t i = 0; i < p->table_count; i++)
		batch_pool_put(pool, p->tables[i].table, &p->tables[i].batch);
	free(p->tables);
	free(p->runs);
	free(p->rows);
	free(p);
}

/* Rows ----------------------------------------------------------------------------------------- */

static bool make_filler(struct row_worker *w, size_t table, struct worker_table *t)
{
	const struct table *from = &w->rows.tables->tables[table];
	size_t count = from->info.column_count;

	t->filler = calloc(1, sizeof(*t->filler));
	t->sources = calloc(count + 1, sizeof(*t->sources));
	if (!t->filler || !t->sources)
		return false;
	for (size_t i = 0; i < count; i++)
		t->sources[i] = (struct filler_source){
			.column = i, .kind = from->columns[i].info.kind
		};
	return filler_init(t->filler, t->sources, count, 0, NULL) == 0;
}

/* Its first row in this part. */
static bool begin_table(struct row_worker *w, size_t table, struct worker_table *t)
{
	struct part_table in_part = { .table = table };

	if ((!t->sources && !make_filler(w, table, t)) ||
	    !array_push(w->part->tables, w->part->table_count, w->part->table_room, in_part))
		return false;
	t->place = w->part->table_count;
	t->size = 0;
	w->part->size += sizeof(in_part);
	batch_pool_take(w->pool, table, &t->filler->batch);
	return true;
}

/* The number of the row's run. */
static bool find_run(struct row_worker *w, struct worker_table *t, uint32_t *run)
{
	struct row_part *p = w->part;
	struct part_run new = {
		.place = t->place - 1,
		.block_rows = t->filler->block_rows,
		.type = w->rows.getters,
	};

	if (!t->run || p->runs[t->run - 1].type != new.type) {
		if (!array_push(p->runs, p->run_count, p->run_room, new))
			return false;
		t->run = p->run_count;
		p->size += sizeof(new);
	}
	*run = t->run - 1;
	return true;
}

static void count_size(struct row_part *p, struct worker_table *t)
{
	size_t size = batch_size(&t->filler->batch) + t->filler->batch.rows * sizeof(*p->rows);

	p->size += size - t->size;
	t->size = size;
}

static bool add_row(struct row_worker *w)
{
	struct values *values = &w->rows.values;
	size_t table = w->rows.getters->table;
	struct worker_table *t = &w->tables[table];
	struct row_part *p = w->part;
	uint32_t run;

	if (!t->place && !begin_table(w, table, t))
		return false;
	if (!filler_add(t->filler, values, w->rows.getters) || values->out_of_memory ||
	    !find_run(w, t, &run))
		return false;
	if (!t->filler->waiting)
		count_size(p, t);
	return array_push(p->rows, p->row_count, p->row_room,
			  run << 1 | (filler_is_long(values) ? 1 : 0));
}

/* Parts ---------------------------------------------------------------------------------------- */

static bool finish(struct row_worker *w)
{
	struct row_part *p = w->part;
	bool ok = fillers_settle(&w->rows.values);

	for (uint32_t i = 0; i < p->table_count; i++) {
		struct worker_table *t = &w->tables[p->tables[i].table];

		ok &= filler_give(t->filler, &p->tables[i].batch);
		batch_count_nulls(&p->tables[i].batch);
		t->place = t->run = 0;
	}
	return ok && !w->rows.values.out_of_memory;
}

int row_worker_enter(struct row_worker *w, const struct chunk_task *task)
{
	w->task = task;
	return chunk_rows_enter(&w->rows, task->source, chunk_ref(task->chunk));
}

struct row_part *row_worker_part(struct row_worker *w)
{
	struct row_part *p = w->part = calloc(1, sizeof(*p));
	bool ok = p, has_row = true;

	if (!p)
		return NULL;
	p->chunk = w->task->chunk;
	p->chunk_number = w->task->number;
	while (ok && p->size < PART_MOST && p->row_count < PART_ROWS &&
	       (has_row = chunk_rows_next(&w->rows)))
		ok = add_row(w);
	p->is_last = !has_row;
	ok &= finish(w);
	w->part = NULL;
	if (ok)
		return p;
	row_part_free(p, w->pool);
	return NULL;
}

void row_worker_leave(struct row_worker *w)
{
	fillers_forget(&w->rows.values);
	chunk_rows_leave(&w->rows);
}
