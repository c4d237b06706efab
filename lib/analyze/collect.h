/* SPDX-License-Identifier: MIT */
/*
 * collect.h - what rules keep of events: spans, values over time, sums by what they share
 *
 * All of them take events in any order. If memory runs out, they note it in the event's analysis.
 * Each has an upper bound, beyond which it only counts.
 */
#ifndef JFREC_ANALYZE_COLLECT_H
#define JFREC_ANALYZE_COLLECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event;

/* Spans ---------------------------------------------------------------------------------------- */

struct span_of {
	int64_t start_ns, end_ns;
	uint64_t id;	 /* such as gcId */
	uint32_t what;	 /* number of a text, or another */
	uint32_t thread; /* or another number */
};

struct spans {
	struct span_of *list;
	size_t count, room;
	uint64_t beyond; /* not kept */
};

/* At most so many are kept. */
#define MAX_SPANS 1000000

void spans_add(struct spans *s, const struct event *e, struct span_of span);
void spans_sort(struct spans *s); /* by start */
void spans_fini(struct spans *s);

/* Of sorted spans: what they cover together of a span of time. */
int64_t spans_union(const struct spans *s, int64_t from_ns, int64_t to_ns);

/* The longest; NULL: there are none. */
const struct span_of *spans_longest(const struct spans *s);

struct worst {
	int64_t covered_ns, from_ns, to_ns;
};

/*
 * Of sorted spans: the window of that width of which they cover most, in steps of half a width
 * from `from_ns` on. Overlapping spans count once.
 */
struct worst spans_worst(const struct spans *s, int64_t width_ns, int64_t from_ns, int64_t to_ns);

/* Values over time ----------------------------------------------------------------------------- */

struct point {
	int64_t at_ns;
	double value;
};

struct series {
	struct point *list;
	size_t count, room;
	uint64_t beyond;
};

void series_add(struct series *s, const struct event *e, int64_t at_ns, double value);
void series_sort(struct series *s);
void series_fini(struct series *s);
double series_max(const struct series *s, int64_t *at_ns); /* NAN */
double series_mean(const struct series *s);
/* Of a sorted series: the median of the slopes of all pairs (of 400 points at most), per second. */
double series_slope(const struct series *s, int64_t from_ns);

/* Clusters ------------------------------------------------------------------------------------- */

/* A stretch of time in ns, and what of something lies in it. */
struct cluster {
	double start, end, mass;
	size_t parts;
	struct cluster *before, *after, *changed; /* cluster_densest()'s own */
};

/*
 * Join neighbours of a list sorted by time, pass by pass, as long as mass² by length grows for
 * both, and return the densest. The list is used up.
 */
struct cluster cluster_densest(struct cluster *list, size_t count);
/*
 * The same of sorted spans, their time being the mass: of all, or only of those of that kind.
 * What several say of the same time counts once; a clock that was set back makes such, too.
 */
struct cluster spans_densest(const struct spans *s, const uint32_t *what);

/* Items of any kind: false if memory is gone. */
bool collect_push(void **items, size_t *count, size_t *room, const void *item, size_t size);
void collect_free(void *items);

/* Sums by key ---------------------------------------------------------------------------------- */

struct group {
	uint32_t key[4];
	uint64_t count;
	double sum, most;
	double first; /* the value of the earliest event */
	int64_t first_ns, last_ns, most_from_ns, most_to_ns;
	uint32_t most_stack, most_thread; /* the caller's to set where add says so */
};

struct groups {
	struct group *list;
	uint32_t count, room;
	uint32_t *table;
	uint32_t mask, limit; /* limit: so many groups at most; 0: MAX_GROUPS */
	uint64_t others;  /* events that are in no group */
	double others_sum;
};

/* At most so many groups are kept. */
#define MAX_GROUPS 10000

/*
 * Add a value to the group of that key. NULL: it is in none. *is_most: the value is the greatest
 * of the group so far, of equal ones the earliest; may be NULL.
 */
struct group *groups_add(struct groups *g, const struct event *e, const uint32_t key[4],
			 double value, bool *is_most);
/* Add to the sum of the group of that key, if there is one; not after groups_sort(). */
void groups_raise(struct groups *g, const uint32_t key[4], double by);
/* The group of that key, or NULL. */
const struct group *groups_find(const struct groups *g, const uint32_t key[4]);
void groups_fini(struct groups *g);
/* By sum, the greatest first; equal ones by their count, then when they began. */
void groups_sort(struct groups *g);
double groups_sum(const struct groups *g);
uint64_t groups_count(const struct groups *g);

#endif
