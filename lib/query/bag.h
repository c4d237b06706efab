/* SPDX-License-Identifier: MIT */
/*
 * bag.h - values that are kept to the end
 */
#ifndef JFREC_QUERY_BAG_H
#define JFREC_QUERY_BAG_H

#include "base/arena.h"
#include "query/value.h"

/* Either words (doubles or ns) or values; in an arena. */
struct bag {
	size_t count;
	union word {
		double d;
		int64_t i;
	} *words;
	bool is_ns; /* words are nanoseconds */
	struct value *values;
	uint32_t *index; /* of values that are there once: their numbers + 1 */
	uint32_t index_size;
};

/* False: no memory. */
bool bag_add_double(struct bag **b, double d, struct arena *a);
bool bag_add_ns(struct bag **b, int64_t ns, struct arena *a);
bool bag_add_value(struct bag **b, const struct value *v, struct arena *a);

/* The same, unless it is there. */
bool bag_add_once(struct bag **b, const struct value *v, struct arena *a);

/* From these on, sorted. NULL: no memory, or none. */
struct value bag_median(const struct bag *b, struct arena *a);
struct value bag_percentile(const struct bag *b, double p, struct arena *a);
struct value bag_deviation(const struct bag *b);

#endif
