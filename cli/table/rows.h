/* SPDX-License-Identifier: MIT */
/*
 * rows.h - print rows of a table for programs: JSON, NDJSON, CSV
 *
 * Whatever the table comes from, a view or a statement of SQL, its rows are printed alike.
 */
#ifndef JFREC_CLI_TABLE_ROWS_H
#define JFREC_CLI_TABLE_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "jfrec.h"

/* A row, or the table it is of. */
struct table_row {
	void *ctx;
	size_t count; /* of columns */
	const char *(*name)(void *ctx, size_t column);
	struct jfrec_cell (*cell)(void *ctx, size_t column);
	/* A stack trace in the cell, as frames; NULL: no cell has one. */
	size_t (*frame_count)(void *ctx, size_t column);
	const char *(*frame)(void *ctx, size_t column, size_t i);
};

/* The keys of the objects that NDJSON has: names of columns, each once. */
struct table_keys {
	char **texts; /* JSON, with the colon */
	size_t count;
};

/* `taken` is a key of its own in each object; or NULL. False: no memory. */
bool table_keys_make(struct table_keys *k, const struct table_row *row, const char *taken);

void table_keys_fini(struct table_keys *k);

/* The values of a row as an array of JSON. */
void table_put_array(const struct table_row *row);

/* A line of NDJSON.  first: a member that comes before all, of a view; or NULL. */
void table_put_line(const struct table_row *row, const struct table_keys *k, const char *first,
		    const char *value);

/* A line of CSV (RFC 4180). */
void table_put_csv(const struct table_row *row);

#endif
