/* SPDX-License-Identifier: MIT */
/*
 * heap.h - is the heap large enough for what stays in use?
 */
#ifndef JFREC_ANALYZE_HEAP_H
#define JFREC_ANALYZE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct collection;
struct judging;

struct heap_state {
	/* bytes in use after collections, without what only waits to be collected; NAN */
	double live;
	double live_share; /* of the most that the heap may have; NAN */
	size_t collections, full; /* full: of the whole heap, not asked for */
	double full_ns;
	size_t full_row; /* the most in a row that left more than 90 % of the heap in use */
	int64_t row_from_ns, row_to_ns;
	double pause_share; /* in the worst minute */
	double pauses_ns;   /* in that minute */
	bool is_tight;	    /* what stays in use hardly fits, and collections show it */
};

/*
 * Of collectors that stop the application to collect; others: all zero, and NAN. It looks at all
 * collections, so it is done once: rules take facts.heap_state.
 */
struct heap_state find_heap_state(const struct judging *j);

/* Does the collection look at the whole heap while the application stands still, unasked? */
bool is_forced_full(const struct judging *j, const struct collection *c);

#endif
