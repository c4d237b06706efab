/* SPDX-License-Identifier: MIT */
/*
 * bag.h - values that are kept to the end
 */
#ifndef JFREC_QUERY_BAG_H
#define JFREC_QUERY_BAG_H

#include "base/arena.h"
#include "query/value.h"

union word {
	double d;
	int64_t i;
};

/* Words in the order in which they came: blocks, so that what grows is not copied. */
struct word_block {
	struct word_block *next;
	uint32_t count, room;
	union word words[];
};

/* Either words (doubles or ns) or values; in an arena. */
struct bag {
	size_t count;
	struct word_block *first, *last;
	bool is_ns; /* words are nanoseconds */
	struct value *values;
	uint32_t *index; /* of values that are there once: their numbers + 1 */
	uint32_t index_size;
};

/* False: no memory. */
bool bag_add_double(struct bag **b, double d, struct arena *a);
bool bag_add_ns(struct bag **b, int64_t ns, struct arena *a);
/* All words of another bag. */
bool bag_add_words(struct bag **b, const struct bag *from, struct arena *a);
bool bag_add_value(struct bag **b, const struct value *v, struct arena *a);

/* The same, unless it is there. */
bool bag_add_once(struct bag **b, const struct value *v, struct arena *a);

/* Of words; null where there is none. */
struct value bag_median(const struct bag *b);
struct value bag_percentile(const struct bag *b, double p);
struct value bag_deviation(const struct bag *b);

#endif
