/* SPDX-License-Identifier: MIT */
/*
 * tree.h - a weighted call tree
 *
 * A node stands for a frame and all frames above it. Its weight is what ended in it ("self"); what
 * passed through it is added up when the tree is walked. Kinds of Java code share a node, since one
 * method may be interpreted, compiled and inlined during one recording: the weights of the kinds
 * show which it mostly was.
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

static inline void value_add(int64_t *to, int64_t value)
{
	if (__builtin_add_overflow(*to, value, to))
		*to = value < 0 ? INT64_MIN : INT64_MAX;
}

static inline void weight_add(struct weight *to, struct weight w)
{
	to->samples += w.samples;
	value_add(&to->value, w.value);
}

#define NODE_NONE UINT32_MAX

/* How Java code may have run, if not compiled by C2. */
enum node_way { WAY_INLINED, WAY_C1, WAY_INTERPRETED, NODE_WAYS };

struct node {
	uint32_t parent;	/* NODE_NONE: the root */
	uint32_t frame;		/* number in struct frames, its kind folded */
	uint32_t latest;	/* the child that was asked for last; 0: none */
	bool is_fork;		/* it has several children, which `forks` knows */
	struct weight self, total;
	/* Of `total`, in what the profile is measured in: what ran inlined, and so on. */
	int64_t ways[NODE_WAYS];
};

/* A step of a walk over all nodes. */
struct visit {
	uint32_t node, depth;
	uint32_t end; /* where what is below the node ends in the walk */
};

struct tree {
	struct node *nodes; /* the root is number 0; parents come before their children */
	uint32_t count, room;
	struct idmap forks; /* (parent, frame) to number, of nodes that have siblings */
	struct visit *order; /* of all nodes, by name; once is_ordered (walk.c) */
	bool is_ordered;
	/* Of a difference, by node: what ended there in the first recording. Else NULL. */
	struct weight *before;
};

/* 0, or -1 when memory is gone. */
int tree_init(struct tree *t);
void tree_fini(struct tree *t);

/* What ended there in the first recording. */
static inline struct weight tree_before(const struct tree *t, uint32_t node)
{
	return t->before ? t->before[node] : (struct weight){ 0 };
}

/* The child with that frame, made if it is new; NODE_NONE when memory is gone. */
uint32_t tree_child(struct tree *t, uint32_t parent, uint32_t frame);

#endif
