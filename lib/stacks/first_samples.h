/* SPDX-License-Identifier: MIT */
/*
 * first_samples.h - what the first allocation sample of each thread may weigh
 *
 * The weight of a jdk.ObjectAllocationSample is what its thread allocated since its last sample.
 * HotSpot never sets that count back, so that a thread's first sample also weighs what the thread
 * allocated before the recording began: in a JVM that has been up for a day, all of that day.
 * Here such samples are kept apart until the others of their thread tell what one weighs.
 */
#ifndef JFREC_STACKS_FIRST_SAMPLES_H
#define JFREC_STACKS_FIRST_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/idmap.h"

struct first_sample {
	uint64_t thread;  /* the caller's number for it */
	int64_t at;	  /* when it was taken, in the caller's unit */
	int64_t weight;	  /* as it was recorded */
	int64_t fair;	  /* once settled: what it may weigh, `weight` at most */
	uint32_t place;	  /* the caller's */
	bool is_virtual;  /* a virtual thread, which counts with its carrier */
	uint32_t others;  /* samples of the thread that came later */
	double others_sum; /* what these weigh */
};

/* All zero is an empty list. */
struct first_samples {
	struct first_sample *list;
	size_t count, room;
	struct idmap by_thread;
	uint64_t others;
	double others_sum;
};

void first_samples_fini(struct first_samples *f);

/*
 * Offer a sample: at, weight, place, thread and is_virtual are set. 1: it is the first so far of
 * its thread and was kept; if it took the place of one that came later, that is now in *one, and is
 * the caller's to count. 0: *one is unchanged, and the caller's to count. -1: memory is gone.
 * *has_displaced says which of the two it was after 1.
 */
int first_samples_offer(struct first_samples *f, struct first_sample *one, bool *has_displaced);

/*
 * When all samples were offered: set what each may weigh. That is the mean of the thread's other
 * samples; of a thread without others the mean of all such; of virtual threads, whose samples weigh
 * what their carriers allocated, all but the few that are far beyond the median keep their weight.
 */
void first_samples_settle(struct first_samples *f);

#endif
