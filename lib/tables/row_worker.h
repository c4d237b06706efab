/* SPDX-License-Identifier: MIT */
/*
 * row_worker.h - one thread's way from a chunk to parts of rows
 */
#ifndef JFREC_TABLES_ROW_WORKER_H
#define JFREC_TABLES_ROW_WORKER_H

#include "tables/batch_pool.h"
#include "tables/chunk_rows.h"
#include "tables/row_crew.h"

/* What fills the rows of one table, once it has had any. */
struct worker_table {
	struct filler *filler;
	struct filler_source *sources;
	/* In the part that is being made: numbers + 1; 0: none. */
	uint32_t place, run;
	size_t size; /* of its rows there, as it is in that of the part */
};

struct row_worker {
	struct row_worker *next; /* among those that have nothing to do */
	struct chunk_rows rows;
	struct batch_pool *pool;
	struct worker_table *tables; /* by their numbers */
	struct row_part *part; /* that is being made, or NULL */
	const struct chunk_task *task;
};

/* For rows of these tables, of which the columns in `wanted` are filled.  NULL: no memory. */
struct row_worker *row_worker_new(const struct jfrec_tables *t, bool *const *wanted,
				  struct batch_pool *pool);
void row_worker_free(struct row_worker *w);

/* Go on with the chunk of a task.  0, or -1: memory is gone. */
int row_worker_enter(struct row_worker *w, const struct chunk_task *task);

/*
 * The next part of its rows, for the caller to free.  The last one may have no rows, and comes
 * early if the caller of the reader wants it to stop.  NULL: memory is gone.
 */
struct row_part *row_worker_part(struct row_worker *w);
void row_part_free(struct row_part *p, struct batch_pool *pool);

/* Done with the chunk. */
void row_worker_leave(struct row_worker *w);

#endif
