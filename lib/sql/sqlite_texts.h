/* SPDX-License-Identifier: MIT */
/*
 * sqlite_texts.h - texts of rows that are kept as long as a statement runs, each once
 *
 * SQLite need not copy these for each row.
 */
#ifndef JFREC_SQL_SQLITE_TEXTS_H
#define JFREC_SQL_SQLITE_TEXTS_H

#include "base/arena.h"
#include "base/digest.h"
#include "jfrec/tables.h"

/* The texts of a column that constants of the chunk at hand have, by their number. */
struct numbered_texts {
	const char **at;
	size_t room;
};

struct sql_texts {
	struct arena arena;
	struct digest_map known; /* the address of each */
	struct numbered_texts *columns;
	size_t column_count;
	uint64_t chunk;
};

/* For so many columns.  False: no memory. */
bool sql_texts_init(struct sql_texts *t, size_t column_count);
void sql_texts_fini(struct sql_texts *t);

/* The same text, which lives as long as *t; NULL: no memory. */
const char *sql_texts_keep(struct sql_texts *t, const char *text, size_t len);

/* The same of a value of that column of a row in that chunk, faster if it has a number. */
const char *sql_texts_of(struct sql_texts *t, size_t column, const struct jfrec_table_value *v,
			 uint64_t chunk);

#endif
