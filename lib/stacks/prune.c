/* SPDX-License-Identifier: MIT */
/*
 * prune.c - keep trees within their budget: what is light becomes [other]
 *
 * A tree that has grown beyond the budget keeps its heaviest nodes, a quarter of the budget. Of
 * each that stays, all that was called from it and is too light is one child, "[other]", so no
 * weight is lost. Trees are looked at after each chunk, in the order of the chunks, and within one
 * when they have twice their budget: what is folded depends on the recording alone.
 *
 * What is kept of the times before a chunk is numbered again once, after its last row (settle).
 */
#include <stdlib.h>
#include <string.h>

#include "stacks/stacks.h"

#define OTHER "[other]"

/* What is being pruned. */
struct pruning {
	struct jfrec_stacks *stacks;
	size_t kind;
	const struct tree *from;
	struct tree to;
	int64_t least;	/* of a node that stays */
	uint32_t *numbers; /* by node: the node in `to` that it is part of */
	bool *is_folded;   /* by node */
};

static int64_t weight_of(const struct pruning *p, uint32_t node)
{
	return stacks_weight(p->stacks, p->kind, p->from->nodes[node].total);
}

static int descending(const void *x, const void *y)
{
	int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

	return a < b ? 1 : a > b ? -1 : 0;
}

/* What a node must weigh, for at most so many to stay. */
static int find_least(struct pruning *p, uint32_t most)
{
	int64_t *weights = calloc((size_t)p->from->count + 1, sizeof(*weights));

	if (!weights)
		return -1;
	for (uint32_t i = 0; i < p->from->count; i++)
		weights[i] = weight_of(p, i);
	qsort(weights, p->from->count, sizeof(*weights), descending);
	p->least = weights[most] < INT64_MAX ? weights[most] + 1 : INT64_MAX;
	free(weights);
	return 0;
}

static uint32_t other_frame(struct jfrec_stacks *s)
{
	uint32_t name = name_set_put(&s->book.names, OTHER, strlen(OTHER));

	return name == NAME_NONE ? FRAME_NONE
				 : frames_put(&s->book.frames,
					      (struct frame){ .name = name, .kind = FRAME_NOTE });
}

static void keep(struct pruning *p, uint32_t number, const struct node *n)
{
	struct node *to = &p->to.nodes[number];

	weight_add(&to->self, n->self);
	weight_add(&to->total, n->total);
	for (unsigned i = 0; i < NODE_WAYS; i++)
		value_add(&to->ways[i], n->ways[i]);
}

static void fold(struct pruning *p, uint32_t number, const struct node *n)
{
	weight_add(&p->to.nodes[number].self, n->total);
	weight_add(&p->to.nodes[number].total, n->total);
}

static int prune_node(struct pruning *p, uint32_t i, uint32_t other)
{
	const struct node *n = &p->from->nodes[i];
	bool stays = weight_of(p, i) >= p->least || n->frame == other;
	uint32_t number;

	if (p->is_folded[n->parent]) {
		p->is_folded[i] = true;
		p->numbers[i] = p->numbers[n->parent];
		return 0;
	}
	number = tree_child(&p->to, p->numbers[n->parent], stays ? n->frame : other);
	if (number == NODE_NONE)
		return -1;
	p->numbers[i] = number;
	p->is_folded[i] = !stays;
	if (stays)
		keep(p, number, n);
	else
		fold(p, number, n);
	return 0;
}

static int prune_nodes(struct pruning *p)
{
	uint32_t other = other_frame(p->stacks);

	if (other == FRAME_NONE || tree_init(&p->to) < 0)
		return -1;
	keep(p, 0, &p->from->nodes[0]);
	for (uint32_t i = 1; i < p->from->count; i++) {
		if (prune_node(p, i, other) < 0)
			return -1;
	}
	p->stacks->other_frame = other;
	p->stacks->has_other = true;
	return 0;
}

/* When stacks were seen, by their new numbers -------------------------------------------------- */

struct renumbering {
	const uint32_t *numbers;
	struct times *to;
};

static int renumber(void *ctx, int64_t at_ns, uint32_t node, int64_t weight)
{
	const struct renumbering *r = ctx;

	return times_add(r->to, at_ns, r->numbers[node], weight);
}

static int renumber_times(struct times *t, const uint32_t *numbers)
{
	struct times to = { .width = t->width, .most_spans = t->most_spans };
	struct renumbering r = { numbers, &to };
	int ret = times_each(t, renumber, &r);

	times_fini(t);
	*t = to;
	return ret;
}

