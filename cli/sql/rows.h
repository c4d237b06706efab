/* SPDX-License-Identifier: MIT */
/*
 * rows.h - print what SQL answers
 */
#ifndef JFREC_CLI_SQL_ROWS_H
#define JFREC_CLI_SQL_ROWS_H

#include "jfrec.h"

enum sql_format {
	SQL_TEXT,
	SQL_JSON,
	SQL_NDJSON,
	SQL_CSV,
};

struct sql_rows;

/* Begin with the rows of the statement at hand.  NULL: no memory. */
struct sql_rows *sql_rows_begin(const struct jfrec_sql *sql, enum sql_format format);

/* Print the row at hand. */
void sql_rows_put(struct sql_rows *r);

/* All rows were there, or not.  Frees it; NULL is none. */
void sql_rows_end(struct sql_rows *r, bool is_whole);

/* List the tables: their names and what they are, or also their columns.  Returns an exit code. */
int sql_print_tables(const struct jfrec_tables *t, bool columns, bool json);

#endif
