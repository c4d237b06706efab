/* SPDX-License-Identifier: MIT */
/*
 * recall.h - the stack of the thread that emits an event, if it was seen a moment ago
 *
 * Most events of a thread come from few places, time after time by the same way.  A walk depends on
 * the registers that it starts with and on the words that it reads, so when none of them has
 * changed, its result has not either, and reading them again needs no tables.
 */
#ifndef JFREC_RECORDER_STACK_RECALL_H
#define JFREC_RECORDER_STACK_RECALL_H

#include <stdint.h>

#include "recorder/stack/walk.h"

/*
 * The key that traces_add() gave the stack above *from, or 0 if the stack is not remembered or has
 * changed.  end: where the thread's own stack ends, as for walk().  In any thread and in signal
 * handlers; takes no lock, allocates nothing and makes no system call.
 */
uint64_t recall(const struct called_from *from, uint64_t end);

/*
 * Remember that a walk from there has visited these words and came to this key.  Nothing is kept if
 * the key is 0, if there were too many words, or if another thread is writing the same entry.
 */
void recall_later(const struct called_from *from, uint64_t end, const struct visited *visited,
		  uint64_t key);

#endif
