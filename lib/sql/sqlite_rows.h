/* SPDX-License-Identifier: MIT */
/*
 * sqlite_rows.h - rows of a table that are read repeatedly, in memory
 */
#ifndef JFREC_SQL_SQLITE_ROWS_H
#define JFREC_SQL_SQLITE_ROWS_H

#include "sql/sqlite.h"

#include "jfrec/tables.h"
#include "sql/sqlite_texts.h"

struct row_store;

/* The most columns that rows are put into the order of. */
#define ORDER_MOST 8

/* An order of rows: by the first of its columns, then by the next. */
struct row_order {
	size_t columns[ORDER_MOST];
	bool descends[ORDER_MOST];
	unsigned count; /* 0: as they come */
};

/* Some of the rows, one after the other. */
struct row_pick {
	size_t row;	/* the one at hand + 1; 0: not begun */
	bool is_chain;	/* only those with one key */
	uint32_t next;	/* of these: + 1; 0: no more */
};

/*
 * Take all rows of a pass over a table: of its columns those whose bit is set in `used`, whose
 * highest bit stands for column 63 and all after it; to be found by the column `key`, or -1; or
 * else in the order of `groups`, which may be empty: null comes before numbers, which go by value,
 * and texts, which go by their bytes; equal ones are in the order of the pass.
 * The texts are kept in *texts, which must live longer.
 * NULL with *err set: JFREC_ENOMEM, as jfrec_rows_next().
 */
struct row_store *row_store_new(struct jfrec_rows *rows, const struct jfrec_tables *t, size_t table,
				uint64_t used, int key, const struct row_order *groups,
				struct sql_texts *texts, struct jfrec_error *err);
void row_store_free(struct row_store *s);

/* Those whose key is equal to the value, and perhaps others; NULL: all. */
struct row_pick row_store_pick(const struct row_store *s, sqlite3_value *value);

/* Step to the next one.  False: there are no more. */
bool row_store_next(const struct row_store *s, struct row_pick *p);

/* What the row at hand has. */
struct jfrec_table_value row_store_value(const struct row_store *s, const struct row_pick *p,
					 size_t column);
const char *row_store_recording(const struct row_store *s, const struct row_pick *p);

/* The number of the row at hand in the pass, from 1 on. */
size_t row_store_number(const struct row_store *s, const struct row_pick *p);

#endif
