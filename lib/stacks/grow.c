/* SPDX-License-Identifier: MIT */
/*
 * grow.c - from the rows of a chunk to trees
 *
 * Rows are added tree by tree. Each step of the chunk's paths is looked up in a tree once: then it
 * is known which node it is. A row's weight is noted where its path ends, and passed on to all
 * nodes on its way at once with that of the other rows.
 */
#include "stacks/grow.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static uint32_t fold_frame(struct jfrec_stacks *s, uint32_t number)
{
	struct frame f = s->book.frames.list[number];
	uint32_t *grown;

	grown = frames_stretch(&s->book.frames, s->folded, &s->folded_count, sizeof(*s->folded),
			       0xff);
	if (!grown)
		return FRAME_NONE;
	s->folded = grown;
	if (f.kind == FRAME_INTERPRETED || f.kind == FRAME_INLINED || f.kind == FRAME_C1) {
		uint32_t same;

		f.kind = FRAME_JIT;
		same = frames_put(&s->book.frames, f);
		s->folded[number] = same;
		return same;
	}
	return s->folded[number] = number;
}

/* The same frame as a key of the tree: how Java code ran makes no difference. */
static inline uint32_t folded(struct jfrec_stacks *s, uint32_t number)
{
	if (number < s->folded_count && s->folded[number] != UINT32_MAX)
		return s->folded[number];
	return fold_frame(s, number);
}

/* Stack by stack ------------------------------------------------------------------------------- */

static void count_way(struct node *n, enum frame_kind kind, int64_t weight)
{
	if (kind == FRAME_INLINED)
		value_add(&n->ways[WAY_INLINED], weight);
	else if (kind == FRAME_C1)
		value_add(&n->ways[WAY_C1], weight);
	else if (kind == FRAME_INTERPRETED)
		value_add(&n->ways[WAY_INTERPRETED], weight);
}

static uint32_t find_child(struct jfrec_stacks *s, struct tree *t, struct path *p, uint32_t depth,
			   uint32_t frame)
{
	uint32_t key, child;

	if (depth < p->count && p->frames[depth] == frame)
		return p->nodes[depth];
	key = folded(s, frame);
	child = key == FRAME_NONE ? NODE_NONE
				  : tree_child(t, depth ? p->nodes[depth - 1] : 0, key);
	p->frames[depth] = frame;
	p->nodes[depth] = child;
	p->count = depth + 1;
	return child;
}

/* Step to the child with that frame, and let the weight pass through it. */
static uint32_t step_into(struct jfrec_stacks *s, struct tree *t, struct path *p, uint32_t depth,
			  uint32_t frame, struct weight w)
{
	uint32_t child = find_child(s, t, p, depth, frame);

	if (child == NODE_NONE)
		return NODE_NONE;
	weight_add(&t->nodes[child].total, w);
	count_way(&t->nodes[child], s->book.frames.list[frame].kind,
		  stacks_weight(s, p->kind, w));
	return child;
}

/* How many frames are labels and threads, which stay at the root when stacks are reversed. */
static uint32_t leading_frames(const struct jfrec_stacks *s, const uint32_t *frames, uint32_t count)
{
	uint32_t leading = s->label && count ? 1 : 0;

	if (count > leading && s->book.frames.list[frames[leading]].kind == FRAME_THREAD)
		leading++;
	return leading;
}

uint32_t add_stack(struct jfrec_stacks *s, struct tree *t, struct path *p, const uint32_t *frames,
		   uint32_t count, struct weight w)
{
	uint32_t skip = s->options.skip < count ? s->options.skip : count, at = 0, depth = 0;
	uint32_t most = s->options.depth ? s->options.depth : UINT32_MAX;

	if (p->tree != t) {
		p->tree = t;
		p->count = 0;
	}
	weight_add(&t->nodes[0].total, w);
	if (s->options.is_reversed && skip == 0) {
		skip = leading_frames(s, frames, count);
		while (depth < skip && at != NODE_NONE) {
			at = step_into(s, t, p, depth, frames[depth], w);
			depth++;
		}
	}
	for (uint32_t i = skip; i < count && i - skip < most && at != NODE_NONE; i++) {
		uint32_t next = s->options.is_reversed ? count - 1 - (i - skip) : i;

		at = step_into(s, t, p, depth++, frames[next], w);
	}
	if (at != NODE_NONE)
		weight_add(&t->nodes[at].self, w);
	return at;
}

