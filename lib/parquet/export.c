/* SPDX-License-Identifier: MIT */
/*
 * export.c - the tables of a recording as a directory of Parquet files
 *
 * Rows come in the order of the recording, each for another table, so all files grow side by side:
 * a batch of rows for each, which becomes a row group when it is large, or when all together are.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/options.h"
#include "output/output.h"
#include "parquet/table_file.h"
#include "tables/places.h"
#include "tables/rows.h"
#include "tables/tables.h"

/* What the batches of all files may take together. */
#define MEMORY_MOST ((size_t)96 << 20)

struct export {
	struct file_writer writer;
	struct jfrec_tables *tables;
	struct jfrec_rows *rows;
	struct labels labels;
	struct partition partition;
	struct arena arena;
	struct table_shape *shapes; /* by the table; .columns is NULL: not made yet */
	struct table_file **files;
	size_t count, room;
	struct table_file **last; /* of each table, the one that got the row before */
	struct digest_map places; /* of each path, 1 + the number of its file */
	size_t memory;
	uint64_t chunk;
	const char *recording; /* that the labels are of; in the arena */
	uint64_t row_count;
};

/* Tables --------------------------------------------------------------------------------------- */

static struct parquet_column column_of(const struct jfrec_table_column *c, bool lists_frames)
{
	static const struct {
		enum parquet_kind kind;
		unsigned bits;
	} kinds[] = {
		[JFREC_KIND_BOOL] = { PARQUET_BOOL, 1 },
		[JFREC_KIND_INT8] = { PARQUET_INT, 8 },
		[JFREC_KIND_INT16] = { PARQUET_INT, 16 },
		[JFREC_KIND_INT32] = { PARQUET_INT, 32 },
		[JFREC_KIND_INT64] = { PARQUET_INT, 64 },
		[JFREC_KIND_UINT8] = { PARQUET_UINT, 8 },
		[JFREC_KIND_UINT16] = { PARQUET_UINT, 16 },
		[JFREC_KIND_UINT32] = { PARQUET_UINT, 32 },
		[JFREC_KIND_UINT64] = { PARQUET_UINT, 64 },
		[JFREC_KIND_FLOAT32] = { PARQUET_FLOAT, 32 },
		[JFREC_KIND_FLOAT64] = { PARQUET_DOUBLE, 64 },
		[JFREC_KIND_TIME] = { PARQUET_TIME, 64 },
		[JFREC_KIND_SPAN] = { PARQUET_INT, 64 },
	};

	if (c->kind == JFREC_KIND_STACK && lists_frames)
		return (struct parquet_column){ .name = c->name, .kind = PARQUET_FRAMES };
	if (c->kind >= JFREC_KIND_STRING)
		return (struct parquet_column){ .name = c->name, .kind = PARQUET_TEXT };
	return (struct parquet_column){ c->name, kinds[c->kind].kind, kinds[c->kind].bits };
}

/*
 * The labels that are columns, after the table's own. Engines see those of partitions as columns.
 */
static int add_labels(struct export *e, struct table_shape *s, size_t table,
		      struct jfrec_error *err)
{
	for (size_t i = 0; i < e->labels.count; i++) {
		const struct jfrec_label *l = &e->labels.items[i];

		if (jfrec_tables_find_column(e->writer.tables, table, l->key) >= 0)
			return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
					  "label %s has the name of a column of %s; choose another "
					  "one",
					  l->key, s->info->name);
		if (partition_has(&e->partition, l->key))
			continue;
		s->sources[s->count] = (struct filler_source){ .label = l };
		s->columns[s->count++] = (struct parquet_column){ .name = l->key,
								  .kind = PARQUET_TEXT };
	}
	return 0;
}

/* The column of that name and kind, or -1. */
static int find_column(const struct jfrec_tables *t, size_t table, const char *name,
		       enum jfrec_kind kind)
{
	int i = jfrec_tables_find_column(t, table, name);

	return i >= 0 && jfrec_tables_column_get(t, table, (size_t)i)->kind == kind ? i : -1;
}

