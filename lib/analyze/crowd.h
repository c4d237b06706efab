/* SPDX-License-Identifier: MIT */
/*
 * crowd.h - how many threads waited for the same thing at once, where that was worst
 */
#ifndef JFREC_ANALYZE_CROWD_H
#define JFREC_ANALYZE_CROWD_H

#include "analyze/rule.h"

struct crowd {
	int64_t from_ns, to_ns; /* the ten seconds in which threads waited most, or all if less */
	double waited_ns;	/* by all threads together */
	double at_once;		/* threads that waited, on average */
	double share;		/* of what the threads could do that waited at all */
	uint32_t threads;	/* that waited in it */
	double waits_each;	/* of these threads, in the whole recording */
	double waits_then;	/* the same, within */
};

/* What is needed to find crowds in a list of waits. */
struct crowd_room {
	const struct spans *waits; /* what: the thing; thread */
	double *slots;
	int32_t *whole; /* by slot: how many more waits than in the one before take all of it */
	uint32_t *marks; /* by thread: did it wait in the crowd that was found last? */
	uint32_t threads;
};

/* False: memory is gone, and the analysis fails. The room lives as long as the finding. */
bool crowd_room_init(struct judging *j, struct crowd_room *room, const struct spans *waits);

/* The worst crowd of that thing. */
struct crowd crowd_worst(const struct judging *j, struct crowd_room *room, uint32_t what);

/*
 * Of waits for a peer or for storage, each of which may be short: info if two threads at once spend
 * 90 % of their time in them, by five each or more; a warning if three do, or five for 70 %.
 */
enum jfrec_severity crowd_severity(const struct crowd *crowd);

/* What a span has in common with a time, in ns. */
double span_within(const struct span_of *span, int64_t from_ns, int64_t to_ns);

#endif
