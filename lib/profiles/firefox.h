/* SPDX-License-Identifier: MIT */
/*
 * firefox.h - what a profile for the Firefox Profiler is made of, before it is written
 */
#ifndef JFREC_PROFILES_FIREFOX_H
#define JFREC_PROFILES_FIREFOX_H

#include "stacks/stacks.h"

/* A sample of a thread. */
struct moment {
	uint32_t thread;
	uint32_t stack; /* node of `all` */
	int64_t time_ns;
	struct weight weight;
	size_t order; /* in which they came: decides between equal times */
};

/* A marker of a thread. */
struct marked {
	uint32_t thread, marker;
};

/* A thread of a process. */
struct thread {
	size_t kind;
	uint32_t frame; /* FRAME_NONE: what belongs to none */
	size_t sample_count, marker_count;
	size_t first_sample; /* in the batch, if it is of that */
	size_t first_marker;
};

/* What a profile's nodes are here. */
struct process {
	uint32_t *stack_of;  /* by node: node of `all` */
	uint32_t *thread_of; /* by node: the frame of its thread; FRAME_NONE */
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
	struct process *processes; /* by kind */
	struct marked *markers;	   /* by thread, and of each by time */
	size_t marker_count;
	/*
	 * The samples of some threads, by thread, and of each by time: the others are still packed.
	 */
	struct moment *batch;
	size_t batch_count, batch_room;
	uint32_t batch_first, batch_end; /* threads */
	uint32_t *frames, *funcs; /* in the order in which they are written */
	uint32_t *frame_place, *func_place; /* by frame, by name: place + 1, or 0 */
	uint32_t frame_count, func_count;
	struct name_set strings, paths;
	/* Of the profile at hand. */
	struct tree *tree;
	size_t kind;
	uint32_t *thread_place; /* by frame, at last FRAME_NONE: the thread + 1, or 0 */
};

/*
 * Gather threads, samples, markers, frames and strings of the profiles of f->stacks that are
 * selected. 0, or -1: no memory; what was gathered is firefox_fini()'s to free.
 */
int firefox_collect(struct firefox *f);

/* Have the samples of that thread at hand. 0, or -1: no memory. */
int firefox_turn_to(struct firefox *f, uint32_t thread);
void firefox_fini(struct firefox *f);

/* Is it a frame of Java, whose file has the name of the class? */
bool firefox_has_file(const struct frame *frame);

/* The number of a text in the table of strings. */
uint32_t firefox_string(struct firefox *f, const char *text, size_t len);

#endif
