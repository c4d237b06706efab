/* SPDX-License-Identifier: MIT */
/*
 * sqlite_file.h - a SQLite database that is being written
 *
 *	sqlite_file.c         the tables, and what they are
 *	sqlite_file_fill.c    where their rows come from: one thread, or several
 *	sqlite_file_insert.c  a row goes into its table
 */
#ifndef JFREC_SQL_SQLITE_FILE_H
#define JFREC_SQL_SQLITE_FILE_H

#include "sql/sqlite.h"

struct database {
	sqlite3 *db;
	struct jfrec_tables *tables;
	sqlite3_stmt **inserts; /* by the table; NULL: it has no rows yet */
	uint64_t *counts;
	size_t made; /* tables */
	sqlite3_stmt *add_stack, *add_recording;
	struct digest_map stacks; /* ids, by text */
	uint64_t stack_count;
	struct idmap known_stacks; /* of this scope: ids, by table, column and number of the text */
	uint64_t scope;
	char *recording; /* of the row before */
	sqlite3_int64 recording_id, recording_count;
	struct digest_map recordings;
	uint64_t count;
	const int64_t *from_ns, *to_ns; /* or NULL */
	struct jfrec_table_value *values; /* of the row at hand */
	struct jfrec_error err;
};

/* Keep why SQLite failed.  -1. */
int database_fail(struct database *d, int result);

/* Make the table, which has no rows yet.  0, or -1 with d->err set; the others as well. */
int database_make_table(struct database *d, size_t table);

/*
 * Insert a row with d->values, unless its event ended before d->from_ns.  Numbers of texts are
 * those of its scope, which is not 0.
 */
int database_add(struct database *d, size_t table, const char *recording, uint64_t scope);

/* Insert all rows, which as many threads work out as jfrec_reader_set_jobs() allows. */
int database_fill(struct database *d);

#endif
