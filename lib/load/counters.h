/* SPDX-License-Identifier: MIT */
/*
 * counters.h - heap and collections, by the performance data that HotSpot keeps
 */
#ifndef JFREC_LOAD_COUNTERS_H
#define JFREC_LOAD_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>

/* Collectors that are counted apart: for minor, full and concurrent collections. */
#define COUNTERS_COLLECTORS 8

/* Numbers that a JVM's user may have made up: so they are of a type that nothing overflows. */
struct counters {
	bool has_heap, has_collectors;
	bool has_concurrent; /* times are not only those of pauses */
	double used, committed; /* bytes */
	double per_second;	/* ticks of the times below; 0: not known */
	struct collector {
		double invocations, time; /* time: that they took, ticks */
		double entered, left;	  /* the last one began and ended, ticks */
	} collectors[COUNTERS_COLLECTORS];
};

/* Take them from what was read of the file. False if it is none, or the JVM is just starting. */
bool counters_parse(struct counters *c, const void *bytes, size_t len);

/*
 * The share of the time that was spent in collections between two readings, so many seconds apart:
 * 0 to 1. -1: not known.
 */
double counters_share(const struct counters *before, const struct counters *after, double seconds);

/* How many collections a second ended or began between them. -1: not known. */
double counters_rate(const struct counters *before, const struct counters *after, double seconds);

#endif
