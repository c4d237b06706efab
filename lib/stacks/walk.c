/* SPDX-License-Identifier: MIT */
/*
 * walk.c - visit the nodes of a call tree, children in the order of their names
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "stacks/stacks.h"

struct ordered {
	const char *name;
	const struct frame *frame;
	uint32_t node;
};

static int by_name(const void *x, const void *y)
{
	const struct ordered *a = x, *b = y;
	int order = strcmp(a->name, b->name);

	if (order)
		return order;
	if (a->frame->kind != b->frame->kind)
		return a->frame->kind < b->frame->kind ? -1 : 1;
	if (a->frame->line != b->frame->line)
		return a->frame->line < b->frame->line ? -1 : 1;
	return a->frame->bci < b->frame->bci ? -1 : a->frame->bci > b->frame->bci;
}

/* Most nodes have few children. */
#define FEW 8

static void sort(struct ordered *list, size_t count)
{
	if (count > FEW) {
		qsort(list, count, sizeof(*list), by_name);
		return;
	}
	for (size_t i = 1; i < count; i++) {
		struct ordered it = list[i];
		size_t at = i;

		for (; at && by_name(&it, &list[at - 1]) < 0; at--)
			list[at] = list[at - 1];
		list[at] = it;
	}
}

/* Room for the children of one node, which grows. */
struct children {
	struct ordered *list;
	size_t count, room;
};

static int order_children(const struct book *book, struct tree *t, uint32_t node,
			  struct children *c)
{
	uint32_t *link = &t->nodes[node].first_child;

	c->count = 0;
	for (uint32_t i = *link; i != NODE_NONE; i = t->nodes[i].next) {
		const struct frame *f = &book->frames.list[t->nodes[i].frame];
		struct ordered it = { book->names.list[f->name].text, f, i };

		if (!array_push(c->list, c->count, c->room, it))
			return -1;
	}
	sort(c->list, c->count);
	for (size_t i = 0; i < c->count; i++) {
		*link = c->list[i].node;
		link = &t->nodes[*link].next;
	}
	*link = NODE_NONE;
	return 0;
}

static int order(const struct book *book, struct tree *t)
{
	struct children c = { 0 };
	int ret = 0;

	for (uint32_t i = 0; i < t->count && ret == 0; i++) {
		uint32_t child = t->nodes[i].first_child;

		if (child != NODE_NONE && t->nodes[child].next != NODE_NONE)
			ret = order_children(book, t, i, &c);
	}
	free(c.list);
	t->is_ordered = ret == 0;
	return ret;
}

static int visit(const struct stacks_walk *w, uint32_t node, unsigned depth)
{
	int ret = w->enter(w->ctx, node, depth);

	if (ret <= 0)
		return ret;
	ret = 0;
	for (uint32_t i = w->tree->nodes[node].first_child; i != NODE_NONE && ret == 0;
	     i = w->tree->nodes[i].next)
		ret = visit(w, i, depth + 1);
	if (ret == 0 && w->leave)
		w->leave(w->ctx, node, depth);
	return ret;
}

int stacks_visit(const struct stacks_walk *w)
{
	if (!w->tree)
		return 0;
	if (!w->tree->is_ordered && order(&w->stacks->book, w->tree) < 0)
		return -1;
	return visit(w, 0, 0);
}