static int make_shape(struct export *e, size_t table, struct jfrec_error *err)
{
	const struct jfrec_tables *t = e->writer.tables;
	struct table_shape *s = &e->shapes[table];
	const struct jfrec_table_column *c;

	s->info = jfrec_tables_get(t, table);
	s->count = s->info->column_count;
	s->columns = arena_zalloc(&e->arena, s->count + e->labels.count + 1, sizeof(*s->columns));
	s->sources = arena_zalloc(&e->arena, s->count + e->labels.count + 1, sizeof(*s->sources));
	if (!s->columns || !s->sources)
		return jfrec_fail_memory(err);
	for (size_t i = 0; (c = jfrec_tables_column_get(t, table, i)) != NULL; i++) {
		s->columns[i] = column_of(c, e->writer.options->stack_frames);
		s->sources[i] = (struct filler_source){ .column = i, .kind = c->kind };
	}
	s->start = find_column(t, table, "startTime", JFREC_KIND_TIME);
	s->duration = find_column(t, table, "duration", JFREC_KIND_SPAN);
	return add_labels(e, s, table, err);
}

/* Files ---------------------------------------------------------------------------------------- */

static struct table_file *add_file(struct export *e, size_t table, char *path,
				   struct jfrec_error *err)
{
	struct table_file *f;

	if (tables_check_limit(e->tables, e->count, err) < 0) {
		free(path);
		return NULL;
	}
	f = table_file_new(&e->shapes[table], table, path);
	if (!f || !array_push(e->files, e->count, e->room, f)) {
		table_file_free(f);
		jfrec_fail_memory(err);
		return NULL;
	}
	return f;
}

/* The file of that path, which is taken over. */
static struct table_file *find_file(struct export *e, size_t table, char *path,
				    struct jfrec_error *err)
{
	struct digest d = DIGEST_INIT;
	struct table_file *f;
	uint64_t *place;

	digest_bytes(&d, path, strlen(path));
	place = digest_map_put(&e->places, d);
	if (!place) {
		free(path);
		jfrec_fail_memory(err);
		return NULL;
	}
	if (*place) {
		free(path);
		return e->files[*place - 1];
	}
	f = add_file(e, table, path, err);
	if (f)
		*place = e->count;
	return f;
}

static int64_t day_of_row(const struct export *e, const struct table_shape *s)
{
	struct jfrec_table_value v;

	if (!e->partition.has_date || s->start < 0)
		return NO_DAY;
	jfrec_rows_value(e->rows, (size_t)s->start, &v);
	return v.is_null ? NO_DAY : day_of(v.i);
}

/* The file that the row goes to; NULL with *err set. */
static struct table_file *file_of_row(struct export *e, struct jfrec_error *err)
{
	size_t table = jfrec_rows_table(e->rows);
	struct table_file **last = &e->last[table];
	int64_t day;
	char *path;

	if (*last && !e->partition.list)
		return *last;
	day = day_of_row(e, &e->shapes[table]);
	if (*last && (*last)->day == day)
		return *last;
	path = place_of(&e->partition, &e->labels, e->shapes[table].info->name, day, e->recording);
	if (!path) {
		jfrec_fail_memory(err);
		return NULL;
	}
	*last = find_file(e, table, path, err);
	if (*last)
		(*last)->day = day;
	return *last;
}

static void count_memory(struct export *e, struct table_file *f)
{
	size_t size = batch_size(&f->filler.batch);

	e->memory += size - f->size;
	f->size = size;
}

static int flush_file(struct export *e, struct table_file *f, struct jfrec_error *err)
{
	int ret = table_file_flush(f, &e->writer, err);

	count_memory(e, f);
	return ret;
}

static int flush_largest(struct export *e, struct jfrec_error *err)
{
	struct table_file *largest = e->files[0];

	for (size_t i = 1; i < e->count; i++) {
		if (batch_size(&e->files[i]->filler.batch) > batch_size(&largest->filler.batch))
			largest = e->files[i];
	}
	return flush_file(e, largest, err);
}

