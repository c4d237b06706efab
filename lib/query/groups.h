/* SPDX-License-Identifier: MIT */
/*
 * groups.h - the groups of GROUP BY, by their keys
 */
#ifndef JFREC_QUERY_GROUPS_H
#define JFREC_QUERY_GROUPS_H

#include "query/aggregate.h"

struct group {
	struct value key; /* or a VALUE_LIST: several fields make a set */
	struct cell *cells;
};

/* In the order in which they were seen first. All zero: none. */
struct groups {
	struct group *items;
	uint32_t count;
	uint32_t *index; /* number + 1 */
	uint32_t index_size;
	uint32_t latest; /* of the items: what was got last */
	bool seen_again; /* was an event handed out after the newest group was made? */
};

/* The group of that key, made with so many cells. NULL: no memory. */
struct group *groups_get(struct groups *g, const struct value *key, unsigned cells,
			 struct arena *a);

/*
 * The order in which a java.util.HashMap has them, whose entries were made in the order of the
 * groups: their numbers.  NULL: no memory.
 */
uint32_t *groups_java_order(const struct groups *g, struct arena *a);

#endif
