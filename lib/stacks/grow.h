/* SPDX-License-Identifier: MIT */
/*
 * grow.h - from the rows of a chunk to trees
 */
#ifndef JFREC_STACKS_GROW_H
#define JFREC_STACKS_GROW_H

#include "stacks/stacks.h"

/*
 * The way to the node where the last stack ended: the next one mostly begins as it did, and so far
 * nothing has to be looked up.
 */
struct path {
	const struct tree *tree; /* NULL: none yet */
	size_t kind;		 /* of the profile that is added to */
	uint32_t count;
	uint32_t frames[STACKS_MAX_DEPTH], nodes[STACKS_MAX_DEPTH];
};

/*
 * Add a stack, the root first, to a tree that has a root. The node where it ends; NODE_NONE when
 * memory is gone.
 */
uint32_t add_stack(struct jfrec_stacks *s, struct tree *t, struct path *p, const uint32_t *frames,
		   uint32_t count, struct weight w);

/*
 * Add the rows of a chunk, but those of leaks, to the trees of their profiles. nodes, by row: where
 * its stack ends, or NODE_NONE if it is left out. 0, or -1 when memory is gone.
 */
int add_rows(struct jfrec_stacks *s, unsigned side, const struct gathered_chunk *c,
	     uint32_t *nodes);

/*
 * Is the stack one of those that are asked for by --include and --exclude? 1: it stays; 0: it goes;
 * -1: memory is gone.
 */
int passes(struct jfrec_stacks *s, const uint32_t *frames, uint32_t count);

/* The same of all paths of a chunk; NULL when memory is gone, or *all stay. The caller frees it. */
bool *passing_paths(struct jfrec_stacks *s, const struct paths *p, bool *all);

#endif
