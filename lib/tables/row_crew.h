/* SPDX-License-Identifier: MIT */
/*
 * row_crew.h - the rows of all tables, worked out by several threads
 *
 *	chunk --by any thread--> parts --in the order of rows--> take()
 *
 * A part is some rows of a chunk that follow one another: for each table those that it has, as
 * columns, and in which order the rows of the tables came.  The chunk whose turn it is hands on its
 * parts as they are made; those of others wait in memory, of which there is a limit for each
 * thread: beyond it a thread waits for its turn.
 */
#ifndef JFREC_TABLES_ROW_CREW_H
#define JFREC_TABLES_ROW_CREW_H

#include "read/chunk_crew.h"
#include "tables/filler.h"
#include "tables/tables.h"

/* The rows of one table in a part; their columns are those of the table. */
struct part_table {
	size_t table;
	struct batch batch;
};

/* Rows of one event type that follow one another in their table. */
struct part_run {
	uint32_t place;	     /* of the table in the part */
	unsigned block_rows; /* as a filler has them: filler.block_rows */
	const void *type;    /* another one, another event type of the chunk */
};

struct row_part {
	struct row_part *next;
	const struct chunk *chunk;
	uint64_t chunk_number;
	bool is_last; /* of the chunk */
	struct part_table *tables;
	uint32_t table_count, table_room;
	struct part_run *runs;
	uint32_t run_count, run_room;
	/* Of each row, in their order, twice the number of its run; odd: filler_is_long(). */
	uint32_t *rows;
	uint32_t row_count, row_room;
	size_t size; /* bytes, more or less */
};

struct row_crew_how {
	/* Rows that begin at another time are left out, as by jfrec_rows_set_span(). */
	struct bounds bounds;
	bool lists_frames; /* rows_list_frames() */
	/* Take the rows of a part, one part at a time; by any thread.  0, or -1 with *err set. */
	int (*take)(void *ctx, struct row_part *part, struct jfrec_error *err);
};

/* How many threads may work out rows: crew_jobs(). */
unsigned tables_jobs(const struct jfrec_tables *t);

/*
 * All rows, by as many threads as jfrec_reader_set_jobs() allows.  0, or -1 with *err set: as
 * jfrec_rows_next(), or as take().
 */
int rows_by_crew(struct jfrec_tables *t, const struct row_crew_how *how, void *ctx,
		 struct jfrec_error *err);

#endif
