/* SPDX-License-Identifier: MIT */
/*
 * column.c - one column of a table of events, each value with the place that it came from
 *
 * usage: column RECORDING TABLE COLUMN [CHUNK]
 *
 * With CHUNK (1 is the first) only of that part of the recording: so processes share the work.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <jfrec/tables.h>

static void print_value(enum jfrec_kind kind, const struct jfrec_table_value *v)
{
	if (v->is_null)
		printf("-");
	else if (kind >= JFREC_KIND_STRING)
		fwrite(v->text, 1, v->len, stdout);
	else if (kind == JFREC_KIND_FLOAT32 || kind == JFREC_KIND_FLOAT64)
		printf("%g", v->d);
	else
		printf("%" PRId64, v->i);
}

static int print_rows(struct jfrec_rows *rows, size_t column, enum jfrec_kind kind,
		      struct jfrec_error *err)
{
	struct jfrec_table_value value;
	int got;

	while ((got = jfrec_rows_next(rows, err)) > 0) {
		jfrec_rows_value(rows, column, &value);
		print_value(kind, &value);
		printf("\tchunk %" PRIu64 ", byte %" PRIu64 " of %s\n", jfrec_rows_chunk(rows),
		       jfrec_rows_offset(rows), jfrec_rows_recording(rows));
	}
	if (got == 0 && jfrec_rows_is_out_of_memory(rows))
		return jfrec_fail_memory(err);
	return got;
}

static int print_column(struct jfrec_tables *t, char **argv, struct jfrec_error *err)
{
	int table = jfrec_tables_find(t, argv[2]);
	int column = table < 0 ? -1 : jfrec_tables_find_column(t, (size_t)table, argv[3]);
	struct jfrec_rows *rows;
	size_t wanted = (size_t)column;
	int ret = -1;

	if (column < 0)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "no column %s of a table %s",
				  argv[3], argv[2]);
	rows = jfrec_rows_new(t, err);
	if (rows && argv[4])
		jfrec_rows_set_chunks(rows, strtoull(argv[4], NULL, 10), 1);
	if (rows && jfrec_rows_want(rows, (size_t)table, &wanted, 1, err) == 0)
		ret = print_rows(rows, wanted,
				 jfrec_tables_column_get(t, (size_t)table, wanted)->kind, err);
	jfrec_rows_free(rows);
	return ret;
}

int main(int argc, char **argv)
{
	struct jfrec_error err = { .text = "usage: column RECORDING TABLE COLUMN [CHUNK]" };
	struct jfrec_reader *r = argc > 3 ? jfrec_reader_open(argv[1], NULL, &err) : NULL;
	struct jfrec_tables *t = r ? jfrec_tables_new(r, &err) : NULL;
	int ret = t ? print_column(t, argv, &err) : -1;

	if (ret < 0)
		fprintf(stderr, "column: %s\n", err.text);
	jfrec_tables_free(t);
	jfrec_reader_close(r);
	return ret < 0;
}
