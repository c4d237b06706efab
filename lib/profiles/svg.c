/* SPDX-License-Identifier: MIT */
/*
 * svg.c - a flame graph as a still picture, for tickets and for paper
 *
 * The root is at the top; what is narrower than a share of all is left out. Every frame is a group
 * of a title, which browsers show when the pointer rests on it, a rectangle and its name.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "page/markup.h"
#include "profiles/colour.h"
#include "profiles/svg.h"
#include "stacks/weight_text.h"

#define WIDTH 1200.0
#define ROW   17
#define TEXT_WIDTH 6.6 /* of a letter, about */

/* What is being drawn. */
struct drawing {
	const struct jfrec_stacks *stacks;
	struct tree *tree;
	size_t kind;
	enum profile_unit unit;
	unsigned max_depth, depth;
	int64_t all, least;
	double *left; /* by depth: where the next child begins */
	bool has_titles; /* browsers show them where the pointer is */
	struct out *out; /* NULL: only find out how deep it is */
};

static int64_t weight_of(const struct drawing *d, uint32_t node)
{
	return stacks_weight(d->stacks, d->kind, d->tree->nodes[node].total);
}

static void put_name(struct drawing *d, const char *name, double width)
{
	size_t room = (size_t)(width / TEXT_WIDTH);
	char text[256];

	if (room < 3)
		return;
	if (strlen(name) > room) {
		const char *dot = strrchr(name, '.');
		const char *brief = dot ? memrchr(name, '.', (size_t)(dot - name)) : NULL;

		name = brief ? brief + 1 : name;
	}
	if (room >= sizeof(text))
		room = sizeof(text) - 1;
	snprintf(text, room + 1, "%s", name);
	if (strlen(name) > room)
		strcpy(text + room - 2, "..");
	markup_put_text(d->out, text);
}

/* A length or place with one decimal, as printf() rounds it. */
static void put_length(struct out *out, const char *before, double v)
{
	double tenths = v * 10, whole = floor(tenths), rest = tenths - whole;
	char text[40];

	markup_put(out, before);
	/* Near the middle between two, v itself decides, and not what became of it by * 10. */
	if (v < 0 || v > 1e6 || fabs(rest - 0.5) < 1e-6) {
		snprintf(text, sizeof(text), "%.1f", v);
		markup_put(out, text);
	} else {
		uint32_t n = (uint32_t)whole + (rest > 0.5);

		out_end(out, put_u64(out_room(out), n / 10));
		out_char(out, '.');
		out_char(out, (char)('0' + n % 10));
	}
}

static void put_row(struct out *out, const char *before, unsigned v)
{
	markup_put(out, before);
	out_end(out, put_u64(out_room(out), v));
}

static void put_frame(struct drawing *d, uint32_t node, unsigned depth, double x, double width)
{
	const struct frame *f = &d->stacks->book.frames.list[d->tree->nodes[node].frame];
	const char *name = d->stacks->book.names.list[f->name].text;
	char text[200], weight[HUMAN_MAX], share[HUMAN_MAX];

	if (d->has_titles) {
		markup_put(d->out, "<g><title>");
		markup_put_text(d->out, name);
		weight_text(weight, d->unit, weight_of(d, node));
		human_part(share, (double)weight_of(d, node), (double)d->all);
		snprintf(text, sizeof(text), ": %s, %s</title>", weight, share);
		markup_put(d->out, text);
	}
	put_length(d->out, "<rect x=\"", x);
	put_row(d->out, "\" y=\"", depth * ROW);
	put_length(d->out, "\" width=\"", width > 0.6 ? width - 0.5 : width);
	put_row(d->out, "\" height=\"", ROW - 1);
	markup_put(d->out, "\" fill=\"");
	colour_put(d->out, f->kind, name);
	markup_put(d->out, "\"/>");
	if (width > 3 * TEXT_WIDTH) {
		put_length(d->out, "<text x=\"", x + 3);
		put_row(d->out, "\" y=\"", depth * ROW + 12);
		markup_put(d->out, "\">");
		put_name(d, name, width - 6);
		markup_put(d->out, "</text>");
	}
	markup_put(d->out, d->has_titles ? "</g>\n" : "\n");
}

static int enter(void *ctx, uint32_t node, unsigned depth)
{
	struct drawing *d = ctx;
	int64_t weight = weight_of(d, node);
	double width = (double)weight / (double)d->all * WIDTH, x = depth ? d->left[depth - 1] : 0;

	if (depth)
		d->left[depth - 1] += width;
	if (weight < d->least || depth > d->max_depth)
		return 0;
	if (depth > d->depth)
		d->depth = depth;
	d->left[depth] = x;
	if (d->out && depth)
		put_frame(d, node, depth, x, width);
	return 1;
}

static int visit(struct drawing *d)
{
	struct stacks_walk walk = { d->stacks, d->tree, enter, NULL, d };

	memset(d->left, 0, STACKS_MAX_DEPTH * sizeof(*d->left));
	return stacks_visit(&walk);
}

static void put_head(struct drawing *d)
{
	const struct profile_kind *k = d->stacks->kinds[d->kind];
	char text[400], weight[HUMAN_MAX];

	snprintf(text, sizeof(text),
		 "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %u\" width=\"%d\" "
		 "font-family=\"sans-serif\" font-size=\"11\" role=\"img\" aria-label=\"",
		 (int)WIDTH, (d->depth + 1) * ROW, (int)WIDTH);
	markup_put(d->out, text);
	markup_put_text(d->out, k->label);
	snprintf(text, sizeof(text),
		 "\">\n<rect width=\"%d\" height=\"%u\" fill=\"#fff\"/>\n<text x=\"3\" y=\"12\">",
		 (int)WIDTH, (d->depth + 1) * ROW);
	markup_put(d->out, text);
	if (d->stacks->title) {
		markup_put_text(d->out, d->stacks->title);
		markup_put(d->out, ": ");
	}
	markup_put_text(d->out, k->label);
	markup_put(d->out, ", ");
	markup_put(d->out, weight_text(weight, d->unit, d->all));
	if (d->unit == UNIT_SAMPLES)
		markup_put(d->out, d->all == 1 ? " sample" : " samples");
	markup_put(d->out, "</text>\n");
}

int svg_put(struct jfrec_stacks *s, unsigned side, size_t kind, double minimum, unsigned max_depth,
	    bool has_titles, struct out *out)
{
	struct drawing d = { .stacks = s, .tree = stacks_tree(s, side, kind), .kind = kind,
			     .unit = stacks_unit(s, kind), .max_depth = max_depth,
			     .has_titles = has_titles };
	int ret = -1;

	d.all = weight_of(&d, 0);
	d.least = (int64_t)((double)d.all * minimum);
	if (d.least < 1)
		d.least = 1;
	d.left = calloc(STACKS_MAX_DEPTH, sizeof(*d.left));
	if (d.left && visit(&d) == 0) {
		d.out = out;
		put_head(&d);
		ret = visit(&d);
		markup_put(out, "</svg>\n");
	}
	free(d.left);
	return ret;
}

int svg_write(struct jfrec_stacks *s, size_t only, double minimum, struct out *out,
	      struct jfrec_error *err)
{
	if (!stacks_tree(s, 0, only))
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "there are no samples to draw");
	if (minimum <= 0)
		minimum = 0.5 / WIDTH;
	return svg_put(s, 0, only, minimum, STACKS_MAX_DEPTH, true, out) < 0
		       ? jfrec_fail_memory(err)
		       : 0;
}
