/* SPDX-License-Identifier: MIT */
/*
 * overlaps.h - waits of one thread that overlap, which shows that the clock jumped
 *
 * A thread reads one file at a time. If one such wait begins before another of the same kind and
 * the same thread has ended, the clock has run on too far at one end of them, as those of virtual
 * machines do that are stopped or moved: then no duration can be believed.
 */
#ifndef JFREC_ANALYZE_OVERLAPS_H
#define JFREC_ANALYZE_OVERLAPS_H

#include "analyze/collect.h"

struct event;

/* Kinds of events that a thread has one of at a time, and that no profiler writes, too. */
#define OVERLAP_INPUTS                                                                           \
	READS("jdk.FileRead", HELPS, "eventThread"), READS("jdk.FileWrite", HELPS, "eventThread"), \
	READS("jdk.SocketRead", HELPS, "eventThread"),                                      \
	READS("jdk.SocketWrite", HELPS, "eventThread"), READS("jdk.ThreadSleep", HELPS, "eventThread")

struct overlaps {
	struct spans waits; /* long ones; id: kind */
	uint64_t count;	    /* that overlap the one before */
	int64_t longest_ns, from_ns, to_ns; /* how far, at most; where that was */
};

void overlaps_take(struct overlaps *o, const struct event *e);
void overlaps_finish(struct overlaps *o);
void overlaps_fini(struct overlaps *o);

/* This many are not a coincidence. */
bool clock_jumped(const struct overlaps *o);

#endif
