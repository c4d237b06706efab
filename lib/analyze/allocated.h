/* SPDX-License-Identifier: MIT */
/*
 * allocated.h - how much a JVM allocated, as each kind of event tells it
 *
 * Four kinds of events tell the same thing, and not all as well: how full the heap was before and
 * after collections; what each thread says it has allocated; buffers that threads took, and what
 * did not fit into one; samples, whose weights are exact but for the first of each thread
 * (stacks/first_samples.h).
 */
#ifndef JFREC_ANALYZE_ALLOCATED_H
#define JFREC_ANALYZE_ALLOCATED_H

#include "analyze/collect.h"
#include "stacks/first_samples.h"

struct event;
struct judging;

struct allocated {
	struct first_samples firsts;
	double sampled; /* bytes; once the facts are finished, those of the firsts, too */
	double buffers, outside;
	double others; /* bytes that other producers' samples stand for */
	struct groups by_thread; /* thread: first and last of what it allocated in all */
	struct groups events_by_thread; /* thread: bytes of its samples or buffers */
};

/* The inputs of a reader of facts (engine.h) that gives each event to allocated_take(). */
#define ALLOCATED_INPUTS                                                                       \
	READS("jdk.ObjectAllocationSample", HELPS, "eventThread", "weight"),                   \
	READS("jdk.ObjectAllocationInNewTLAB", HELPS, "eventThread", "tlabSize"),              \
	READS("jdk.ObjectAllocationOutsideTLAB", HELPS, "eventThread", "allocationSize"),      \
	READS("jdk.ThreadAllocationStatistics", HELPS, "thread", "allocated"),                 \
	READS_OTHERS("jdk.ObjectAllocationSample", HELPS, "eventThread")
void allocated_take(struct allocated *a, const struct event *e);

void allocated_finish(struct allocated *a);
void allocated_fini(struct allocated *a);

/* Between the first and the last that threads say. */
#define ALLOCATION_ENOUGH_NS 5e9

/* Bytes per second, by that kind of event; NAN: there are none, or too few. */
double allocation_by_heap(const struct judging *j);
double allocation_by_threads(const struct judging *j);
double allocation_by_samples(const struct judging *j);
double allocation_by_buffers(const struct judging *j);
double allocation_by_others(const struct judging *j);

/*
 * The best of these; NAN: none is known. By the heap and by threads are counts, and lower bounds:
 * G1 may free in between, and threads may end unasked. So the greater of them counts; else buffers,
 * else samples, else those of other producers.
 */
double allocation_rate(const struct judging *j);

#endif
