/* SPDX-License-Identifier: MIT */
/*
 * ride.h - queries for those who ask other things of a recording, too
 */
#ifndef JFREC_QUERY_RIDE_H
#define JFREC_QUERY_RIDE_H

#include "jfrec/query.h"
#include "read/chunk_riders.h"

/*
 * As jfrec_query_run(), in one pass with others, fewer than MAX_RIDERS, who look at the same
 * source.
 */
int query_run_with(struct jfrec_query *q, const struct chunk_rider *others, size_t count,
		   struct jfrec_error *err);

/* In which times are shown; NULL: UTC. */
void table_set_zone(struct jfrec_table *t, jfrec_zone_fn *zone, void *ctx);

/* What `jfrec view` shows of a cell, of *len bytes, until the next call; NULL: nothing. */
const char *table_cell_text(struct jfrec_table *t, size_t row, size_t column, size_t *len);

#endif
