/* SPDX-License-Identifier: MIT */
/*
 * methods.c - what each method weighs: alone, and with all that it calls
 */
#include "stacks/methods.h"

#include <stdlib.h>
#include <string.h>

/* A walk that adds up. */
struct adding {
	const struct jfrec_stacks *stacks;
	struct tree *tree;
	size_t kind;
	struct method_weight *by_name;
	uint32_t *on_path; /* by name: how many nodes above this one have it */
};

static uint32_t name_of(const struct adding *a, uint32_t node)
{
	return a->stacks->book.frames.list[a->tree->nodes[node].frame].name;
}

/* Only code is a method: no thread, class or note. */
static bool is_code(const struct adding *a, uint32_t node)
{
	return a->stacks->book.frames.list[a->tree->nodes[node].frame].kind < FRAME_CLASS;
}

static int enter(void *ctx, uint32_t node, unsigned depth)
{
	struct adding *a = ctx;
	const struct node *n = &a->tree->nodes[node];
	struct method_weight *m;
	uint32_t name;

	if (depth == 0 || !is_code(a, node))
		return 1;
	name = name_of(a, node);
	m = &a->by_name[name];
	m->name = name;
	m->self += stacks_weight(a->stacks, a->kind, n->self);
	if (a->on_path[name]++ == 0)
		m->total += stacks_weight(a->stacks, a->kind, n->total);
	return 1;
}

static void leave(void *ctx, uint32_t node, unsigned depth)
{
	struct adding *a = ctx;

	if (depth && is_code(a, node))
		a->on_path[name_of(a, node)]--;
}

/* The class of an allocation or lock is not a method: its weight is its caller's own. */
static void give_leaves_back(struct adding *a)
{
	for (uint32_t i = 1; i < a->tree->count; i++) {
		const struct node *n = &a->tree->nodes[i];
		uint32_t at = i;

		if (is_code(a, i) || !n->self.samples)
			continue;
		while (at && !is_code(a, at))
			at = a->tree->nodes[at].parent;
		if (at)
			a->by_name[name_of(a, at)].self +=
				stacks_weight(a->stacks, a->kind, n->self);
	}
}

/* Of two that weigh the same the name decides. */
static int compare(const struct method_weight *a, const struct method_weight *b,
		   const struct name *names, bool by_total)
{
	int64_t x = by_total ? a->total : a->self, y = by_total ? b->total : b->self;

	if (x != y)
		return x < y ? 1 : -1;
	x = by_total ? a->self : a->total;
	y = by_total ? b->self : b->total;
	if (x != y)
		return x < y ? 1 : -1;
	return strcmp(names[a->name].text, names[b->name].text);
}

static int by_self(const void *a, const void *b, void *names)
{
	return compare(a, b, names, false);
}

static int by_total(const void *a, const void *b, void *names)
{
	return compare(a, b, names, true);
}

int methods_of(const struct jfrec_stacks *s, size_t kind, struct tree *t,
	       enum method_order order, struct method_list *m)
{
	uint32_t names = s->book.names.count;
	struct adding a = { .stacks = s, .tree = t, .kind = kind };
	struct stacks_walk walk = { s, t, enter, leave, &a };
	int ret = -1;

	*m = (struct method_list){ 0 };
	a.by_name = calloc((size_t)names + 1, sizeof(*a.by_name));
	a.on_path = calloc((size_t)names + 1, sizeof(*a.on_path));
	if (a.by_name && a.on_path)
		ret = stacks_visit(&walk);
	if (ret == 0 && t) {
		give_leaves_back(&a);
		for (uint32_t i = 0; i < names; i++) {
			if (a.by_name[i].total || a.by_name[i].self)
				a.by_name[m->count++] = a.by_name[i];
		}
		qsort_r(a.by_name, m->count, sizeof(*a.by_name),
			order == BY_TOTAL ? by_total : by_self, s->book.names.list);
	}
	m->list = a.by_name;
	free(a.on_path);
	return ret;
}

void methods_fini(struct method_list *m)
{
	free(m->list);
	*m = (struct method_list){ 0 };
}
