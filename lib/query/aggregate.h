/* SPDX-License-Identifier: MIT */
/*
 * aggregate.h - what a column knows of a group: COUNT, SUM, P99...
 *
 * Each chunk has cells of its own, which are then merged into those of the
 * result in the order of the chunks.  Adding doubles in another order gives
 * another sum, so a chunk keeps the numbers of sums and means, and the result
 * adds them one by one; what needs all values (MEDIAN, P90..P999, STDEV, LIST,
 * SET, UNIQUE) keeps them to the end.
 */
#ifndef JFREC_QUERY_AGGREGATE_H
#define JFREC_QUERY_AGGREGATE_H

#include "query/objects.h"
#include "query/parse.h"
#include "query/value.h"

struct cell {
	struct value first; /* or the only one; the sum so far */
	struct value last;
	int64_t count; /* of LAST_BATCH: when the event ended, in ns */
	struct bag *bag;
	bool is_fed;
};

bool cell_add_more(struct cell *c, enum aggregator a, const struct value *v, int64_t end_ns,
		   struct arena *arena);

/* An event's value. False: no memory. */
static inline bool cell_add(struct cell *c, enum aggregator a, const struct value *v,
			    int64_t end_ns, struct arena *arena)
{
	if (a == AGGREGATE_COUNT)
		c->count++;
	else if (a == AGGREGATE_LAST || (a == AGGREGATE_NONE && !value_is_null(v)))
		c->first = *v;
	else if (a != AGGREGATE_NONE)
		return cell_add_more(c, a, v, end_ns, arena);
	c->is_fed = true;
	return true;
}

/* What another chunk knows, later. Its objects find their like in `os`. */
bool cell_merge(struct cell *to, const struct cell *from, enum aggregator a, struct objects *os,
		struct arena *arena);

/* After the last chunk. */
struct value cell_result(const struct cell *c, enum aggregator a, struct arena *arena);

/* The value, with its objects as they are in another collection. */
struct value value_merge(struct objects *os, const struct value *v, struct arena *arena);

#endif
