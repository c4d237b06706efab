/* SPDX-License-Identifier: MIT */
/*
 * walk.c - visit the nodes of a call tree, children in the order of their names
 */
#include <stdlib.h>
#include <string.h>

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

static uint32_t *ordered_children(const struct jfrec_stacks *s, const struct tree *t, uint32_t node,
			  size_t *count)
{
	struct ordered *list;
	uint32_t *children;
	size_t n = 0;

	for (uint32_t i = t->nodes[node].first_child; i != NODE_NONE; i = t->nodes[i].next)
		n++;
	list = calloc(n + 1, sizeof(*list));
	children = calloc(n + 1, sizeof(*children));
	*count = n;
	if (!list || !children) {
		free(list);
		free(children);
		return NULL;
	}
	n = 0;
	for (uint32_t i = t->nodes[node].first_child; i != NODE_NONE; i = t->nodes[i].next) {
		const struct frame *f = &s->book.frames.list[t->nodes[i].frame];

		list[n++] = (struct ordered){ s->book.names.list[f->name].text, f, i };
	}
	qsort(list, n, sizeof(*list), by_name);
	for (size_t i = 0; i < n; i++)
		children[i] = list[i].node;
	free(list);
	return children;
}

static int visit(const struct stacks_walk *w, uint32_t node, unsigned depth)
{
	int into = w->enter(w->ctx, node, depth), ret = 0;
	uint32_t *children = NULL;
	size_t count = 0;

	if (into <= 0)
		return into;
	if (w->tree->nodes[node].first_child != NODE_NONE) {
		children = ordered_children(w->stacks, w->tree, node, &count);
		ret = children ? 0 : -1;
	}
	for (size_t i = 0; i < count && ret == 0; i++)
		ret = visit(w, children[i], depth + 1);
	free(children);
	if (ret == 0 && w->leave)
		w->leave(w->ctx, node, depth);
	return ret;
}

int stacks_visit(const struct stacks_walk *w)
{
	return w->tree ? visit(w, 0, 0) : 0;
}