/* All rows of a chunk -------------------------------------------------------------------------- */

/* A step of the chunk's paths that is in the tree at hand: its node there. */
struct landed {
	uint32_t step, node;
	uint32_t parent; /* number of the step that it comes from, among those that landed */
	struct weight passed; /* what went there and is not in the tree yet */
};

/* Where the paths of a chunk are in the tree at hand. */
struct landing {
	struct jfrec_stacks *stacks;
	const struct gathered_chunk *chunk;
	struct tree *tree;
	size_t kind;
	/* Those that landed, each after the one it comes from; the root is number 0. */
	struct landed *list;
	uint32_t count, room;
	uint32_t *numbers; /* by step: its number there; 0, but of the root: not landed yet */
	uint32_t *way; /* room for PATH_MOST */
	struct path *path; /* of stacks that are added one by one */
	bool *passing; /* by step; NULL: all pass */
};

static void forget_nodes(struct landing *l)
{
	l->path->tree = NULL;
	for (uint32_t i = 1; i < l->count; i++)
		l->numbers[l->list[i].step] = 0;
	l->count = 1;
}

/* The weights of all rows since the last time, from the ends of paths to the root. */
static void pass_weights(struct landing *l)
{
	const struct path_step *steps = l->chunk->paths.list;

	for (uint32_t i = l->count - 1; i > 0; i--) {
		struct landed *at = &l->list[i], *parent = &l->list[at->parent];
		struct weight w = at->passed;

		if (!w.samples && !w.value)
			continue;
		/* Where a stack is cut, several steps are one node. */
		if (at->node != parent->node) {
			weight_add(&l->tree->nodes[at->node].total, w);
			count_way(&l->tree->nodes[at->node],
				  l->stacks->book.frames.list[steps[at->step].frame].kind,
				  stacks_weight(l->stacks, l->kind, w));
		}
		weight_add(&parent->passed, w);
		at->passed = (struct weight){ 0 };
	}
	if (l->tree)
		weight_add(&l->tree->nodes[0].total, l->list[0].passed);
	l->list[0].passed = (struct weight){ 0 };
}

/* The node of a step whose parent's node is known. */
static uint32_t node_of(const struct landing *l, const struct path_step *step, uint32_t parent)
{
	const struct jfrec_stack_options *o = &l->stacks->options;
	uint32_t key;

	if (step->level <= o->skip)
		return 0;
	if (o->depth && step->level - o->skip > o->depth)
		return parent;
	key = folded(l->stacks, step->frame);
	return key == FRAME_NONE ? NODE_NONE : tree_child(l->tree, parent, key);
}

/* Where a path ends, in the list of what landed; NULL when memory is gone. */
static struct landed *land(struct landing *l, uint32_t end)
{
	const struct path_step *steps = l->chunk->paths.list;
	uint32_t count = 0, number;

	for (; end != PATH_ROOT && !l->numbers[end]; end = steps[end].parent)
		l->way[count++] = end;
	for (number = l->numbers[end]; count; number = l->numbers[end]) {
		struct landed at = { .step = l->way[--count], .parent = number };

		end = at.step;
		at.node = node_of(l, &steps[end], l->list[number].node);
		if (at.node == NODE_NONE || !array_push(l->list, l->count, l->room, at))
			return NULL;
		l->numbers[end] = l->count - 1;
	}
	return &l->list[number];
}

static uint32_t add_path(struct landing *l, const struct gathered *r)
{
	struct landed *at;

	if (l->stacks->options.is_reversed)
		return add_stack(l->stacks, l->tree, l->path, l->way,
				 paths_frames(&l->chunk->paths, r->end, l->way), r->weight);
	at = land(l, r->end);
	if (!at)
		return NODE_NONE;
	weight_add(&l->tree->nodes[at->node].self, r->weight);
	weight_add(&at->passed, r->weight);
	return at->node;
}

static void turn_to(struct landing *l, struct tree *t, size_t kind)
{
	pass_weights(l);
	l->tree = t;
	l->kind = l->path->kind = kind;
	forget_nodes(l);
}

/* Add a row; *node is where its stack ends, or NODE_NONE if it is left out. */
static int add_row(struct landing *l, unsigned side, const struct gathered *r, uint32_t *node)
{
	struct jfrec_stacks *s = l->stacks;
	struct tree *t = &s->profiles[side][r->kind].trees[r->rank];

	*node = NODE_NONE;
	if (s->kinds[r->kind]->is_leaks)
		return 0;
	if (!t->count && tree_init(t) < 0)
		return -1;
	if (l->passing && !l->passing[r->end])
		return 0;
	if (l->tree != t)
		turn_to(l, t, r->kind);
	*node = add_path(l, r);
	return *node == NODE_NONE ? -1 : 0;
}

