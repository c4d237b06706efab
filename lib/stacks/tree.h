/* SPDX-License-Identifier: MIT */
/*
 * tree.h - a weighted call tree
 *
 * A node stands for a frame and all frames above it. Its weight is what ended in it ("self");
 * what passed through it is added up when the tree is walked. Kinds of Java code share a node,
 * since one method may be interpreted, compiled and inlined during one recording: which it
 * mostly was is told by the weights of the kinds.
 */
#ifndef JFREC_STACKS_TREE_H
#define JFREC_STACKS_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"

/* What events weigh: how many there were, and their time or bytes. */
struct weight {
	uint64_t samples;
	int64_t value;
};

static inline void weight_add(struct weight *to, struct weight w)
{
	to->samples += w.samples;
	if (__builtin_add_overflow(to->value, w.value, &to->value))
		to->value = w.value < 0 ? INT64_MIN : INT64_MAX;
}

#define NODE_NONE UINT32_MAX

struct node {
	uint32_t parent;	/* NODE_NONE: the root */
	uint32_t frame;		/* number in struct frames, its kind folded */
	uint32_t first_child, next; /* siblings, newest first */
	struct weight self, total;
	struct weight before; /* of a difference: what ended here in the first recording */
	/* Of `total`: what ran inlined, compiled by C1, and interpreted. */
	struct weight inlined, c1, interpreted;
};

struct tree {
	struct node *nodes; /* the root is number 0; parents come before their children */
	uint32_t count, room;
	struct idmap children; /* (parent, frame) to number */
};

/* 0, or -1 when memory is gone. */
int tree_init(struct tree *t);
void tree_fini(struct tree *t);

/* The child with that frame, made if it is new; NODE_NONE when memory is gone. */
uint32_t tree_child(struct tree *t, uint32_t parent, uint32_t frame);

#endif
