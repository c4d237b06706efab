/* SPDX-License-Identifier: MIT */
/*
 * collapsed.c - stacks as lines: "main;Shop.sell;HashMap.put 17"
 *
 * As jfrconv writes them: a suffix says how a frame mostly ran, by the weights of its node. _[0] is
 * interpreted, _[1] compiled by C1, _[j] compiled, _[i] inlined, _[k] in the kernel.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/number.h"
#include "stacks/stacks.h"

/* What is being written of a tree. */
struct lines {
	struct jfrec_stacks *stacks;
	struct tree *tree;
	size_t kind;
	int64_t least; /* of a node's total, to be written */
	struct out *out;
	struct buffer text; /* the names so far */
	size_t *ends;	    /* by depth: where they end in it */
};

static int64_t weight_of(const struct lines *l, struct weight w)
{
	return stacks_weight(l->stacks, l->kind, w);
}

static const char *suffix(const struct lines *l, const struct node *n)
{
	int64_t total = weight_of(l, n->total), inlined = n->ways[WAY_INLINED];
	int64_t c1 = n->ways[WAY_C1], interpreted = n->ways[WAY_INTERPRETED];

	if (inlined >= (total + 2) / 3 && inlined)
		return "_[i]";
	if (c1 >= total - c1 && c1)
		return "_[1]";
	if (interpreted >= total - interpreted && interpreted)
		return "_[0]";
	switch (l->stacks->book.frames.list[n->frame].kind) {
	case FRAME_JIT:
		return "_[j]";
	case FRAME_KERNEL:
		return "_[k]";
	default:
		return "";
	}
}

/* A name must not end the frame or the line. jfrconv lets it. */
static void put_name(struct lines *l, const struct name *name)
{
	size_t begin = l->text.len;

	buffer_put(&l->text, name->text, name->len);
	if (l->stacks->options.is_jfrconv)
		return;
	for (size_t i = begin; i < l->text.len; i++) {
		uint8_t c = l->text.data[i];

		if (c < ' ' || c == ';' || c == 0x7f)
			l->text.data[i] = c == ';' ? ':' : '?';
	}
}

static void put_number(struct lines *l, char before, int64_t n)
{
	char text[32];
	char *end = put_i64(text, n);

	buffer_u8(&l->text, (uint8_t)before);
	buffer_put(&l->text, text, (size_t)(end - text));
}

static void put_frame(struct lines *l, const struct node *n)
{
	const struct frame *f = &l->stacks->book.frames.list[n->frame];
	const char *end = suffix(l, n);

	put_name(l, &l->stacks->book.names.list[f->name]);
	if (f->line)
		put_number(l, ':', f->line);
	else if (f->bci)
		put_number(l, '@', f->bci);
	buffer_put(&l->text, end, strlen(end));
}

/* Of a difference: what it was before, and what it is. */
static void put_line(struct lines *l, int64_t before, int64_t self)
{
	size_t len = l->text.len;

	if (l->stacks->is_difference)
		put_number(l, ' ', before);
	put_number(l, ' ', self);
	buffer_u8(&l->text, '\n');
	if (!l->text.failed)
		out_put(l->out, (const char *)l->text.data, l->text.len);
	l->text.len = len;
}

static int enter(void *ctx, uint32_t node, unsigned depth)
{
	struct lines *l = ctx;
	const struct node *n = &l->tree->nodes[node];

	if (weight_of(l, n->total) < l->least)
		return 0;
	if (depth == 0)
		return 1;
	l->text.len = l->ends[depth - 1];
	if (depth > 1)
		buffer_u8(&l->text, ';');
	put_frame(l, n);
	l->ends[depth] = l->text.len;
	if (weight_of(l, n->self) > 0)
		put_line(l, weight_of(l, tree_before(l->tree, node)), weight_of(l, n->self));
	return l->text.failed ? -1 : 1;
}

int collapsed_write(struct jfrec_stacks *s, size_t kind, double minimum, struct out *out,
		    struct jfrec_error *err)
{
	struct lines l = { .stacks = s, .tree = stacks_tree(s, 0, kind), .kind = kind, .out = out };
	struct stacks_walk walk = { .stacks = s, .tree = l.tree, .enter = enter, .ctx = &l };
	int ret = -1;

	if (!l.tree)
		return 0;
	l.least = (int64_t)((double)weight_of(&l, l.tree->nodes[0].total) * minimum);
	l.ends = calloc(STACKS_MAX_DEPTH, sizeof(*l.ends));
	if (l.ends)
		ret = stacks_visit(&walk);
	free(l.ends);
	buffer_fini(&l.text);
	return ret < 0 ? jfrec_fail_memory(err) : 0;
}
