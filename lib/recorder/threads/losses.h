/* SPDX-License-Identifier: MIT */
/*
 * losses.h - how many events found no room
 *
 * Each writer counts what it loses, in a word of its thread's row, as long as it is of one type: so
 * a lost event costs less than one that is written, however many threads lose.
 */
#ifndef JFREC_RECORDER_THREADS_LOSSES_H
#define JFREC_RECORDER_THREADS_LOSSES_H

#include <stddef.h>
#include <stdint.h>

#include "recorder/ground/region.h"
#include "recorder/threads/thread.h"

/* An event of this thread, which has this writer for itself; NULL: it has none. */
void losses_add(const struct writer *w, uint32_t id, size_t bytes);

/* The thread of that row counts no more. */
void losses_settle(struct thread_row *row);

/*
 * Since the memory was made, of each type, and bytes of all.  While threads lose, what moves from
 * one place to another may be missing, and is there the next time.
 */
struct losses {
	uint64_t of[EVENT_TYPES], bytes;
};
void losses_sum(struct losses *sums);

#endif
