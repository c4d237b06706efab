/* SPDX-License-Identifier: MIT */
/*
 * stacks.h - stacks of samples, each kept once, and the names of their functions
 *
 * Under a lock of its own: the sampler adds, the drainer writes.
 */
#ifndef JFREC_NATIVE_STACKS_H
#define JFREC_NATIVE_STACKS_H

#include "native/bytes.h"
#include "native/unwind.h"

/* The key of the state of all samples. */
#define STATE_RUNNABLE 1u

void stacks_lock(void);
void stacks_unlock(void);

/* What follows is under the lock.  The number of a stack, from 1; 0: there is no memory for more. */
uint32_t stacks_add(const struct frames *f);

/* A new chunk: everything that is referred to is written again. */
void stacks_new_chunk(void);

/* This stack is referred to in the chunk. */
void stacks_need(uint32_t id);

/* What is needed and not in the chunk yet: how many pools were added. */
unsigned stacks_encode(struct bytes *b);

/* In the child of a fork(). */
void stacks_forget(void);

#endif
