/* SPDX-License-Identifier: MIT */
/*
 * walk.h - the stack of the thread that emits an event
 */
#ifndef JFREC_RECORDER_STACK_WALK_H
#define JFREC_RECORDER_STACK_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/stack/unwind.h"

/* A function was called from there: the address to which it returns, and the registers there. */
struct called_from {
	uint64_t pc, sp, fp;
};

#if defined(__x86_64__)
#define CAN_WALK 1
#elif defined(__aarch64__) && defined(__GNUC__) && !defined(__clang__)
#define CAN_WALK 1
#else
#define CAN_WALK 0 /* clang does not tell the stack pointer of the caller */
#endif

/* Of the function that this stands in. */
static inline __attribute__((always_inline)) struct called_from called_from(void)
{
#if defined(__x86_64__)
	const uint64_t *words = __builtin_frame_address(0);

	return (struct called_from){ words[1], (uint64_t)(words + 2), words[0] };
#elif CAN_WALK
	const uint64_t *words = __builtin_frame_address(0);

	return (struct called_from){ unwind_without_signature(words[1]),
				     (uint64_t)__builtin_dwarf_cfa(), words[0] };
#else
	return (struct called_from){ 0 };
#endif
}

/*
 * What the result of a walk depends on: words, by their distance from where it started, and
 * registers.
 */
#define MOST_VISITED 48u

struct visited {
	bool uses_fp;	/* the frame pointer at the start matters, too; pc and sp always do */
	unsigned count; /* more than MOST_VISITED: too many, or another walk may get farther */
	struct called_from rest; /* from where another walk goes on */
	uint32_t offsets[MOST_VISITED];
	uint64_t words[MOST_VISITED];
};

/*
 * Walk from where a function was called: the address to which it returns, and the registers there.
 * end: where the thread's own stack ends.  *visited: what it has read, in that order.  Takes no
 * lock, allocates nothing and makes no system call.
 */
void walk(const struct called_from *from, uint64_t end, struct frames *frames,
	  struct visited *visited);

/*
 * Does the stack lead to where the thread began, however deep it is?  Not if a signal has
 * interrupted it.  As walk().
 */
bool walk_is_whole(struct called_from from, uint64_t end);

/* A word of a stack: it belongs to frames of others, which sanitizers watch. */
__attribute__((no_sanitize("address", "thread", "undefined"))) static inline uint64_t walk_word(uint64_t address)
{
	return *(const volatile uint64_t *)address;
}

/* Where the stack of this thread ends, at the least; no system call, nothing is allocated. */
uint64_t walk_end_of_stack(bool is_main);

#endif
