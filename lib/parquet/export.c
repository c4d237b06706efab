/* SPDX-License-Identifier: MIT */
/*
 * export.c - the tables of a recording as a directory of Parquet files
 */
#include <stdlib.h>

#include "base/error.h"
#include "base/options.h"
#include "output/output.h"
#include "parquet/export_files.h"
#include "tables/row_crew.h"

/* Rows ----------------------------------------------------------------------------------------- */

/* The value of a column that holds a time, or none. */
static struct jfrec_table_value time_in(const struct export *e, int column)
{
	struct jfrec_table_value v = { .is_null = true };

	if (column >= 0)
		jfrec_rows_value(e->rows, (size_t)column, &v);
	return v;
}

static bool is_too_early(const struct export *e, const struct table_shape *s)
{
	struct jfrec_table_value start, duration;

	if (!e->writer.options->from_ns)
		return false;
	start = time_in(e, s->start);
	duration = time_in(e, s->duration);
	return export_is_too_early(e, !start.is_null, start.i, !duration.is_null, duration.i);
}

static int64_t day_of_row(const struct export *e, const struct table_shape *s)
{
	struct jfrec_table_value start;

	if (!e->partition.has_date)
		return NO_DAY;
	start = time_in(e, s->start);
	return export_day(e, !start.is_null, start.i);
}

static int add_row(struct export *e, struct jfrec_error *err)
{
	size_t table = jfrec_rows_table(e->rows);
	const struct table_shape *s = export_shape(e, table, err);
	struct table_file *f;

	if (!s)
		return -1;
	if (is_too_early(e, s))
		return 0;
	if (e->chunk != jfrec_rows_chunk(e->rows)) {
		e->chunk = jfrec_rows_chunk(e->rows);
		if (export_enter(e, jfrec_rows_recording(e->rows), err) < 0)
			return -1;
	}
	f = export_file(e, table, day_of_row(e, s), err);
	if (!f)
		return -1;
	if (!rows_fill(e->rows, &f->filler))
		return jfrec_fail_memory(err);
	e->row_count++;
	return f->filler.waiting ? 0 : export_settled(e, f, err);
}

/*
 * All are on the disk before the first gets its name.  Of many, their file system is asked for as
 * a whole: to ask for each takes minutes.
 */
static int commit_all(struct export *e, struct jfrec_error *err)
{
	struct jfrec_output **all = calloc(e->count + 1, sizeof(struct jfrec_output *));
	size_t failed = e->count;
	int ret = -1;

	for (size_t i = 0; all && i < e->count; i++)
		all[i] = e->files[i]->output;
	if (!all)
		jfrec_fail_memory(err);
	else
		ret = outputs_commit(all, e->count, &failed, err);
	free(all);
	if (ret < 0 && failed < e->count)
		table_file_fail(e->files[failed], err);
	return ret;
}

static int add_rows(struct export *e, struct jfrec_error *err)
{
	int got;

	while ((got = jfrec_rows_next(e->rows, err)) > 0) {
		if (add_row(e, err) < 0)
			return -1;
	}
	return got;
}

static int export_rows(struct export *e, struct jfrec_error *err)
{
	int ret = e->rows ? add_rows(e, err) : export_by_crew(e, err);

	if (ret == 0)
		ret = export_end_files(e, tables_jobs(e->tables), err);
	return ret < 0 ? -1 : commit_all(e, err);
}

/* All of it ------------------------------------------------------------------------------------ */

static int begin_rows(struct export *e, struct jfrec_error *err)
{
	const struct jfrec_parquet_options *o = e->writer.options;

	e->rows = jfrec_rows_new(e->tables, err);
	if (!e->rows)
		return -1;
	if (o->stack_frames)
		rows_list_frames(e->rows);
	jfrec_rows_set_span(e->rows, INT64_MIN, o->to_ns ? *o->to_ns : INT64_MAX);
	for (size_t i = 0; i < jfrec_tables_count(e->tables); i++) {
		if (jfrec_rows_want(e->rows, i, NULL, 0, err) < 0)
			return -1;
	}
	return 0;
}

static int begin(struct export *e, struct jfrec_tables *t, struct jfrec_error *err)
{
	const struct jfrec_parquet_options *o = e->writer.options;
	size_t count = jfrec_tables_count(t);

	e->writer.tables = e->tables = t;
	e->writer.made = &e->made;
	jfrec_tables_limit(t, o->max_files);
	e->shapes = arena_zalloc(&e->arena, count + 1, sizeof(*e->shapes));
	e->last = arena_zalloc(&e->arena, count + 1, sizeof(struct table_file *));
	if (!e->shapes || !e->last)
		return jfrec_fail_memory(err);
	if (parquet_scratch_init(&e->writer.scratch, err) < 0)
		return -1;
	return tables_jobs(t) > 1 ? 0 : begin_rows(e, err);
}

static void end(struct export *e)
{
	for (size_t i = 0; i < e->count; i++)
		table_file_free(e->files[i]);
	free(e->files);
	digest_map_fini(&e->places);
	parquet_scratch_fini(&e->writer.scratch);
	jfrec_rows_free(e->rows);
	labels_fini(&e->labels);
	arena_fini(&e->arena);
}

static struct jfrec_exported *result_of(const struct export *e, struct jfrec_error *err)
{
	struct jfrec_exported *x = calloc(1, sizeof(*x));

	if (!x) {
		jfrec_fail_memory(err);
		return NULL;
	}
	*x = (struct jfrec_exported){ .files = e->count, .rows = e->row_count };
	for (size_t i = 0; i < e->count; i++)
		x->bytes += jfrec_output_size(e->files[i]->output);
	return x;
}

struct jfrec_exported *jfrec_export_parquet(struct jfrec_reader *r, const char *directory,
					    const struct jfrec_parquet_options *options,
					    struct jfrec_error *err)
{
	struct jfrec_parquet_options o;
	struct export e = { .writer = { .directory = directory, .options = &o } };
	struct jfrec_exported *result = NULL;
	struct jfrec_tables *t = NULL;

	if (options_take(&o, sizeof(o), options, err) < 0)
		return NULL;
	if (labels_init(&e.labels, &o, err) == 0 &&
	    partition_init(&e.partition, o.partition, &e.labels, err) == 0 &&
	    (t = jfrec_tables_new(r, err)) != NULL && begin(&e, t, err) == 0 &&
	    export_rows(&e, err) == 0)
		result = result_of(&e, err);
	end(&e);
	made_directories_end(&e.made, !result);
	jfrec_tables_free(t);
	return result;
}
