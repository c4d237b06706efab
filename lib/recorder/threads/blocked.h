/* SPDX-License-Identifier: MIT */
/*
 * blocked.h - see where threads wait, without a signal
 */
#ifndef JFREC_RECORDER_THREADS_BLOCKED_H
#define JFREC_RECORDER_THREADS_BLOCKED_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/stack/unwind.h"

/* A thread that waits, with the calls that led to it. */
struct blocked {
	uint32_t tid, row;
	uint64_t key;
	struct frames frames;
};

/* True: go on. */
typedef bool blocked_found(const struct blocked *b);

struct blocked_counts {
	uint64_t failed, cut;
};

/*
 * By the sampler's thread: look at some threads, others than the last time, but not at those of
 * which is_own says so.
 */
void blocked_look(bool (*is_own)(uint32_t tid), blocked_found *found,
		  struct blocked_counts *counts);

#endif
