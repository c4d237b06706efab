/* SPDX-License-Identifier: MIT */
/*
 * tree.c - a weighted call tree
 */
#include "stacks/tree.h"

#include <stdlib.h>

#include "base/array.h"

static uint32_t add_node(struct tree *t, uint32_t parent, uint32_t frame)
{
	struct node n = { .parent = parent, .frame = frame };

	if (!array_push(t->nodes, t->count, t->room, n))
		return NODE_NONE;
	t->is_ordered = false;
	return t->count - 1;
}

int tree_init(struct tree *t)
{
	*t = (struct tree){ 0 };
	return add_node(t, NODE_NONE, UINT32_MAX) == NODE_NONE ? -1 : 0;
}

void tree_fini(struct tree *t)
{
	free(t->nodes);
	free(t->before);
	idmap_fini(&t->forks);
	free(t->order);
	*t = (struct tree){ 0 };
}

static uint64_t key_of(uint32_t parent, uint32_t frame)
{
	return (uint64_t)parent << 32 | frame;
}

/* Of a node that has a child, another one. */
static uint32_t find_sibling(struct tree *t, uint32_t parent, uint32_t frame)
{
	uint32_t only = t->nodes[parent].latest, *place;

	if (!t->nodes[parent].is_fork) {
		if (!idmap_put(&t->forks, key_of(parent, t->nodes[only].frame), only))
			return NODE_NONE;
		t->nodes[parent].is_fork = true;
	}
	place = idmap_put(&t->forks, key_of(parent, frame), t->count);
	if (!place)
		return NODE_NONE;
	/* Without memory the place has a number beyond the tree, which is of no use then. */
	return *place < t->count ? *place : add_node(t, parent, frame);
}

uint32_t tree_child(struct tree *t, uint32_t parent, uint32_t frame)
{
	uint32_t child = t->nodes[parent].latest;

	if (child && t->nodes[child].frame == frame)
		return child;
	child = child ? find_sibling(t, parent, frame) : add_node(t, parent, frame);
	if (child != NODE_NONE)
		t->nodes[parent].latest = child;
	return child;
}
