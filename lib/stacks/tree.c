/* SPDX-License-Identifier: MIT */
/*
 * tree.c - a weighted call tree
 */
#include "stacks/tree.h"

#include <stdlib.h>

#include "base/array.h"

static uint32_t add_node(struct tree *t, uint32_t parent, uint32_t frame)
{
	struct node n = { .parent = parent, .frame = frame, .first_child = NODE_NONE,
			  .next = NODE_NONE };

	if (parent != NODE_NONE)
		n.next = t->nodes[parent].first_child;
	if (!array_push(t->nodes, t->count, t->room, n))
		return NODE_NONE;
	t->is_ordered = false;
	if (parent != NODE_NONE)
		t->nodes[parent].first_child = t->count - 1;
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
	idmap_fini(&t->children);
	*t = (struct tree){ 0 };
}

uint32_t tree_child(struct tree *t, uint32_t parent, uint32_t frame)
{
	uint32_t *place = idmap_put(&t->children, (uint64_t)parent << 32 | frame, t->count);

	if (!place)
		return NODE_NONE;
	/* Without memory the place has a number beyond the tree, which is of no use then. */
	return *place < t->count ? *place : add_node(t, parent, frame);
}
