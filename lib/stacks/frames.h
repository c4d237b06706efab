/* SPDX-License-Identifier: MIT */
/*
 * frames.h - the frames of all stacks, each kept once
 */
#ifndef JFREC_STACKS_FRAMES_H
#define JFREC_STACKS_FRAMES_H

#include "stacks/name_set.h"

/*
 * How the code of a frame ran. The JDK records 0 to 3 (pool jdk.types.FrameType); async-profiler
 * adds 4 to 6, and says 3 of C code, too.
 */
enum frame_kind {
	FRAME_INTERPRETED = 0,
	FRAME_JIT = 1,
	FRAME_INLINED = 2,
	FRAME_NATIVE = 3,
	FRAME_CPP = 4,
	FRAME_KERNEL = 5,
	FRAME_C1 = 6,
	/* What is put into stacks besides code. */
	FRAME_CLASS = 7,  /* of the object that was allocated, or of the lock */
	FRAME_THREAD = 8, /* whose stack it is */
	FRAME_NOTE = 9,	  /* "[no stack]" and the like */
};
#define FRAME_KINDS 10

#define FRAME_NONE UINT32_MAX

/* Line and bytecode index are 0 where they were not asked for. */
struct frame {
	uint32_t name; /* number in struct name_set: class and method */
	uint32_t line, bci;
	uint8_t kind; /* enum frame_kind */
};

struct frames {
	struct frame *list;
	uint32_t count, room;
	struct digest_map by_content;
};

/* The number of that frame; FRAME_NONE when memory is gone. */
uint32_t frames_put(struct frames *f, struct frame frame);

/*
 * Make an array of `count` items, in which the caller keeps something of each frame, as long as
 * there is room for frames; the bytes of what is new become `fill`. As realloc(): NULL when memory
 * is gone.
 */
void *frames_stretch(const struct frames *f, void *array, uint32_t *count, size_t size, int fill);

void frames_fini(struct frames *f);

#endif
