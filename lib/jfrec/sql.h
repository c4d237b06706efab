/* SPDX-License-Identifier: MIT */
/*
 * jfrec/sql.h - SQL over the events of recordings, as they lie
 *
 *	struct jfrec_sql *sql = jfrec_sql_new(tables, NULL, &err);
 *
 *	jfrec_sql_ask(sql, "SELECT name, count(*) FROM GCPhasePause GROUP BY name", &err);
 *	while ((got = jfrec_sql_next(sql, &err)) > 0)
 *		cell = jfrec_sql_cell(sql, 0);
 *
 * The language is SQLite's.  Nothing is imported: a statement reads the event types and columns
 * that it names.  It can read nothing else, and change nothing.
 */
#ifndef JFREC_SQL_H
#define JFREC_SQL_H

#include "jfrec/output.h"
#include "jfrec/query.h"
#include "jfrec/tables.h"

JFREC_BEGIN_DECLS

struct jfrec_sql;

/*
 * Load SQLite, once.  The functions below do so, too; a program that gives up the right to open
 * files does it before.  0, or -1 with *err set: JFREC_EUNSUPPORTED, if the library was built
 * without SQLite, or it is not installed.  Any thread may call it.
 */
int jfrec_sql_load(struct jfrec_error *err);

struct jfrec_sql_options {
	size_t struct_size;
	/*
	 * How long a statement may take, in ns, from jfrec_sql_ask() on; 0: any time.  It is asked
	 * between the steps of SQLite: printf() with a precision of 2^31, one step, takes seconds.
	 */
	int64_t timeout_ns;
	/* How much memory SQLite may take, in bytes; 0: any.  The limit is the whole process's. */
	uint64_t memory;
};

/*
 * SQL over these tables, which must live longer.  A table is called as jfrec_tables_get() says and,
 * where only one has it, by its simple name.  It also has a column `recording` that SELECT * does
 * not show, unless there is no other.  jfrec-sql(1) describes the functions.
 *
 * To be freed with jfrec_sql_free(); NULL with *err set: JFREC_ENOMEM, JFREC_EUNSUPPORTED.
 */
struct jfrec_sql *jfrec_sql_new(struct jfrec_tables *t, const struct jfrec_sql_options *o,
				struct jfrec_error *err);

/* Free it, before its tables. */
void jfrec_sql_free(struct jfrec_sql *s);

/*
 * Begin with a statement, and end the one before.  0, or -1 with *err set: JFREC_EEXPRESSION, with
 * the byte in the text where that is known, if it is not one statement that only reads.
 */
int jfrec_sql_ask(struct jfrec_sql *s, const char *statement, struct jfrec_error *err);

/* How many columns its rows have. */
size_t jfrec_sql_column_count(const struct jfrec_sql *s);

/* The name of column number i; NULL beyond the last.  It lives as long as the statement. */
const char *jfrec_sql_column_name(const struct jfrec_sql *s, size_t i);

/*
 * Step to the next row.  1: there is one; 0: no more; -1: *err is set: as jfrec_rows_next(),
 * JFREC_ETIMEOUT, JFREC_EEXPRESSION for what SQLite cannot compute.
 */
int jfrec_sql_next(struct jfrec_sql *s, struct jfrec_error *err);

/* A value of the row; its text lives as long as the row. */
struct jfrec_cell jfrec_sql_cell(const struct jfrec_sql *s, size_t column);

/*
 * Write the rows of all tables into a new SQLite database, as jfrec-export(1) describes: of events
 * that end at the first time or later and begin before the second, in ns; NULL: without that
 * bound.  The same recording and version of jfrec give the same bytes.  *rows, if not NULL, gets
 * their number.
 *
 * 0, or -1 with *err set: as jfrec_rows_next(), JFREC_EOUTPUT.
 */
int jfrec_write_sqlite(struct jfrec_tables *t, const int64_t *from_ns, const int64_t *to_ns,
		       struct jfrec_output *to, uint64_t *rows, struct jfrec_error *err);

JFREC_END_DECLS

#endif
