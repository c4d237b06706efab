/* SPDX-License-Identifier: MIT */
/*
 * text.c - print the heaviest methods and paths of a profile
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/options.h"
#include "base/utf8.h"
#include "stacks/methods.h"
#include "stacks/weight_text.h"

/* Paths that only go on with nearly the same weight stay at the same indent. */
#define SAME_PATH 0.98

/* What is being written. */
struct report {
	struct jfrec_stacks *stacks;
	struct jfrec_stack_text how;
	struct tree *tree;
	size_t kind;
	enum profile_unit unit;
	int64_t all, least; /* of a node that is shown */
	unsigned *indents;  /* by depth */
	size_t shown;
	struct out *out;
};

static int64_t weight_of(const struct report *r, struct weight w)
{
	return stacks_weight(r->stacks, r->kind, w);
}

static void put(struct report *r, const char *text)
{
	out_put(r->out, text, strlen(text));
}

static void put_right(struct report *r, const char *text, size_t width)
{
	size_t columns = 0;

	for (const char *at = text; *at; at++)
		columns += ((unsigned char)*at & 0xc0) != 0x80;
	for (; columns < width; columns++)
		out_char(r->out, ' ');
	put(r, text);
}

/*
 * A name cut to the width that is left, at its beginning, since the end says more; no control
 * character of it reaches the terminal.
 */
static void put_name(struct report *r, const struct name *name, size_t used)
{
	size_t width = r->how.width > used + 20 ? r->how.width - used : 20, len = name->len;
	const char *text = name->text;

	if (r->how.width && len > width) {
		text += len - width + 3;
		len = width - 3;
		for (; len && ((unsigned char)*text & 0xc0) == 0x80; len--)
			text++;
		put(r, "...");
	}
	for (size_t i = 0; i < len; i++)
		out_char(r->out, (unsigned char)text[i] < ' ' || text[i] == 0x7f ? '?' : text[i]);
}

/* Above ---------------------------------------------------------------------------------------- */

static void put_doubt(struct report *r, uint64_t count, const char *of_one, const char *of_many)
{
	char text[160];

	if (!count)
		return;
	snprintf(text, sizeof(text), "  %" PRIu64 " %s %s\n", count, count == 1 ? "sample" : "samples",
		 count == 1 ? of_one : of_many);
	put(r, text);
}

static void put_head(struct report *r)
{
	const struct profile_kind *k = r->stacks->kinds[r->kind];
	const struct doubts *d = &r->stacks->profiles[0][r->kind].doubts;
	const struct jfrec_stack_profile p = stacks_describe(r->stacks, 0, r->kind);
	uint64_t samples = r->tree->nodes[0].total.samples, lost = data_loss_bytes(&d->data_loss);
	char weight[HUMAN_MAX], count[HUMAN_MAX], text[256];
	const char *noun = samples == 1 ? "sample" : "samples";

	weight_text(weight, r->unit, r->all);
	weight_text(count, UNIT_SAMPLES, (int64_t)samples);
	if (r->unit == UNIT_SAMPLES)
		snprintf(text, sizeof(text), "%s: %s %s", k->label, count, noun);
	else
		snprintf(text, sizeof(text), "%s: %s in %s %s", k->label, weight, count, noun);
	put(r, text);
	if (p.from) {
		snprintf(text, sizeof(text), " (%s)", p.from);
		put(r, text);
	}
	put(r, "\n");
	put_doubt(r, p.left_out, "of another event type tells of the same, and is left out",
		  "of other event types tell of the same, and are left out");
	put_doubt(r, d->stackless, "has no stack trace", "have no stack trace");
	put_doubt(r, d->failed, "failed", "failed");
	put_doubt(r, d->lost, "was lost", "were lost");
	put_doubt(r, stacks_other(r->stacks, r->tree).samples,
		  "is of a light stack, added up as [other]",
		  "are of light stacks, added up as [other]");
	put_doubt(r, d->truncated, "has a stack deeper than was recorded",
		  "have a stack deeper than was recorded");
	if (lost) {
		weight_text(weight, UNIT_BYTES, (int64_t)lost);
		snprintf(text, sizeof(text), "  %s of events of all types were lost (jdk.DataLoss)\n",
			 weight);
		put(r, text);
	}
}

/* Methods -------------------------------------------------------------------------------------- */

