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

/* Most nodes have few children: these take no memory but the stack. */
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

/*
 * *children: `few` if they fit in there, else to be freed. 0, or -1 when memory is gone. Its room
 * is not part of visit(), which calls itself for each level of a stack.
 */
static __attribute__((noinline)) int order_children(const struct stacks_walk *w, uint32_t node,
						    uint32_t few[static FEW], uint32_t **children,
						    size_t *count)
{
	const struct tree *t = w->tree;
	const struct book *book = &w->stacks->book;
	struct ordered few_ordered[FEW], *list = few_ordered;
	size_t n = 0;

	for (uint32_t i = t->nodes[node].first_child; i != NODE_NONE; i = t->nodes[i].next)
		n++;
	*children = few;
	if (n > FEW) {
		list = calloc(n, sizeof(*list));
		*children = calloc(n, sizeof(**children));
		if (!list || !*children) {
			free(list);
			free(*children);
			return -1;
		}
	}
	*count = n;
	n = 0;
	for (uint32_t i = t->nodes[node].first_child; i != NODE_NONE; i = t->nodes[i].next) {
		const struct frame *f = &book->frames.list[t->nodes[i].frame];

		list[n++] = (struct ordered){ book->names.list[f->name].text, f, i };
	}
	sort(list, n);
	for (size_t i = 0; i < n; i++)
		(*children)[i] = list[i].node;
	if (list != few_ordered)
		free(list);
	return 0;
}

static int visit(const struct stacks_walk *w, uint32_t node, unsigned depth)
{
	int ret = w->enter(w->ctx, node, depth);
	uint32_t few[FEW], *children;
	size_t count;

	if (ret <= 0)
		return ret;
	if (order_children(w, node, few, &children, &count) < 0)
		return -1;
	ret = 0;
	for (size_t i = 0; i < count && ret == 0; i++)
		ret = visit(w, children[i], depth + 1);
	if (children != few)
		free(children);
	if (ret == 0 && w->leave)
		w->leave(w->ctx, node, depth);
	return ret;
}

int stacks_visit(const struct stacks_walk *w)
{
	return w->tree ? visit(w, 0, 0) : 0;
}
