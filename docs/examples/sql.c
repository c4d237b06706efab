/* SPDX-License-Identifier: MIT */
/*
 * sql.c - a statement of SQLite over the events of a recording
 *
 * usage: sql RECORDING STATEMENT
 */
#include <inttypes.h>
#include <stdio.h>

#include <jfrec/sql.h>

static void print_cell(struct jfrec_cell c)
{
	if (c.kind == JFREC_KIND_STRING)
		fwrite(c.text, 1, c.len, stdout);
	else if (c.kind == JFREC_KIND_FLOAT)
		printf("%g", c.d);
	else if (c.kind != JFREC_KIND_NULL)
		printf("%" PRId64, c.i);
}

static int print_rows(struct jfrec_sql *sql, struct jfrec_error *err)
{
	size_t columns = jfrec_sql_column_count(sql);
	int got;

	for (size_t i = 0; i < columns; i++)
		printf("%s%s", jfrec_sql_column_name(sql, i), i + 1 < columns ? "\t" : "\n");
	while ((got = jfrec_sql_next(sql, err)) > 0)
		for (size_t i = 0; i < columns; i++) {
			print_cell(jfrec_sql_cell(sql, i));
			printf("%s", i + 1 < columns ? "\t" : "\n");
		}
	return got;
}

int main(int argc, char **argv)
{
	struct jfrec_error err = { .text = "usage: sql RECORDING STATEMENT" };
	struct jfrec_sql_options o = {
		.struct_size = sizeof(o),
		.timeout_ns = INT64_C(10000000000),
		.memory = 256 << 20,
	};
	struct jfrec_reader *r = argc == 3 ? jfrec_reader_open(argv[1], NULL, &err) : NULL;
	struct jfrec_tables *t = r ? jfrec_tables_new(r, &err) : NULL;
	struct jfrec_sql *sql = t ? jfrec_sql_new(t, &o, &err) : NULL;
	int ret = -1;

	if (sql && jfrec_sql_ask(sql, argv[2], &err) == 0)
		ret = print_rows(sql, &err);
	if (ret < 0)
		fprintf(stderr, "sql: %s\n", err.text);
	jfrec_sql_free(sql);
	jfrec_tables_free(t);
	jfrec_reader_close(r);
	return ret < 0;
}
