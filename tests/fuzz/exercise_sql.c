/* SPDX-License-Identifier: MIT */
/*
 * exercise_sql.c - ask SQL about each table of a recording, and write them into a database
 */
#include "exercise_parts.h"
#include "jfrec-tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No statement may last longer on so small a recording. */
#define TIMEOUT_NS INT64_C(60000000000)

static void look_at(struct jfrec_sql *sql)
{
	for (size_t i = 0; i < jfrec_sql_column_count(sql); i++) {
		struct jfrec_cell c = jfrec_sql_cell(sql, i);

		touch(jfrec_sql_column_name(sql, i));
		if (c.kind == JFREC_KIND_STRING)
			touch(c.text);
	}
}

/* How many rows a statement has; UINT64_MAX: the recording does not let it end. */
static uint64_t ask(struct jfrec_sql *sql, char *statement)
{
	struct jfrec_error err = { 0 };
	uint64_t rows = 0;
	int got = -1;

	insist(statement != NULL, "there is memory");
	insist(jfrec_sql_ask(sql, statement, &err) == 0, "each table can be asked for");
	while ((got = jfrec_sql_next(sql, &err)) > 0) {
		look_at(sql);
		rows++;
	}
	insist(got == 0 || (err.text[0] && err.code != JFREC_ETIMEOUT), "a failure says why");
	free(statement);
	return got == 0 ? rows : UINT64_MAX;
}

/* The name in double quotes; its end. */
static char *put_quoted(char *at, const char *name)
{
	*at++ = '"';
	for (; *name; name++) {
		*at++ = *name;
		if (*name == '"')
			*at++ = '"';
	}
	memcpy(at, "\"", 2);
	return at + 1;
}

/* "SELECT WHAT FROM TABLE", to be freed. */
static char *selection(const char *what, const char *table)
{
	size_t room = strlen(what) + 2 * strlen(table) + sizeof("SELECT  FROM \"\"");
	char *text = malloc(room);

	if (text)
		put_quoted(text + sprintf(text, "SELECT %s FROM ", what), table);
	return text;
}

/* How many rows the groups of a column have together. */
static uint64_t ask_groups(struct jfrec_sql *sql, const char *column, const char *table)
{
	size_t room = 4 * strlen(column) + 2 * strlen(table) + 100;
	char *text = malloc(room), *at = text;
	struct jfrec_error err = { 0 };
	uint64_t rows = 0;
	int got;

	insist(text != NULL, "there is memory");
	at = put_quoted(at + sprintf(at, "SELECT count(*), max("), column);
	at = put_quoted(at + sprintf(at, ") FROM "), table);
	put_quoted(at + sprintf(at, " GROUP BY "), column);
	insist(jfrec_sql_ask(sql, text, &err) == 0, "rows can be grouped");
	while ((got = jfrec_sql_next(sql, &err)) > 0) {
		look_at(sql);
		rows += (uint64_t)jfrec_sql_cell(sql, 0).i;
	}
	insist(got == 0 || (err.text[0] && err.code != JFREC_ETIMEOUT), "a failure says why");
	free(text);
	return got == 0 ? rows : UINT64_MAX;
}

static uint64_t ask_all(struct jfrec_tables *t)
{
	struct jfrec_sql_options o = { .struct_size = sizeof(o), .timeout_ns = TIMEOUT_NS };
	struct jfrec_sql *sql = jfrec_sql_new(t, &o, NULL);
	uint64_t sum = 0;

	insist(sql != NULL, "SQLite is there");
	for (size_t i = 0; i < jfrec_tables_count(t); i++) {
		const char *name = jfrec_tables_get(t, i)->name;
		uint64_t rows = ask(sql, selection("*", name));
		size_t columns = jfrec_tables_get(t, i)->column_count;

		insist(ask(sql, selection("recording", name)) == rows,
		       "a table has the same rows, whatever is asked for");
		/* One column of each table, not always the same one. */
		insist(columns == 0 ||
			       ask_groups(sql, jfrec_tables_column_get(t, i, i % columns)->name,
					  name) == rows,
		       "each row is in one group");
		if (rows != UINT64_MAX)
			sum += rows;
	}
	jfrec_sql_free(sql);
	return sum;
}

static void write_database(struct jfrec_tables *t, uint64_t expected)
{
	struct jfrec_error err = { 0 };
	struct jfrec_output *o = jfrec_output_measure(NULL);
	uint64_t rows = 0;

	insist(o != NULL, "there is memory");
	if (jfrec_write_sqlite(t, NULL, NULL, o, &rows, &err) == 0)
		insist(rows == expected, "a database has the rows that SQL has");
	else
		insist(err.text[0], "a failure says why");
	jfrec_output_close(o);
}

void exercise_sql(void)
{
	struct jfrec_reader *r = jfrec_sql_load(NULL) == 0 ? open_reader() : NULL;
	struct jfrec_tables *t = r ? jfrec_tables_new(r, NULL) : NULL;

	if (t)
		write_database(t, ask_all(t));
	jfrec_tables_free(t);
	jfrec_reader_close(r);
}
