/* SPDX-License-Identifier: MIT */
/*
 * firefox.h - what a profile for the Firefox Profiler is made of, before it is written
 */
#ifndef JFREC_STACKS_FIREFOX_H
#define JFREC_STACKS_FIREFOX_H

#include "stacks/stacks.h"

/* A sample, or a marker, of a thread. */
struct moment {
	uint32_t thread;
	uint32_t stack; /* node of `stacks`; of a marker: its number */
	int64_t time_ns;
	struct weight weight;
	size_t order; /* in which they came: decides between equal times */
};

struct moments {
	struct moment *list;
	size_t count, room;
};

/* Those of one thread. */
struct part {
	const struct moment *first;
	size_t count;
};

/* A thread of a process. */
struct thread {
	size_t kind;
	uint32_t frame; /* FRAME_NONE: what belongs to none */
	struct part samples, markers;
};

/* What is being written. */
struct firefox {
	struct jfrec_stacks *stacks;
	struct out *out;
	size_t only, first_kind; /* whose process has the markers */
	bool has_first;		 /* else there is nothing to show */
	int64_t start_ns;
	struct tree all; /* stacks of all profiles, without their threads */
	struct thread *threads;
	uint32_t thread_count, thread_room;
	struct moments samples, markers;
	uint32_t *frames, *funcs; /* in the order in which they are written */
	uint32_t *frame_place, *func_place; /* by frame, by name: place + 1, or 0 */
	uint32_t frame_count, func_count;
	struct name_set strings, paths;
	/* Of the profile at hand. */
	const struct tree *tree;
	size_t kind;
	uint32_t *stack_of, *thread_of; /* by node: its stack, the frame of its thread */
	uint32_t *thread_place; /* by frame, at last FRAME_NONE: the thread + 1, or 0 */
};

/*
 * Gather threads, samples, markers, frames and strings of the profiles of f->stacks that are
 * selected. 0, or -1: no memory; what was gathered is firefox_fini()'s to free.
 */
int firefox_collect(struct firefox *f);
void firefox_fini(struct firefox *f);

/* Is it a frame of Java, whose file has the name of the class? */
bool firefox_has_file(const struct frame *frame);

/* The number of a text in the table of strings. */
uint32_t firefox_string(struct firefox *f, const char *text, size_t len);

#endif
