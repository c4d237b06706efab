/* SPDX-License-Identifier: MIT */
/*
 * ride.h - queries for those who ask other things of a recording, too
 */
#ifndef JFREC_QUERY_RIDE_H
#define JFREC_QUERY_RIDE_H

#include "jfrec/query.h"
#include "read/chunk_riders.h"

/* A recording of several JVMs may have tables for each. */
#define MAX_QUERY_PARTS 8

struct query_parts {
	/*
	 * The part that a chunk belongs to, asked in the order of chunks; MAX_QUERY_PARTS or more:
	 * none.
	 */
	unsigned (*part_of)(void *ctx, const struct chunk_task *task);
	/* How long it lasted, once all was read. */
	double (*seconds_of)(void *ctx, unsigned part);
	void *ctx;
};

/*
 * As jfrec_query_run(), in one pass with others, fewer than MAX_RIDERS, who look at the same
 * source. The tables of a part are got with query_table_of(); *parts lives as long as the pass.
 */
int query_run_with(struct jfrec_query *q, const struct query_parts *parts,
		   const struct chunk_rider *others, size_t count, struct jfrec_error *err);

/* As jfrec_query_answer(), of one part; NULL also if it has no chunk. */
struct jfrec_answer *query_table_of(const struct jfrec_query *q, int n, unsigned part);

/* Sizes and spans as human.h writes them, times in that zone; NULL: UTC. */
void table_for_people(struct jfrec_answer *t, jfrec_zone_fn *zone, void *ctx);

/*
 * The text of a cell, as `jfrec view` shows it but for table_for_people(), of *len bytes, until the
 * next call; NULL: nothing.
 */
const char *table_cell_text(struct jfrec_answer *t, size_t row, size_t column, size_t *len);

#endif
