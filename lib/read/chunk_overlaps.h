/* SPDX-License-Identifier: MIT */
/*
 * chunk_overlaps.h - chunks of the same time, whose events are not in order
 *
 * The chunks of a JVM follow each other. Two that overlap are of several JVMs, or the clock was set
 * back. But a profiler that writes chunks of its own into the JVM's file (async-profiler with
 * jfrsync, Datadog's) records the same time by design.
 */
#ifndef JFREC_READ_CHUNK_OVERLAPS_H
#define JFREC_READ_CHUNK_OVERLAPS_H

#include "format/metadata.h"

/* All zero at first. */
struct chunk_overlaps {
	/* Of each of the two recorders, the chunk that ended last so far; number 0: none. */
	struct {
		uint64_t number;
		int64_t start_ns, end_ns;
	} last[2];
	uint64_t chunks, count; /* so far; those that overlap one before */
	uint64_t first, second; /* the numbers of the first two that do */
	int64_t shared_ns;	/* how long these do */
	bool is_again;		/* they begin at the same nanosecond: one is the other */
};

/* Was it written by a JVM itself? A profiler declares only the types that it writes. */
bool chunk_is_of_jvm(const struct metadata *m);

/* Take the next chunk. Does it overlap one before it of the same recorder? */
bool chunk_overlaps_add(struct chunk_overlaps *o, const struct metadata *m, int64_t start_ns,
			int64_t end_ns);

/* The same where that is known. */
bool chunk_overlaps_add_of(struct chunk_overlaps *o, bool is_of_jvm, int64_t start_ns,
			   int64_t end_ns);

#endif