/* Rows ----------------------------------------------------------------------------------------- */

/* Labels change with the recording, which changes with the chunk. */
static int enter_chunk(struct export *e, struct jfrec_error *err)
{
	const char *recording = jfrec_rows_recording(e->rows);

	e->chunk = jfrec_rows_chunk(e->rows);
	if (e->recording && strcmp(e->recording, recording) == 0)
		return 0;
	e->recording = arena_strndup(&e->arena, recording, strlen(recording));
	if (!e->recording)
		return jfrec_fail_memory(err);
	if (e->partition.list)
		memset(e->last, 0, jfrec_tables_count(e->writer.tables) * sizeof(*e->last));
	return labels_take_name(&e->labels, recording, err);
}

/* Did the event end before those that are asked for? */
static bool is_too_early(const struct export *e, const struct table_shape *s)
{
	const int64_t *from = e->writer.options->from_ns;
	struct jfrec_table_value start = { .is_null = true }, duration = { .is_null = true };
	int64_t end;

	if (!from)
		return false;
	if (s->start >= 0)
		jfrec_rows_value(e->rows, (size_t)s->start, &start);
	if (s->duration >= 0)
		jfrec_rows_value(e->rows, (size_t)s->duration, &duration);
	if (start.is_null)
		return true;
	if (duration.is_null || duration.i < 0)
		return start.i < *from;
	return !__builtin_add_overflow(start.i, duration.i, &end) && end < *from;
}

static int add_row(struct export *e, struct jfrec_error *err)
{
	struct table_shape *s = &e->shapes[jfrec_rows_table(e->rows)];
	struct table_file *f;

	if (!s->columns && make_shape(e, jfrec_rows_table(e->rows), err) < 0)
		return -1;
	if (is_too_early(e, s))
		return 0;
	if (e->chunk != jfrec_rows_chunk(e->rows) && enter_chunk(e, err) < 0)
		return -1;
	f = file_of_row(e, err);
	if (!f)
		return -1;
	if (!rows_fill(e->rows, &f->filler))
		return jfrec_fail_memory(err);
	e->row_count++;
	if (f->filler.waiting)
		return 0;
	count_memory(e, f);
	if (table_file_is_full(f))
		return flush_file(e, f, err);
	return e->memory > MEMORY_MOST ? flush_largest(e, err) : 0;
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

static int export_rows(struct export *e, struct jfrec_error *err)
{
	int got;

	while ((got = jfrec_rows_next(e->rows, err)) > 0) {
		if (add_row(e, err) < 0)
			return -1;
	}
	for (size_t i = 0; got == 0 && i < e->count; i++)
		got = table_file_end(e->files[i], &e->writer, err);
	return got < 0 ? -1 : commit_all(e, err);
}

/* All of it ------------------------------------------------------------------------------------ */

static int begin(struct export *e, struct jfrec_tables *t, struct jfrec_error *err)
{
	const struct jfrec_parquet_options *o = e->writer.options;
	size_t count = jfrec_tables_count(t);

	e->writer.tables = e->tables = t;
	jfrec_tables_limit(t, o->max_files);
	e->shapes = arena_zalloc(&e->arena, count + 1, sizeof(*e->shapes));
	e->last = arena_zalloc(&e->arena, count + 1, sizeof(struct table_file *));
	if (!e->shapes || !e->last)
		return jfrec_fail_memory(err);
	e->rows = jfrec_rows_new(t, err);
	if (!e->rows || parquet_scratch_init(&e->writer.scratch, err) < 0)
		return -1;
	if (o->stack_frames)
		rows_list_frames(e->rows);
	jfrec_rows_set_span(e->rows, INT64_MIN, o->to_ns ? *o->to_ns : INT64_MAX);
	for (size_t i = 0; i < count; i++) {
		if (jfrec_rows_want(e->rows, i, NULL, 0, err) < 0)
			return -1;
	}
	return 0;
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
	made_directories_end(&e.writer.made, !result);
	jfrec_tables_free(t);
	return result;
}
