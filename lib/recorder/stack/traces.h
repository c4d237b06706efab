/* SPDX-License-Identifier: MIT */
/*
 * traces.h - stacks of events, each kept once
 *
 * Threads add them without a lock, at any time; the drainer gives those of a chunk to stacks.h.
 */
#ifndef JFREC_RECORDER_STACK_TRACES_H
#define JFREC_RECORDER_STACK_TRACES_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/stack/unwind.h"

/* Before the first is added.  Without memory there are no stacks. */
void traces_open(void);

/* The key of a stack, as events have it; 0: there is none, or no room for more. */
uint64_t traces_add(const struct frames *f);

/* In the child of a fork(): the numbers in stacks.h are the parent's. */
void traces_forget(void);

/* By the drainer, under the lock of stacks.h. */

void traces_new_chunk(void);

/* An event of this chunk refers to it. */
void traces_need(uint64_t key);

/* By anyone, under that lock: its number there, once it was needed; 0: there is none. */
uint32_t traces_stack(uint64_t key);

#endif
