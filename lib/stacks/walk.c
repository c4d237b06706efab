/* SPDX-License-Identifier: MIT */
/*
 * walk.c - visit the nodes of a call tree, children in the order of their names
 *
 * A tree is walked over several times for one page, and its nodes are visited each time in the same
 * order: which is worked out once, and kept as a list. What is below a node follows it there, so
 * that leaving it out is a step to its end.
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

static int sort_children(const struct book *book, const struct tree *t, uint32_t *nodes,
			 uint32_t count, struct children *c)
{
	c->count = 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct frame *f = &book->frames.list[t->nodes[nodes[i]].frame];
		struct ordered it = { book->names.list[f->name].text, f, nodes[i] };

		if (!array_push(c->list, c->count, c->room, it))
			return -1;
	}
	sort(c->list, c->count);
	for (uint32_t i = 0; i < count; i++)
		nodes[i] = c->list[i].node;
	return 0;
}

/* What is known of each node before its place is: parents come before their children. */
struct ordering {
	uint32_t *begins;   /* by node: where its children begin; and the end of all */
	uint32_t *children; /* of all nodes */
	uint32_t *sizes;    /* by node: how many there are from it on down; then its place */
};

/* The children of each node together, the newest first. */
static void find_children(const struct tree *t, struct ordering *o)
{
	for (uint32_t i = 1; i < t->count; i++)
		o->begins[t->nodes[i].parent]++;
	for (uint32_t i = 1; i < t->count; i++)
		o->begins[i] += o->begins[i - 1];
	o->begins[t->count] = t->count - 1;
	for (uint32_t i = 1; i < t->count; i++)
		o->children[--o->begins[t->nodes[i].parent]] = i;
}

static void find_sizes(const struct tree *t, struct ordering *o)
{
	for (uint32_t i = t->count - 1; i > 0; i--)
		o->sizes[t->nodes[i].parent] += ++o->sizes[i];
	o->sizes[0]++;
}

/* Each node's children behind it, one after what is below the other. */
static int place_all(const struct book *book, struct tree *t, struct ordering *o)
{
	struct children c = { 0 };
	int ret = 0;

	t->order[0] = (struct visit){ .node = 0, .depth = 0, .end = o->sizes[0] };
	o->sizes[0] = 0;
	for (uint32_t i = 0; i < t->count && ret == 0; i++) {
		uint32_t begin = o->begins[i], count = o->begins[i + 1] - begin;
		uint32_t at = o->sizes[i], depth = t->order[at].depth + 1;

		if (count > 1)
			ret = sort_children(book, t, o->children + begin, count, &c);
		at++;
		for (uint32_t j = 0; j < count; j++) {
			uint32_t child = o->children[begin + j], end = at + o->sizes[child];

			t->order[at] = (struct visit){ child, depth, end };
			o->sizes[child] = at;
			at = end;
		}
	}
	free(c.list);
	return ret;
}

static int order(const struct book *book, struct tree *t)
{
	struct ordering o = {
		.begins = calloc((size_t)t->count + 1, sizeof(*o.begins)),
		.children = malloc(t->count * sizeof(*o.children)),
		.sizes = calloc(t->count, sizeof(*o.sizes)),
	};
	int ret = -1;

	free(t->order);
	t->order = malloc(t->count * sizeof(*t->order));
	if (o.begins && o.children && o.sizes && t->order) {
		find_children(t, &o);
		find_sizes(t, &o);
		ret = place_all(book, t, &o);
	}
	free(o.begins);
	free(o.children);
	free(o.sizes);
	t->is_ordered = ret == 0;
	return ret;
}

/* The node that was entered last and not left, and how many have not been left. */
struct entered {
	uint32_t node;
	unsigned count;
};

static void leave(const struct stacks_walk *w, struct entered *e, unsigned depth)
{
	for (; e->count > depth; e->count--) {
		w->leave(w->ctx, e->node, e->count - 1);
		e->node = w->tree->nodes[e->node].parent;
	}
}

static int visit(const struct stacks_walk *w)
{
	const struct visit *order = w->tree->order;
	struct entered entered = { 0 };

	for (uint32_t i = 0; i < w->tree->count;) {
		const struct visit *v = &order[i];
		int ret;

		if (w->leave)
			leave(w, &entered, v->depth);
		ret = w->enter(w->ctx, v->node, v->depth);
		if (ret < 0)
			return ret;
		if (ret > 0)
			entered = (struct entered){ v->node, v->depth + 1 };
		i = ret > 0 ? i + 1 : v->end;
	}
	if (w->leave)
		leave(w, &entered, 0);
	return 0;
}

int stacks_visit(const struct stacks_walk *w)
{
	if (!w->tree)
		return 0;
	if (!w->tree->is_ordered && order(&w->stacks->book, w->tree) < 0)
		return -1;
	return visit(w);
}
