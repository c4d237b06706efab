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
	free(t->table);
	free(t->order);
	*t = (struct tree){ 0 };
}

/* Where in the table the child is, or would be. */
static uint32_t *place_of(const struct tree *t, uint32_t parent, uint32_t frame)
{
	uint64_t hash = ((uint64_t)parent << 32 | frame) * 0x9e3779b97f4a7c15u;
	uint32_t i = (uint32_t)(hash >> 32) & t->table_mask;

	while (t->table[i] && (t->nodes[t->table[i]].parent != parent ||
			       t->nodes[t->table[i]].frame != frame))
		i = (i + 1) & t->table_mask;
	return &t->table[i];
}

/* At most half of the table is full. */
static bool has_room(struct tree *t)
{
	uint32_t size = t->table ? (t->table_mask + 1) * 2 : 64;
	uint32_t *table;

	if (t->table && t->count <= t->table_mask / 2)
		return true;
	table = size ? calloc(size, sizeof(*table)) : NULL;
	if (!table)
		return false;
	free(t->table);
	t->table = table;
	t->table_mask = size - 1;
	for (uint32_t i = 1; i < t->count; i++)
		*place_of(t, t->nodes[i].parent, t->nodes[i].frame) = i;
	return true;
}

uint32_t tree_child(struct tree *t, uint32_t parent, uint32_t frame)
{
	uint32_t *place = has_room(t) ? place_of(t, parent, frame) : NULL;
	uint32_t number;

	if (!place || *place)
		return place ? *place : NODE_NONE;
	number = add_node(t, parent, frame);
	if (number != NODE_NONE)
		*place = number;
	return number;
}