static int renumber_held(struct profile *profile, unsigned rank, const uint32_t *numbers)
{
	if (sample_list_renumber(&profile->samples[rank], numbers) < 0)
		return -1;
	return renumber_times(&profile->times[rank], numbers);
}

/* The numbers by node that the tree had; the caller frees them. NULL when memory is gone. */
static uint32_t *prune_tree(struct jfrec_stacks *s, size_t kind, struct tree *t, uint32_t most)
{
	struct pruning p = { .stacks = s, .kind = kind, .from = t };
	uint32_t *numbers = NULL;

	p.numbers = calloc(t->count, sizeof(*p.numbers));
	p.is_folded = calloc(t->count, sizeof(*p.is_folded));
	if (p.numbers && p.is_folded && find_least(&p, most / 4) == 0 && prune_nodes(&p) == 0) {
		numbers = p.numbers;
		p.numbers = NULL;
		tree_fini(t);
		*t = p.to;
		p.to = (struct tree){ 0 };
	}
	tree_fini(&p.to);
	free(p.numbers);
	free(p.is_folded);
	return numbers;
}

static uint32_t budget_of(const struct jfrec_stacks *s)
{
	return s->options.max_nodes ? s->options.max_nodes : STACKS_MAX_NODES;
}

int stacks_prune(struct jfrec_stacks *s, unsigned side)
{
	int ret = 0;

	for (size_t i = 0; i < s->kind_count * MAX_RANKS && ret == 0; i++) {
		struct profile *p = &s->profiles[side][i / MAX_RANKS];
		unsigned rank = i % MAX_RANKS;
		uint32_t *numbers;

		if (p->trees[rank].count <= budget_of(s))
			continue;
		numbers = prune_tree(s, i / MAX_RANKS, &p->trees[rank], budget_of(s));
		ret = numbers ? renumber_held(p, rank, numbers) : -1;
		free(numbers);
	}
	return ret;
}

/* Within a chunk ------------------------------------------------------------------------------- */

void stacks_begin_rows(struct jfrec_stacks *s, unsigned side)
{
	for (size_t i = 0; i < s->kind_count * MAX_RANKS; i++) {
		struct profile *p = &s->profiles[side][i / MAX_RANKS];

		p->settled[i % MAX_RANKS] = p->trees[i % MAX_RANKS].count;
	}
}

/* Where what was held before the chunk is now. */
static int note_numbers(struct profile *p, unsigned rank, const uint32_t *numbers)
{
	uint32_t **now = &p->waiting[rank];

	if (*now) {
		for (uint32_t i = 0; i < p->settled[rank]; i++)
			(*now)[i] = numbers[(*now)[i]];
		return 0;
	}
	*now = calloc((size_t)p->settled[rank] + 1, sizeof(**now));
	if (!*now)
		return -1;
	for (uint32_t i = 0; i < p->settled[rank]; i++)
		(*now)[i] = numbers[i];
	return 0;
}

bool stacks_must_prune(const struct jfrec_stacks *s, const struct tree *t)
{
	return t->count / 2 > budget_of(s);
}

int stacks_prune_rows(struct jfrec_stacks *s, unsigned side, const struct gathered *rows,
		      size_t count, uint32_t *nodes)
{
	const struct gathered *last = &rows[count - 1];
	struct profile *p = &s->profiles[side][last->kind];
	struct tree *t = &p->trees[last->rank];
	uint32_t *numbers;
	int ret;

	numbers = prune_tree(s, last->kind, t, budget_of(s));
	ret = numbers ? note_numbers(p, last->rank, numbers) : -1;
	for (size_t i = 0; i < count && ret == 0; i++) {
		if (rows[i].kind == last->kind && rows[i].rank == last->rank &&
		    nodes[i] != NODE_NONE)
			nodes[i] = numbers[nodes[i]];
	}
	free(numbers);
	return ret;
}

int stacks_settle(struct jfrec_stacks *s, unsigned side)
{
	int ret = 0;

	for (size_t i = 0; i < s->kind_count * MAX_RANKS && ret == 0; i++) {
		struct profile *p = &s->profiles[side][i / MAX_RANKS];
		uint32_t **waiting = &p->waiting[i % MAX_RANKS];

		if (*waiting)
			ret = renumber_held(p, i % MAX_RANKS, *waiting);
		free(*waiting);
		*waiting = NULL;
	}
	return ret;
}

/* What was folded ------------------------------------------------------------------------------ */

struct weight stacks_other(const struct jfrec_stacks *s, const struct tree *t)
{
	struct weight w = { 0 };

	for (uint32_t i = 1; t && s->has_other && i < t->count; i++) {
		if (t->nodes[i].frame == s->other_frame)
			weight_add(&w, t->nodes[i].self);
	}
	return w;
}
