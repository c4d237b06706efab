/* SPDX-License-Identifier: MIT */
/*
 * partial.h - what a query knows after some events: groups, or rows
 *
 * A chunk makes one, and it is merged into that of the result.  The cells of a
 * partial are as many as the query's columns, hidden ones included.
 */
#ifndef JFREC_QUERY_PARTIAL_H
#define JFREC_QUERY_PARTIAL_H

#include "query/groups.h"
#include "query/resolve.h"

/* Rows lie in blocks, so that adding one moves none. */
struct row_block {
	struct row_block *next;
	uint32_t count, room;
	struct value values[]; /* row after row */
};

struct partial {
	const struct resolved *query;
	struct groups groups;	 /* of queries with groups or aggregators */
	struct row_block *first, *last;
	uint64_t row_count;
	/*
	 * Of LAST_BATCH: when each column's latest event ended, in ns; by the number of the column.
	 */
	int64_t *batch_ns;
	bool *has_batch;
};

static inline bool partial_has_groups(const struct resolved *q)
{
	return q->has_aggregator || q->has_group;
}

/* False: no memory. */
bool partial_init(struct partial *p, const struct resolved *q, struct arena *a);

/* A new row, all of it VALUE_UNSET. NULL: no memory. */
struct value *partial_add_row(struct partial *p, struct arena *a);

/* A LAST_BATCH column was fed by an event that ended then. */
static inline void partial_note_batch(struct partial *p, unsigned column, int64_t end_ns)
{
	p->batch_ns[column] = end_ns;
	p->has_batch[column] = true;
}

/* Add what later events made known. */
bool partial_merge(struct partial *to, const struct partial *from, struct objects *os,
		   struct arena *a);

#endif