static void put_columns(struct report *r, int64_t weight)
{
	char text[HUMAN_MAX];

	put_right(r, weight ? weight_text(text, r->unit, weight) : "-", 10);
	put_right(r, weight ? human_part(text, (double)weight, (double)r->all) : "-", 9);
}

static int put_methods(struct report *r)
{
	struct method_list m;
	size_t lines = r->how.methods;

	if (methods_of(r->stacks, r->kind, r->tree, BY_SELF, &m) < 0) {
		methods_fini(&m);
		return -1;
	}
	put(r, "\n      Self               Total           Method\n");
	for (size_t i = 0; i < m.count && i < lines; i++) {
		put_columns(r, m.list[i].self);
		put_columns(r, m.list[i].total);
		put(r, "  ");
		put_name(r, &r->stacks->book.names.list[m.list[i].name], 40);
		out_char(r->out, '\n');
	}
	if (m.count > lines) {
		char text[64];

		snprintf(text, sizeof(text), "  ... and %zu more\n", m.count - lines);
		put(r, text);
	}
	methods_fini(&m);
	return 0;
}

/* Paths ---------------------------------------------------------------------------------------- */

static int descending(const void *x, const void *y)
{
	int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

	return a < b ? 1 : a > b ? -1 : 0;
}

/* What a node must weigh, for as many to be shown as there are lines. */
static int find_least(struct report *r)
{
	int64_t *weights = calloc((size_t)r->tree->count + 1, sizeof(*weights));

	if (!weights)
		return -1;
	for (uint32_t i = 1; i < r->tree->count; i++)
		weights[i - 1] = weight_of(r, r->tree->nodes[i].total);
	qsort(weights, r->tree->count - 1, sizeof(*weights), descending);
	r->least = r->how.paths < r->tree->count - 1 ? weights[r->how.paths] + 1 : 1;
	free(weights);
	return 0;
}

static int put_path(void *ctx, uint32_t node, unsigned depth)
{
	struct report *r = ctx;
	const struct node *n = &r->tree->nodes[node];
	int64_t weight = weight_of(r, n->total), above;
	char text[HUMAN_MAX];

	if (depth == 0)
		return 1;
	if (weight < r->least)
		return 0;
	above = weight_of(r, r->tree->nodes[n->parent].total);
	r->indents[depth] = depth > 1 ? r->indents[depth - 1] : 0;
	if (depth > 1 && (double)weight < SAME_PATH * (double)above)
		r->indents[depth]++;
	put_right(r, human_part(text, (double)weight, (double)r->all), 8);
	put(r, "  ");
	for (unsigned i = 0; i < r->indents[depth]; i++)
		put(r, "| ");
	put_name(r, &r->stacks->book.names.list[r->stacks->book.frames.list[n->frame].name],
		 10 + 2 * (size_t)r->indents[depth]);
	out_char(r->out, '\n');
	r->shown++;
	return 1;
}

static int put_paths(struct report *r)
{
	struct stacks_walk walk = { r->stacks, r->tree, put_path, NULL, r };
	int ret = -1;

	put(r, "\n   Total  Path\n");
	r->indents = calloc(STACKS_MAX_DEPTH, sizeof(*r->indents));
	if (r->indents && find_least(r) == 0)
		ret = stacks_visit(&walk);
	free(r->indents);
	return ret;
}

int jfrec_stacks_print(struct jfrec_stacks *s, size_t i, const struct jfrec_stack_text *how,
		       jfrec_write_fn *write, void *ctx, struct jfrec_error *err)
{
	struct out out;
	struct report r = { .stacks = s, .tree = stacks_tree(s, 0, i), .kind = i, .out = &out };
	int ret = 0;

	if (options_take(&r.how, sizeof(r.how), how, err) < 0)
		return -1;
	if (!r.tree)
		return 0;
	if (out_init(&out, write, ctx, err) < 0)
		return -1;
	r.unit = stacks_unit(s, i);
	r.all = weight_of(&r, r.tree->nodes[0].total);
	put_head(&r);
	if (put_methods(&r) < 0 || put_paths(&r) < 0)
		ret = jfrec_fail_memory(err);
	out_flush(&out);
	if (ret == 0 && out.error)
		ret = out_fail(&out, err);
	out_fini(&out);
	return ret;
}
