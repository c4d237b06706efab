/* SPDX-License-Identifier: MIT */
/*
 * sqlite.h - what the files that know SQLite share
 *
 * No other file includes SQLite's headers; a library without SQLite has sqlite_none.c in their
 * place.
 */
#ifndef JFREC_SQL_SQLITE_H
#define JFREC_SQL_SQLITE_H

#include <sqlite3ext.h>

#include "jfrec/sql.h"
#include "tables/tables.h"

/*
 * The functions of SQLite, after jfrec_sql_load(): by this table the names sqlite3_...() mean them.
 */
extern const sqlite3_api_routines *sqlite3_api;

struct jfrec_sql {
	struct jfrec_tables *tables;
	sqlite3 *db;
	sqlite3_stmt *statement;
	struct digest_map known; /* names of tables that the database knows */
	int64_t timeout_ns; /* 0: none */
	bool is_declaring;  /* a table's columns, which takes a CREATE TABLE of our own */
	struct jfrec_error failure; /* of a table; .code is JFREC_OK: none */
};

/* Make the tables known that a statement may name.  SQLITE_OK, or another result. */
int sqlite_add_tables(struct jfrec_sql *s, const char *statement);

/* Make a table known under that name.  The same. */
int sqlite_add_table(struct jfrec_sql *s, size_t table, const char *name);

/* Make the table of all events known, which has this name unless a type has it.  The same. */
#define SQLITE_EVENTS "events"
int sqlite_add_events(struct jfrec_sql *s);

/* Make the functions known that jfrec-sql(1) describes.  The same. */
int sqlite_add_functions(sqlite3 *db);

/* Is it a function that only works on values? */
bool sqlite_may_call(const char *function);

/* The name of the column that says which recording a row is from; to be freed by sqlite3_free(). */
char *sqlite_recording_name(const struct jfrec_tables *t, size_t table);

/* What a column is declared as: what SQLite must not convert has no type. */
const char *sqlite_type_of(enum jfrec_kind kind);

/* A whole number that is greater than SQLite's greatest is text; of at least 24 bytes. */
const char *sqlite_unsigned_text(char *to, uint64_t n);

#endif
