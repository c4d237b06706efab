/* SPDX-License-Identifier: MIT */
/*
 * walk.h - the stack of the thread that emits an event
 */
#ifndef JFREC_NATIVE_WALK_H
#define JFREC_NATIVE_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "native/unwind.h"

/*
 * Walk from where a function was called: the address to which it returns, and the registers there.
 * end: where the thread's own stack ends.  Takes no lock, allocates nothing and makes no system call.
 */
void walk(uint64_t pc, uint64_t sp, uint64_t fp, uint64_t end, struct frames *frames);

/* Where the stack of this thread ends, at the least; no system call, nothing is allocated. */
uint64_t walk_end_of_stack(bool is_main);

#endif