/*
 * Fold frames in the order of rows, whichever tree they are of: numbers of frames that differ in
 * nothing that a page shows, but in their bytecode index, say which comes first there.
 */
static void fold_in_order(struct landing *l)
{
	const struct jfrec_stack_options *o = &l->stacks->options;
	const struct gathered_chunk *c = l->chunk;

	for (size_t i = 0; i < c->row_count; i++) {
		const struct gathered *r = &c->rows[i];
		uint32_t count = 0;

		if (l->stacks->kinds[r->kind]->is_leaks || (l->passing && !l->passing[r->end]))
			continue;
		for (uint32_t at = r->end; at && !l->numbers[at]; at = c->paths.list[at].parent)
			l->way[count++] = at;
		while (count) {
			const struct path_step *step = &c->paths.list[l->way[--count]];

			l->numbers[l->way[count]] = 1; /* seen */
			if (step->level > o->skip &&
			    (!o->depth || step->level - o->skip <= o->depth))
				(void)folded(l->stacks, step->frame);
		}
	}
	memset(l->numbers, 0, c->paths.count * sizeof(*l->numbers));
}

static size_t tree_number(const struct jfrec_stacks *s, const struct gathered *r)
{
	return s->options.is_reversed ? 0 : r->kind * MAX_RANKS + r->rank;
}

/*
 * The numbers of the rows, those of one tree together, in their order; of stacks that are reversed,
 * in which nothing is looked up by path, all in their order. NULL: memory is gone.
 */
static size_t *order_rows(const struct jfrec_stacks *s, const struct gathered_chunk *c)
{
	size_t trees = s->options.is_reversed ? 1 : s->kind_count * MAX_RANKS;
	size_t *order = calloc(c->row_count + 1, sizeof(*order));
	size_t *starts = calloc(trees + 1, sizeof(*starts));

	for (size_t i = 0; order && starts && i < c->row_count; i++)
		starts[tree_number(s, &c->rows[i]) + 1]++;
	for (size_t i = 1; starts && i <= trees; i++)
		starts[i] += starts[i - 1];
	for (size_t i = 0; order && starts && i < c->row_count; i++)
		order[starts[tree_number(s, &c->rows[i])]++] = i;
	if (!starts) {
		free(order);
		order = NULL;
	}
	free(starts);
	return order;
}

static int add_ordered(struct landing *l, unsigned side, const size_t *order, uint32_t *nodes)
{
	const struct gathered_chunk *c = l->chunk;

	for (size_t i = 0; i < c->row_count; i++) {
		size_t row = order[i];

		if (add_row(l, side, &c->rows[row], &nodes[row]) < 0)
			return -1;
		if (!l->tree || !stacks_must_prune(l->stacks, l->tree))
			continue;
		pass_weights(l);
		if (stacks_prune_rows(l->stacks, side, c->rows, row + 1, nodes) < 0)
			return -1;
		forget_nodes(l);
	}
	pass_weights(l);
	return 0;
}

int add_rows(struct jfrec_stacks *s, unsigned side, const struct gathered_chunk *c, uint32_t *nodes)
{
	size_t steps = (size_t)c->paths.count + 1;
	struct landing l = { .stacks = s, .chunk = c };
	size_t *order = order_rows(s, c);
	bool all_pass;
	int ret = -1;

	l.numbers = calloc(steps, sizeof(*l.numbers));
	l.path = malloc(sizeof(*l.path));
	l.way = malloc(PATH_MOST * sizeof(*l.way));
	l.passing = passing_paths(s, &c->paths, &all_pass);
	stacks_begin_rows(s, side);
	if (order && l.numbers && l.path && l.way && (all_pass || l.passing) &&
	    array_push(l.list, l.count, l.room, (struct landed){ 0 })) {
		l.path->tree = NULL;
		if (s->options.with_bci && !s->options.is_reversed)
			fold_in_order(&l);
		ret = add_ordered(&l, side, order, nodes);
	}
	free(order);
	free(l.numbers);
	free(l.list);
	free(l.path);
	free(l.way);
	free(l.passing);
	return ret < 0 ? -1 : stacks_settle(s, side);
}
