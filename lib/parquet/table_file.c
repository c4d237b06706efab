/* SPDX-License-Identifier: MIT */
/*
 * table_file.c - a Parquet file that gets the rows of one table
 */
#include "parquet/table_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "output/output.h"
#include "tables/places.h"

/* A row group has that much of numbers, and about that much of texts. */
#define NUMBERS_MOST ((size_t)8 << 20)
#define TEXTS_MOST   ((size_t)16 << 20)

static size_t rows_of_group(size_t columns)
{
	return NUMBERS_MOST / sizeof(uint64_t) / (columns + 1) + 1;
}

struct table_file *table_file_new(const struct table_shape *shape, size_t table, char *path)
{
	struct table_file *f = calloc(1, sizeof(*f));

	if (!f) {
		free(path);
		return NULL;
	}
	f->shape = shape;
	f->table = table;
	f->path = path;
	f->parquet.columns = shape->columns;
	f->parquet.column_count = shape->count;
	if (filler_init(&f->filler, shape->sources, shape->count, rows_of_group(shape->count),
			NULL) == 0)
		return f;
	table_file_free(f);
	return NULL;
}

void table_file_free(struct table_file *f)
{
	if (!f)
		return;
	filler_fini(&f->filler);
	parquet_fini(&f->parquet);
	jfrec_output_close(f->output);
	free(f->path);
	free(f);
}

static bool has_all_rows(const struct batch *b)
{
	return b->rows >= b->most;
}

bool table_file_is_full(const struct table_file *f)
{
	return has_all_rows(&f->filler.batch) || f->filler.batch.text_size >= TEXTS_MOST;
}

/* Rows that wait ------------------------------------------------------------------------------- */

static bool put_label(struct batch *b, size_t column, const char *value, size_t count)
{
	uint32_t n = batch_text_number(b, column, value, strlen(value));

	for (size_t i = 0; i < count; i++)
		batch_column_set(&b->columns[column], b->rows + i, n);
	return n != UINT32_MAX;
}

bool table_file_let_go(struct table_file *f)
{
	struct waiting_rows *w = &f->waiting;
	struct batch *b = &f->filler.batch;
	bool ok = true;

	if (!w->held)
		return true;
	if (!batch_reserve(b, w->held))
		return false;
	batch_join_to(w->join, b, f->parquet.group_count);
	for (size_t i = 0; ok && i < f->shape->count; i++) {
		const struct filler_source *s = &f->shape->sources[i];

		ok = s->label ? put_label(b, i, s->label->value, w->held)
			      : batch_join_add(w->join, s->column, kind_is_text(s->kind), b, i,
					       w->first, w->held);
	}
	b->rows += w->held;
	w->held = 0;
	return ok;
}

bool table_file_settle(struct table_file *f)
{
	bool ok = table_file_let_go(f);

	f->waiting.count = 0;
	f->waiting.settled = batch_size(&f->filler.batch);
	return ok;
}

/* The file ------------------------------------------------------------------------------------- */

/* The text names the file, of which there are many. */
int table_file_fail(const struct table_file *f, struct jfrec_error *err)
{
	struct jfrec_error before;

	if (!err || err->code != JFREC_EOUTPUT)
		return -1;
	before = *err;
	snprintf(err->text, sizeof(err->text), "%.150s: %.200s", f->path, before.text);
	return -1;
}

static void put_pairs(struct table_file *f, const struct file_writer *w)
{
	const struct jfrec_table_column *c;
	char *key = NULL;

	parquet_pair(&f->parquet, "jfrec.type", f->shape->info->type);
	for (size_t i = 0; (c = jfrec_tables_column_get(w->tables, f->table, i)) != NULL; i++) {
		if (!c->unit)
			continue;
		if (asprintf(&key, "jfrec.unit.%s", c->name) < 0) {
			f->parquet.pairs.failed = true;
			return;
		}
		parquet_pair(&f->parquet, key, c->unit);
		free(key);
	}
}

static int open_output(struct table_file *f, struct file_writer *w, struct jfrec_error *err)
{
	char *path = NULL;

	if (make_directories(w->directory, f->path, w->made, err) < 0)
		return -1;
	if (asprintf(&path, "%s/%s", w->directory, f->path) < 0)
		return jfrec_fail_memory(err);
	f->output = output_open_small(path, w->options->force, err);
	free(path);
	return f->output ? 0 : table_file_fail(f, err);
}

static int open_file(struct table_file *f, struct file_writer *w, struct jfrec_error *err)
{
	const struct jfrec_parquet_options *o = w->options;
	int ret;

	if (w->opening)
		pthread_mutex_lock(w->opening);
	ret = open_output(f, w, err);
	if (w->opening)
		pthread_mutex_unlock(w->opening);
	if (ret < 0)
		return -1;
	if (o->mode)
		jfrec_output_set_mode(f->output, o->mode, true);
	f->parquet.options = (struct parquet_options){
		.level = o->level ? o->level : 1,
		.nanoseconds = o->nanoseconds,
	};
	put_pairs(f, w);
	return parquet_begin(&f->parquet, jfrec_output_write, f->output, err);
}

int table_file_count(struct table_file *f, struct file_writer *w, struct jfrec_error *err)
{
	w->bytes += f->written - f->counted;
	f->counted = f->written;
	if (!w->options->max_bytes || w->bytes <= w->options->max_bytes)
		return 0;
	return jfrec_fail_output(err, EOVERFLOW);
}

int table_file_flush(struct table_file *f, struct file_writer *w, struct jfrec_error *err)
{
	if (!f->output && open_file(f, w, err) < 0)
		return -1;
	if (!(f->waiting.is_used ? table_file_settle(f) : filler_settle(&f->filler)))
		return jfrec_fail_memory(err);
	if (!f->filler.batch.rows) {
		filler_clear(&f->filler);
		return 0;
	}
	batch_count_nulls(&f->filler.batch);
	if (parquet_put(&f->parquet, &f->filler.batch, &w->scratch, err) < 0)
		return table_file_fail(f, err);
	if (has_all_rows(&f->filler.batch))
		filler_restart(&f->filler);
	else
		filler_clear(&f->filler);
	f->waiting.settled = batch_size(&f->filler.batch);
	f->written = f->parquet.at;
	return 0;
}

int table_file_end(struct table_file *f, struct file_writer *w, struct jfrec_error *err)
{
	if (table_file_flush(f, w, err) < 0)
		return -1;
	filler_fini(&f->filler);
	if (parquet_end(&f->parquet, err) < 0 || output_finish(f->output, err) < 0)
		return table_file_fail(f, err);
	return 0;
}
