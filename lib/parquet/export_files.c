/* SPDX-License-Identifier: MIT */
/*
 * export_files.c - the files of an export, which grow side by side
 *
 * Rows come in the order of the recording, each for another table: a batch of rows for each file
 * becomes a row group when it is large, or when all together are.
 */
#include "parquet/export_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

/* What the batches of all files may take together. */
#define MEMORY_MOST ((size_t)96 << 20)

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

int export_make_shape(struct export *e, size_t table, struct jfrec_error *err)
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

/* Labels change with the recording, which changes with the chunk. */
int export_enter(struct export *e, const char *recording, struct jfrec_error *err)
{
	if (e->recording && strcmp(e->recording, recording) == 0)
		return 0;
	e->recording = arena_strndup(&e->arena, recording, strlen(recording));
	if (!e->recording)
		return jfrec_fail_memory(err);
	if (e->partition.list)
		memset(e->last, 0, jfrec_tables_count(e->writer.tables) * sizeof(*e->last));
	return labels_take_name(&e->labels, recording, err);
}

int64_t export_day(const struct export *e, bool has_start, int64_t start_ns)
{
	return e->partition.has_date && has_start ? day_of(start_ns) : NO_DAY;
}

bool export_is_too_early(const struct export *e, bool has_start, int64_t start_ns,
			 bool has_duration, int64_t duration_ns)
{
	const int64_t *from = e->writer.options->from_ns;
	int64_t end;

	if (!from)
		return false;
	if (!has_start)
		return true;
	if (!has_duration || duration_ns < 0)
		return start_ns < *from;
	return !__builtin_add_overflow(start_ns, duration_ns, &end) && end < *from;
}

struct table_file *export_other_file(struct export *e, size_t table, int64_t day,
				     struct jfrec_error *err)
{
	struct table_file **last = &e->last[table];
	char *path;

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

/* Row groups ----------------------------------------------------------------------------------- */

static void count_memory(struct export *e, struct table_file *f)
{
	size_t size = batch_size(&f->filler.batch);

	e->memory += size - f->size;
	f->size = size;
}

static int flush_file(struct export *e, struct table_file *f, struct jfrec_error *err)
{
	int ret = table_file_flush(f, &e->writer, err);

	if (ret == 0)
		ret = table_file_count(f, &e->writer, err);
	count_memory(e, f);
	return ret;
}

static int flush_largest(struct export *e, struct jfrec_error *err)
{
	struct table_file *largest = e->files[0];

	for (size_t i = 1; i < e->count; i++) {
		if (table_file_size(e->files[i]) > table_file_size(largest))
			largest = e->files[i];
	}
	return flush_file(e, largest, err);
}

int export_settled(struct export *e, struct table_file *f, struct jfrec_error *err)
{
	count_memory(e, f);
	if (table_file_is_full(f))
		return flush_file(e, f, err);
	return e->memory > MEMORY_MOST ? flush_largest(e, err) : 0;
}
