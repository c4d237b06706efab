/* SPDX-License-Identifier: MIT */
/*
 * stacks.h - stacks of samples, each kept once, and the names of their functions
 *
 * Under a lock of its own: the sampler and the drainer add, the drainer writes.  Keys in a chunk
 * are odd for samples, and even for stacks of events, whose numbers come from traces.h.
 */
#ifndef JFREC_RECORDER_STACK_STACKS_H
#define JFREC_RECORDER_STACK_STACKS_H

#include "recorder/ground/bytes.h"
#include "recorder/jfrec-recorder.h"
#include "recorder/stack/unwind.h"

/* The keys of the states of samples. */
#define STATE_RUNNABLE 1u
#define STATE_SLEEPING 2u

void stacks_lock(void);
void stacks_unlock(void);

/*
 * What follows is under the lock.  The number of a stack, from 1; 0: there is no memory for more.
 */
uint32_t stacks_add(const struct frames *f);

/*
 * The frames of a stack, as they are delivered; how many.  Their texts stay as long as the process.
 */
size_t stacks_frames(uint32_t id, struct jfrec_stack_frame frames[UNWIND_FRAMES], bool *is_whole);

/* A new chunk: everything that is referred to is written again. */
void stacks_new_chunk(void);

/* This stack is referred to in the chunk; its key there. */
uint64_t stacks_need(uint32_t id);

/* The same, under a key of traces.h. */
void stacks_need_as(uint32_t id, uint64_t key);

static inline uint64_t stacks_key_of_trace(uint32_t slot)
{
	return 2 * ((uint64_t)slot + 1);
}

static inline bool stacks_is_of_sample(uint64_t key)
{
	return key % 2;
}

static inline uint32_t stacks_of_sample(uint64_t key)
{
	return (uint32_t)(key / 2);
}

static inline bool stacks_is_trace(uint64_t key, uint32_t slots, uint32_t *slot)
{
	*slot = (uint32_t)(key / 2 - 1);
	return key && key % 2 == 0 && key / 2 - 1 < slots;
}

/*
 * What is needed and not in the chunk yet: how many pools were added.  has_classes: of enum
 * own_class, too.
 */
unsigned stacks_encode(struct bytes *b, bool has_classes);

/* In the child of a fork(). */
void stacks_forget(void);

#endif
