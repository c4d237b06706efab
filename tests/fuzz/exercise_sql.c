/* SPDX-License-Identifier: MIT */
/*
 * exercise_sql.c - ask SQL about each table of a recording, and write them into a database
 */
#include "exercise_parts.h"

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
		if (c.kind == JFREC_CELL_TEXT)
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

/* "SELECT WHAT FROM TABLE", to be freed. */
static char *selection(const char *what, const char *table)
{
	size_t room = strlen(what) + 2 * strlen(table) + sizeof("SELECT  FROM \"\"");
	char *text = malloc(room), *at = text;

	if (!text)
		return NULL;
	at += sprintf(at, "SELECT %s FROM \"", what);
	for (; *table; table++) {
		*at++ = *table;
		if (*table == '"')
			*at++ = '"';
	}
	memcpy(at, "\"", 2);
	return text;
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

		insist(ask(sql, selection("recording", name)) == rows,
		       "a table has the same rows, whatever is asked for");
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
