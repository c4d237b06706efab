/* SPDX-License-Identifier: MIT */
/*
 * exercise_export.c - write the tables of a recording as Parquet, and hand them out as Arrow
 */
#include "exercise_parts.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	return remove(path);
}

/* How many rows were written; UINT64_MAX: the recording cannot be read. */
static uint64_t write_tables(const char *partition)
{
	static const struct jfrec_label label = { "label_of_the_test", "/../x" };
	struct jfrec_parquet_options o = {
		.struct_size = sizeof(o),
		.partition = partition,
		.labels = &label,
		.label_count = 1,
		.nanoseconds = partition != NULL,
		.stack_frames = partition != NULL,
	};
	/* In memory where that is possible: each file is brought to its disk. */
	char directory[] = "/dev/shm/jfrec-fuzz-XXXXXX", other[] = "/tmp/jfrec-fuzz-XXXXXX";
	char *made = mkdtemp(directory);
	struct jfrec_reader *r = open_reader();
	struct jfrec_exported *x = NULL;
	struct jfrec_error err;
	uint64_t rows = UINT64_MAX;

	if (!made)
		made = mkdtemp(other);
	insist(made != NULL, "there is a directory");
	if (r) {
		x = jfrec_export_parquet(r, made, &o, &err);
		insist(x || err.code != JFREC_EOUTPUT || err.sys == EMFILE || err.sys == ENOSPC,
		       "a name in a recording is no reason to fail");
	}
	if (x)
		rows = x->rows;
	jfrec_free(x);
	jfrec_reader_close(r);
	nftw(made, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return rows;
}

/* How many values the children have: of lists, as many as the last one ends with. */
static int64_t length_of_children(const struct ArrowSchema *s, const struct ArrowArray *a)
{
	const int32_t *ends = a->n_buffers > 1 ? a->buffers[1] : NULL;

	if (strcmp(s->format, "+l") != 0)
		return a->length;
	for (int64_t i = 0; i < a->length; i++)
		insist(ends[i] <= ends[i + 1], "lists follow each other");
	return ends[a->length];
}

/* Look at each byte that an array has. */
static uint64_t look_at(const struct ArrowSchema *s, const struct ArrowArray *a)
{
	uint64_t sum = (uint64_t)a->null_count;

	insist(s->n_children == a->n_children, "an array is as its schema says");
	insist(a->null_count <= a->length, "nulls are values");
	for (int64_t i = 0; i < a->n_children; i++) {
		insist(a->children[i]->length == length_of_children(s, a),
		       "columns are of the same length");
		sum += look_at(s->children[i], a->children[i]);
	}
	if (strcmp(s->format, "u") == 0) {
		const int32_t *ends = a->buffers[1];
		const char *bytes = a->buffers[2];

		for (int64_t i = 0; i < a->length; i++)
			insist(ends[i] <= ends[i + 1], "texts follow each other");
		for (int32_t i = 0; i < ends[a->length]; i++)
			sum += (unsigned char)bytes[i];
	}
	if (strcmp(s->format, "i") == 0) {
		for (int64_t i = 0; i < a->length; i++)
			sum += (uint64_t)((const int32_t *)a->buffers[1])[i];
	}
	for (int64_t i = 0; s->dictionary && i < a->length; i++)
		insist(((const int32_t *)a->buffers[1])[i] < a->dictionary->length ||
			       !a->dictionary->length,
		       "texts are in their dictionary");
	if (s->dictionary)
		sum += look_at(s->dictionary, a->dictionary);
	return sum;
}

static uint64_t read_stream(struct ArrowArrayStream *stream)
{
	struct ArrowSchema schema;
	struct ArrowArray array;
	uint64_t rows = 0;

	insist(stream->get_schema(stream, &schema) == 0, "there is a schema");
	while (stream->get_next(stream, &array) == 0 && array.release) {
		look_at(&schema, &array);
		rows += (uint64_t)array.length;
		array.release(&array);
	}
	schema.release(&schema);
	stream->release(stream);
	return rows;
}

static uint64_t read_tables(bool lists_frames)
{
	struct jfrec_arrow_options o = {
		.struct_size = sizeof(o),
		.rows = 100,
		.stack_frames = lists_frames,
	};
	struct jfrec_reader *r = open_reader();
	struct jfrec_tables *t = r ? jfrec_tables_new(r, NULL) : NULL;
	struct ArrowArrayStream stream;
	uint64_t rows = 0;

	for (size_t i = 0; t && i < jfrec_tables_count(t); i++) {
		insist(jfrec_arrow_stream(t, i, &o, &stream, NULL) == 0, "there is a stream");
		rows += read_stream(&stream);
	}
	jfrec_tables_free(t);
	jfrec_reader_close(r);
	return rows;
}

void exercise_export(void)
{
	uint64_t rows = write_tables(NULL), again = write_tables("date,label_of_the_test");

	insist(rows == again, "partitions have the same rows");
	if (rows != UINT64_MAX)
		insist(read_tables(false) == rows && read_tables(true) == rows,
		       "Arrow has the same rows");
}
