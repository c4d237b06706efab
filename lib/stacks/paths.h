/* SPDX-License-Identifier: MIT */
/*
 * paths.h - the stacks of one chunk, as paths that share their beginnings
 *
 *	0 ─ Thread.run ─ Shop.sell ─ HashMap.put
 *	                           └ HashMap.get ─ HashMap.hash
 *
 * A stack is the number of the step where it ends, whose parents are the frames that called it.
 */
#ifndef JFREC_STACKS_PATHS_H
#define JFREC_STACKS_PATHS_H

#include "stacks/traces.h"

/* No path is longer: a trace, its thread, its category, its class. */
#define PATH_MOST (TRACE_MAX_FRAMES + 5)

#define PATH_ROOT 0
#define PATH_NONE UINT32_MAX

struct path_step {
	uint32_t parent, frame;
	uint32_t level : 31; /* how many frames there are, this one included */
	uint32_t is_fork : 1; /* it has several children, which `forks` knows */
	uint32_t latest; /* the child that was asked for last; PATH_ROOT: none */
};

/* All zero has no path but the empty one. */
struct paths {
	struct path_step *list; /* number 0 is the root; parents come before their children */
	uint32_t count, room;
	struct idmap forks; /* (parent, frame) to number, of steps that have siblings */
};

/* The step to that frame, made if it is new; PATH_NONE when memory is gone. */
uint32_t paths_step(struct paths *p, uint32_t from, uint32_t frame);

/* The frames of a path, the first one first, to `frames`, which has room for PATH_MOST. */
uint32_t paths_frames(const struct paths *p, uint32_t end, uint32_t *frames);

void paths_fini(struct paths *p);

#endif
