/* SPDX-License-Identifier: MIT */
/*
 * arrow.c - the rows of a table as a stream of Arrow's C stream interface
 */
#include "tables/arrow.h"

#include <errno.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/options.h"
#include "tables/filler.h"
#include "tables/rows.h"

#define ROWS 65536

/* A batch ends after different texts of that many bytes. */
#define TEXT_MOST ((size_t)64 << 20)

struct stream {
	struct jfrec_arrow_options options;
	struct jfrec_rows *rows;
	struct filler_source *sources;
	struct arrow_column *columns;
	size_t count;
	struct filler filler;
	struct jfrec_error error;
	bool is_over;
};

static void free_stream(struct stream *s)
{
	filler_fini(&s->filler);
	jfrec_rows_free(s->rows);
	free(s->sources);
	free(s->columns);
	free(s);
}

/* The stream ----------------------------------------------------------------------------------- */

static int fail_stream(struct stream *s)
{
	s->is_over = true;
	switch (s->error.code) {
	case JFREC_ENOMEM:
		return ENOMEM;
	case JFREC_ECANCELED:
		return ECANCELED;
	case JFREC_EINVAL:
	case JFREC_EEXPRESSION:
		return EINVAL;
	default:
		return s->error.sys ? s->error.sys : EIO;
	}
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *schema)
{
	struct stream *s = stream->private_data;

	if (arrow_schema_make(schema, s->columns, s->count))
		return 0;
	jfrec_fail_memory(&s->error);
	return ENOMEM;
}

static size_t rows_of_batch(const struct stream *s)
{
	return s->options.rows ? s->options.rows : ROWS;
}

/* Rows until the batch is full.  0: there are no more; -1: s->error is set. */
static int fill(struct stream *s)
{
	const struct batch *b = &s->filler.batch;
	size_t most = rows_of_batch(s);
	int got = 1;

	while (filler_rows(&s->filler) < most && b->text_size < TEXT_MOST &&
	       (got = jfrec_rows_next(s->rows, &s->error)) > 0) {
		if (!rows_fill(s->rows, &s->filler))
			return jfrec_fail_memory(&s->error);
	}
	if (!filler_settle(&s->filler))
		return jfrec_fail_memory(&s->error);
	if (b->text_size > INT32_MAX) /* their offsets have 31 bits */
		return jfrec_fail(&s->error, JFREC_EUNSUPPORTED, JFREC_NO_OFFSET,
				  "the texts of one event are longer than 2 GiB");
	return got;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *array)
{
	struct stream *s = stream->private_data;
	int got = s->is_over ? 0 : fill(s);
	bool is_good;

	*array = (struct ArrowArray){ 0 };
	if (got < 0)
		return fail_stream(s);
	s->is_over = got == 0;
	if (!s->filler.batch.rows)
		return 0;
	batch_count_nulls(&s->filler.batch);
	is_good = arrow_array_make(array, s->columns, &s->filler.batch);
	filler_clear(&s->filler);
	if (is_good)
		return 0;
	jfrec_fail_memory(&s->error);
	*array = (struct ArrowArray){ 0 };
	return fail_stream(s);
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
	struct stream *s = stream->private_data;

	return s->error.code ? s->error.text : NULL;
}

static void release(struct ArrowArrayStream *stream)
{
	struct stream *s = stream->private_data;
	struct jfrec_arrow_options o = s->options;

	free_stream(s);
	stream->release = NULL;
	if (o.done)
		o.done(o.ctx);
}

/* Opening -------------------------------------------------------------------------------------- */

static int add_column(struct stream *s, const struct jfrec_tables *t, size_t table, int column,
		      const char *name, struct jfrec_error *err)
{
	const struct jfrec_table_column *c;

	if (column < 0)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "%s has no column %.100s",
				  jfrec_tables_get(t, table)->name, name);
	c = jfrec_tables_column_get(t, table, (size_t)column);
	s->sources[s->count] = (struct filler_source){ .column = (size_t)column, .kind = c->kind };
	s->columns[s->count++] = (struct arrow_column){
		.name = c->name,
		.unit = c->unit,
		.kind = c->kind,
		.lists_frames = s->options.stack_frames && c->kind == JFREC_KIND_STACK,
	};
	return 0;
}

static int add_columns(struct stream *s, const struct jfrec_tables *t, size_t table,
		       struct jfrec_error *err)
{
	const struct jfrec_arrow_options *o = &s->options;
	size_t count = o->columns ? o->column_count : jfrec_tables_get(t, table)->column_count;

	s->sources = calloc(count + 1, sizeof(*s->sources));
	s->columns = calloc(count + 1, sizeof(*s->columns));
	if (!s->sources || !s->columns)
		return jfrec_fail_memory(err);
	for (size_t i = 0; i < count; i++) {
		const char *name = o->columns ? o->columns[i] : NULL;
		int column = name ? jfrec_tables_find_column(t, table, name) : (int)i;

		if (add_column(s, t, table, column, name, err) < 0)
			return -1;
	}
	return 0;
}

/* Have the rows decode these columns and no others. */
static int want_columns(struct stream *s, size_t table, struct jfrec_error *err)
{
	size_t *numbers = calloc(s->count + 1, sizeof(*numbers));
	int ret;

	if (!numbers)
		return jfrec_fail_memory(err);
	for (size_t i = 0; i < s->count; i++)
		numbers[i] = s->sources[i].column;
	ret = jfrec_rows_want(s->rows, table, numbers, s->count, err);
	free(numbers);
	return ret;
}

static int begin(struct stream *s, struct jfrec_tables *t, size_t table, struct jfrec_error *err)
{
	const struct jfrec_arrow_options *o = &s->options;

	if (!jfrec_tables_get(t, table))
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "there is no table %zu",
				  table);
	if (add_columns(s, t, table, err) < 0 ||
	    filler_init(&s->filler, s->sources, s->count, rows_of_batch(s), err) < 0)
		return -1;
	s->rows = jfrec_rows_new(t, err);
	if (!s->rows)
		return -1;
	jfrec_rows_set_span(s->rows, o->from_ns ? *o->from_ns : INT64_MIN,
			    o->to_ns ? *o->to_ns : INT64_MAX);
	if (o->stack_frames)
		rows_list_frames(s->rows);
	if (o->chunk_count)
		jfrec_rows_set_chunks(s->rows, o->first_chunk, o->chunk_count);
	return want_columns(s, table, err);
}

int jfrec_arrow_stream(struct jfrec_tables *t, size_t table,
		       const struct jfrec_arrow_options *options, struct ArrowArrayStream *stream,
		       struct jfrec_error *err)
{
	struct stream *s = calloc(1, sizeof(*s));

	if (!s)
		return jfrec_fail_memory(err);
	if (options_take(&s->options, sizeof(s->options), options, err) < 0 ||
	    begin(s, t, table, err) < 0) {
		free_stream(s);
		return -1;
	}
	/* The caller's: they need not live as long. */
	s->options.columns = NULL;
	s->options.from_ns = s->options.to_ns = NULL;
	*stream = (struct ArrowArrayStream){
		.get_schema = get_schema,
		.get_next = get_next,
		.get_last_error = get_last_error,
		.release = release,
		.private_data = s,
	};
	return 0;
}
