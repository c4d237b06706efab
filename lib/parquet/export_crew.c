/* SPDX-License-Identifier: MIT */
/*
 * export_crew.c - rows that several threads have worked out go to their files
 *
 * Row groups have the rows that they have when one thread does all: rows wait in blocks, as in a
 * filler, and after each block it is seen whether the file, or all together, are too large.
 */
#include <stdlib.h>

#include "base/error.h"
#include "parquet/export_files.h"
#include "tables/row_crew.h"

/* One of the tables that have rows in the part at hand. */
struct lane {
	size_t table;
	const struct batch *rows;
	uint32_t next; /* the next row */
	struct table_file *file; /* of all rows; NULL: each is to be looked at */
};

struct parts_taker {
	struct export *e;
	struct batch_join *joins; /* by the table */
	bool looks_at_times;	  /* of rows, which may go to different files, or nowhere */
	const struct row_part *part;
	struct lane *lanes;
	uint32_t lane_room;
};

static bool has_number(const struct lane *l, int column)
{
	return column >= 0 && batch_has(&l->rows->columns[column], l->next);
}

static int64_t number_of(const struct lane *l, int column)
{
	return has_number(l, column) ? (int64_t)l->rows->columns[column].words[l->next] : 0;
}

static bool is_too_early(const struct export *e, const struct table_shape *s, const struct lane *l)
{
	return export_is_too_early(e, has_number(l, s->start), number_of(l, s->start),
				   has_number(l, s->duration), number_of(l, s->duration));
}

/* The file of the lane's next row: *f, or NULL if it goes nowhere.  0, or -1 with *err set. */
static int find_file(struct parts_taker *k, struct lane *l, struct table_file **f,
		     struct jfrec_error *err)
{
	struct export *e = k->e;
	const struct table_shape *s = export_shape(e, l->table, err);

	*f = NULL;
	if (!s)
		return -1;
	if (is_too_early(e, s, l))
		return 0;
	if (e->chunk != k->part->chunk_number + 1) {
		e->chunk = k->part->chunk_number + 1;
		if (export_enter(e, k->part->chunk->name, err) < 0)
			return -1;
	}
	*f = export_file(e, l->table,
			 export_day(e, has_number(l, s->start), number_of(l, s->start)), err);
	if (!k->looks_at_times)
		l->file = *f;
	return *f ? 0 : -1;
}

/* Rows of another event type, or chunk, than those before: these are no block with them. */
static bool begin_block(struct parts_taker *k, struct table_file *f, const struct part_run *run)
{
	struct waiting_rows *w = &f->waiting;

	w->is_used = true;
	if (!table_file_settle(f))
		return false;
	w->type = run->type;
	w->chunk = k->e->chunk;
	w->block_rows = run->block_rows;
	return true;
}

/* Have the row wait in the file.  False: memory is gone. */
static bool hold(struct parts_taker *k, struct table_file *f, const struct lane *l,
		 const struct part_run *run)
{
	struct waiting_rows *w = &f->waiting;

	if ((w->type != run->type || w->chunk != k->e->chunk) && !begin_block(k, f, run))
		return false;
	if (w->first + w->held != l->next || !w->held) {
		/* Between them there were rows of other files. */
		if (!table_file_let_go(f))
			return false;
		w->join = &k->joins[l->table];
		w->first = l->next;
	}
	w->held++;
	w->count++;
	return true;
}

static int add_row(struct parts_taker *k, const struct part_run *run, bool is_long,
		   struct jfrec_error *err)
{
	struct lane *l = &k->lanes[run->place];
	struct table_file *f = l->file;

	if (!f && find_file(k, l, &f, err) < 0)
		return -1;
	if (f && !hold(k, f, l, run))
		return jfrec_fail_memory(err);
	l->next++;
	if (!f)
		return 0;
	k->e->row_count++;
	if (f->waiting.count < f->waiting.block_rows && !is_long)
		return 0;
	return table_file_settle(f) ? export_settled(k->e, f, err) : jfrec_fail_memory(err);
}

/* Parts ---------------------------------------------------------------------------------------- */

static bool enter_part(struct parts_taker *k, struct row_part *p)
{
	k->part = p;
	if (p->table_count > k->lane_room) {
		free(k->lanes);
		k->lanes = reallocarray(NULL, p->table_count, sizeof(*k->lanes));
		k->lane_room = k->lanes ? p->table_count : 0;
	}
	if (k->lane_room < p->table_count)
		return false;
	for (uint32_t i = 0; i < p->table_count; i++) {
		const struct part_table *t = &p->tables[i];

		k->lanes[i] = (struct lane){ .table = t->table, .rows = &t->batch };
		if (!batch_join_from(&k->joins[t->table], &t->batch))
			return false;
	}
	return true;
}

/* The part goes, and with its chunk all blocks end. */
static bool leave_part(struct parts_taker *k)
{
	bool ok = true;

	for (size_t i = 0; i < k->e->count; i++) {
		struct table_file *f = k->e->files[i];

		if (f->waiting.count)
			ok &= k->part->is_last ? table_file_settle(f) : table_file_let_go(f);
	}
	return ok;
}

static int take_part(void *ctx, struct row_part *p, struct jfrec_error *err)
{
	struct parts_taker *k = ctx;

	if (!enter_part(k, p))
		return jfrec_fail_memory(err);
	for (uint32_t i = 0; i < p->row_count; i++) {
		if (add_row(k, &p->runs[p->rows[i] >> 1], p->rows[i] & 1, err) < 0)
			return -1;
	}
	return leave_part(k) ? 0 : jfrec_fail_memory(err);
}

int export_by_crew(struct export *e, struct jfrec_error *err)
{
	const struct jfrec_parquet_options *o = e->writer.options;
	const struct row_crew_how how = {
		.bounds = { INT64_MIN, o->to_ns ? *o->to_ns : INT64_MAX },
		.lists_frames = o->stack_frames,
		.take = take_part,
	};
	size_t count = jfrec_tables_count(e->tables);
	struct parts_taker k = {
		.e = e,
		.joins = calloc(count + 1, sizeof(*k.joins)),
		.looks_at_times = o->from_ns || e->partition.has_date,
	};
	int ret = k.joins ? rows_by_crew(e->tables, &how, &k, err) : jfrec_fail_memory(err);

	for (size_t i = 0; k.joins && i < count; i++)
		batch_join_fini(&k.joins[i]);
	free(k.joins);
	free(k.lanes);
	return ret;
}
