/* SPDX-License-Identifier: MIT */
/*
 * chunk_rows.h - the rows of one chunk after the other, however these are loaded
 */
#ifndef JFREC_TABLES_CHUNK_ROWS_H
#define JFREC_TABLES_CHUNK_ROWS_H

#include "tables/tables.h"
#include "tables/values.h"

struct chunk_rows {
	const struct jfrec_tables *tables;
	bool *const *wanted; /* by the table: its columns; NULL: not wanted */
	struct bounds bounds;
	struct values values;
	/* The chunk at hand; values.render.current is NULL: none. */
	struct chunk_source *source; /* whose filter is about it */
	struct chunk_walk walk;
	struct type_set types;
	unsigned until_stop;
	/* The row at hand. */
	const struct value_getters *getters;
	struct raw_event event;
};

/*
 * Rows of these tables: all of them, until .bounds is set.  0, or -1 with *err set and nothing to
 * free.
 */
int chunk_rows_init(struct chunk_rows *r, const struct jfrec_tables *t, bool *const *wanted,
		    struct jfrec_error *err);
void chunk_rows_fini(struct chunk_rows *r);

/*
 * Go on with a chunk, whose reference is taken over, also on failure; the filter of the source is
 * about it.  0, or -1: memory is gone.
 */
int chunk_rows_enter(struct chunk_rows *r, struct chunk_source *source, struct chunk *c);

/*
 * Step to the next row of the chunk.  False: there is none, or the caller wants it to stop, or
 * .values.out_of_memory is set.
 */
bool chunk_rows_next(struct chunk_rows *r);

/* Done with it, if there is one: what could not be read is reported.  False: memory is gone. */
bool chunk_rows_leave(struct chunk_rows *r);

#endif
