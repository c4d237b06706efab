/* SPDX-License-Identifier: MIT */
/*
 * html.c - flame graphs as one page that needs only a browser
 *
 * The page has its style, its elements, its script (page/), and the trees as data, which the
 * script draws; html_times.c says when their stacks were seen. What is printed, and read where
 * scripts are off, is made here: a picture and a table of each profile. The data are varints
 * (seven bits each, the lowest first), compressed by deflate without a header, in base64:
 *
 *    2 (version)
 *    names: count, then for each: bytes shared with the one before, count of other bytes, these
 *    frames: count, then columns: number of the name; kind; line; enum code_owner
 *    profiles: count, then for each:
 *       name and label (length, bytes), unit, samples, stackless, failed, lost, truncated,
 *       bytes of events that the JVM lost;
 *       sides: 1, or 2 for a difference; nodes: count, then columns, in the order of the walk:
 *       number of the frame; nodes left since the one before, to come to the parent; own weight;
 *       of a difference the own weight before
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/code_owner.h"
#include "base/error.h"
#include "base/protobuf.h"
#include "page/html_document.h"
#include "page/markup.h"
#include "profiles/html.h"
#include "profiles/html_times.h"
#include "profiles/page.h"
#include "profiles/svg.h"
#include "stacks/methods.h"
#include "stacks/weight_text.h"

#define VERSION 2

/* What is printed on paper. */
#define PAPER_DEPTH 40
#define PAPER_SHARE 0.005
#define PAPER_METHODS 100

/* Of the nodes of a tree. */
enum column { COLUMN_FRAME, COLUMN_LEVEL, COLUMN_SELF, COLUMN_BEFORE, COLUMNS };

/* What is being written. */
struct page {
	struct jfrec_stacks *stacks;
	size_t only;
	struct out *out;
	struct buffer data;
	uint32_t *name_rank, *frame_rank; /* by number: the place among those that are written */
	uint32_t *names, *frames;	  /* by place */
	uint32_t name_count, frame_count;
	const struct html_graphs *graphs; /* NULL: side 0 */
	/* Of the tree at hand. */
	unsigned side;
	size_t kind;
	struct tree *tree;
	unsigned depth; /* of the node before */
	struct buffer columns[COLUMNS];
	uint32_t nodes;
	struct time_axis axis;
};

/* Names and frames ----------------------------------------------------------------------------- */

static int by_text(const void *x, const void *y, void *names)
{
	const struct name *list = names;
	const struct name *a = &list[*(const uint32_t *)x], *b = &list[*(const uint32_t *)y];

	return strcmp(a->text, b->text);
}

/* All names in their order, though some may be in no frame: so few that it does not matter. */
static int sort_names(struct page *p)
{
	const struct name_set *set = &p->stacks->book.names;

	p->names = calloc((size_t)set->count + 1, sizeof(*p->names));
	p->name_rank = calloc((size_t)set->count + 1, sizeof(*p->name_rank));
	if (!p->names || !p->name_rank)
		return -1;
	for (uint32_t i = 0; i < set->count; i++)
		p->names[i] = i;
	qsort_r(p->names, set->count, sizeof(*p->names), by_text, set->list);
	for (uint32_t i = 0; i < set->count; i++)
		p->name_rank[p->names[i]] = i;
	p->name_count = set->count;
	return 0;
}

struct framed {
	uint64_t order; /* name, kind */
	uint32_t line, number;
};

static int by_order(const void *x, const void *y)
{
	const struct framed *a = x, *b = y;

	if (a->order != b->order)
		return a->order < b->order ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

static int sort_frames(struct page *p)
{
	const struct frames *f = &p->stacks->book.frames;
	struct framed *list = calloc((size_t)f->count + 1, sizeof(*list));

	p->frames = calloc((size_t)f->count + 1, sizeof(*p->frames));
	p->frame_rank = calloc((size_t)f->count + 1, sizeof(*p->frame_rank));
	if (!list || !p->frames || !p->frame_rank) {
		free(list);
		return -1;
	}
	for (uint32_t i = 0; i < f->count; i++)
		list[i] = (struct framed){ (uint64_t)p->name_rank[f->list[i].name] << 8 |
						   f->list[i].kind,
					   f->list[i].line, i };
	qsort(list, f->count, sizeof(*list), by_order);
	for (uint32_t i = 0; i < f->count; i++) {
		p->frames[i] = list[i].number;
		p->frame_rank[list[i].number] = i;
	}
	p->frame_count = f->count;
	free(list);
	return 0;
}

static size_t shared_bytes(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] && a[n] == b[n])
		n++;
	return n;
}

static void put_names(struct page *p)
{
	struct buffer before = { 0 }, name = { 0 };

	buffer_leb128(&p->data, p->name_count);
	buffer_u8(&before, 0);
	for (uint32_t i = 0; i < p->name_count; i++) {
		struct buffer swap = before;
		size_t shared;

		buffer_clear(&name);
		markup_clean(&name, p->stacks->book.names.list[p->names[i]].text);
		buffer_u8(&name, 0);
		if (name.failed || before.failed)
			break;
		shared = shared_bytes((const char *)before.data, (const char *)name.data);
		buffer_leb128(&p->data, shared);
		buffer_leb128(&p->data, name.len - 1 - shared);
		buffer_put(&p->data, name.data + shared, name.len - 1 - shared);
		before = name;
		name = swap;
	}
	if (before.failed || name.failed)
		p->data.failed = true;
	buffer_fini(&before);
	buffer_fini(&name);
}

static void put_frames(struct page *p)
{
	const struct frame *list = p->stacks->book.frames.list;

	buffer_leb128(&p->data, p->frame_count);
	for (uint32_t i = 0; i < p->frame_count; i++)
		buffer_leb128(&p->data, p->name_rank[list[p->frames[i]].name]);
	for (uint32_t i = 0; i < p->frame_count; i++)
		buffer_leb128(&p->data, list[p->frames[i]].kind);
	for (uint32_t i = 0; i < p->frame_count; i++)
		buffer_leb128(&p->data, list[p->frames[i]].line);
	for (uint32_t i = 0; i < p->frame_count; i++)
		buffer_leb128(&p->data,
			      code_owner(p->stacks->book.names.list[list[p->frames[i]].name].text));
}

/* Profiles ------------------------------------------------------------------------------------- */

static void put_weight(struct page *p, struct buffer *to, struct weight w)
{
	int64_t weight = stacks_weight(p->stacks, p->kind, w);

	buffer_leb128(to, weight > 0 ? (uint64_t)weight : 0);
}

static int put_node(void *ctx, uint32_t node, unsigned depth)
{
	struct page *p = ctx;
	const struct node *n = &p->tree->nodes[node];

	buffer_leb128(&p->columns[COLUMN_FRAME], node ? p->frame_rank[n->frame] : 0);
	buffer_leb128(&p->columns[COLUMN_LEVEL], node ? p->depth + 1 - depth : 0);
	p->depth = depth;
	put_weight(p, &p->columns[COLUMN_SELF], n->self);
	if (p->stacks->is_difference)
		put_weight(p, &p->columns[COLUMN_BEFORE], tree_before(p->tree, node));
	return 1;
}

static int put_columns(struct page *p)
{
	struct stacks_walk walk = { p->stacks, p->tree, put_node, NULL, p };

	p->depth = 0;
	if (stacks_visit(&walk) < 0)
		return -1;
	for (unsigned i = 0; i < COLUMNS; i++) {
		struct buffer *column = &p->columns[i];

		buffer_put(&p->data, column->data, column->len);
		p->data.failed |= column->failed;
		buffer_clear(column);
	}
	return p->data.failed ? -1 : 0;
}

static void put_text(struct page *p, const char *text)
{
	size_t len = strlen(text);

	buffer_leb128(&p->data, len);
	buffer_put(&p->data, text, len);
}

/* "CPU time: shop.Main", where there are several JVMs. */
#define LABEL_MAX 160

static const char *label_of(const struct page *p, char to[static LABEL_MAX])
{
	const char *label = p->stacks->kinds[p->kind]->label;

	if (!p->graphs || !p->graphs->sides)
		return label;
	snprintf(to, LABEL_MAX, "%s: %s", label, p->graphs->sides[p->side]);
	return to;
}

static int put_profile(struct page *p)
{
	struct jfrec_stack_profile profile = stacks_describe(p->stacks, p->side, p->kind);
	char name[64], label[LABEL_MAX];

	snprintf(name, sizeof(name), "%s", p->stacks->kinds[p->kind]->name);
	if (p->side)
		snprintf(name, sizeof(name), "%s-%u", p->stacks->kinds[p->kind]->name, p->side + 1);
	put_text(p, name);
	put_text(p, label_of(p, label));
	buffer_leb128(&p->data, stacks_unit(p->stacks, p->kind));
	buffer_leb128(&p->data, profile.samples);
	buffer_leb128(&p->data, profile.stackless);
	buffer_leb128(&p->data, profile.failed);
	buffer_leb128(&p->data, profile.lost);
	buffer_leb128(&p->data, profile.truncated);
	buffer_leb128(&p->data, data_loss_bytes(
					  &p->stacks->profiles[p->side][p->kind].doubts.data_loss));
	buffer_leb128(&p->data, p->stacks->is_difference ? 2 : 1);
	buffer_leb128(&p->data, p->tree->count);
	return put_columns(p);
}

/* For each profile that is written; a negative result ends it, and is returned. */
static int each_profile(struct page *p, int (*put)(struct page *p))
{
	unsigned sides = p->graphs && p->graphs->sides ? p->graphs->side_count : 1;

	for (p->kind = 0; p->kind < p->stacks->kind_count; p->kind++) {
		for (p->side = 0; p->side < sides; p->side++) {
			p->tree = stacks_side_has(p->stacks, p->side, p->kind, p->only)
					  ? stacks_tree(p->stacks, p->side, p->kind)
					  : NULL;
			if (p->tree && put(p) < 0)
				return -1;
		}
	}
	return 0;
}

static int count_one(struct page *p)
{
	p->nodes++;
	return 0;
}

static int make_data(struct page *p)
{
	if (sort_names(p) < 0 || sort_frames(p) < 0)
		return -1;
	buffer_leb128(&p->data, VERSION);
	put_names(p);
	put_frames(p);
	p->nodes = 0;
	each_profile(p, count_one);
	buffer_leb128(&p->data, p->nodes);
	return each_profile(p, put_profile);
}

/* The page ------------------------------------------------------------------------------------- */

static const char *title_of(const struct page *p)
{
	return p->stacks->title ? p->stacks->title : "Flame graph";
}

/* The end tags of rows and cells may be left out in HTML. */
static void put_cell(struct page *p, const char *text)
{
	markup_put(p->out, "<td>");
	markup_put(p->out, text);
}

static void put_method(struct page *p, const struct method_weight *m, int64_t all)
{
	enum profile_unit unit = stacks_unit(p->stacks, p->kind);
	char text[HUMAN_MAX];

	markup_put(p->out, "<tr>");
	put_cell(p, weight_text(text, unit, m->self));
	put_cell(p, human_part(text, (double)m->self, (double)all));
	put_cell(p, weight_text(text, unit, m->total));
	put_cell(p, human_part(text, (double)m->total, (double)all));
	markup_put(p->out, "<td>");
	markup_put_text(p->out, p->stacks->book.names.list[m->name].text);
	markup_put(p->out, "\n");
}

/* What is read on paper, and where there are no scripts. */
static int put_paper(struct page *p)
{
	int64_t all = stacks_weight(p->stacks, p->kind, p->tree->nodes[0].total);
	struct method_list m;
	char text[160], label[LABEL_MAX];
	int ret;

	snprintf(text, sizeof(text), "<section class=\"paper\" id=\"paper%" PRIu32 "\">\n<h2>",
		 p->nodes++);
	markup_put(p->out, text);
	markup_put_text(p->out, label_of(p, label));
	markup_put(p->out, "</h2>\n");
	ret = svg_put(p->stacks, p->side, p->kind, PAPER_SHARE, PAPER_DEPTH, false, p->out);
	if (ret == 0)
		ret = methods_of(p->stacks, p->kind, p->tree, BY_SELF, &m);
	if (ret < 0)
		return -1;
	markup_put(p->out, "<table><thead><tr><th scope=\"col\">Self</th><th scope=\"col\">Share</th>"
			   "<th scope=\"col\">Total</th><th scope=\"col\">Share</th>"
			   "<th scope=\"col\">Method</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < m.count && i < PAPER_METHODS; i++)
		put_method(p, &m.list[i], all);
	markup_put(p->out, "</tbody></table>\n</section>\n");
	methods_fini(&m);
	return 0;
}

static int look_at_times(struct page *p)
{
	return html_times_look(p->stacks, p->side, p->kind, &p->axis);
}

static int put_times(struct page *p)
{
	return html_times_put(p->stacks, p->side, p->kind, &p->axis, &p->data);
}

/* The trees, and when their stacks were seen. */
static int put_all_data(struct page *p)
{
	const struct jfrec_stack_options *how = &p->stacks->options;

	if (html_document_put_data("data", &p->data, p->out) < 0)
		return -1;
	if (!how->packs_times || p->stacks->is_difference)
		return 0;
	buffer_clear(&p->data);
	if (each_profile(p, look_at_times) < 0)
		return -1;
	if (how->zone)
		p->axis.offset_s = how->zone(how->zone_ctx, p->axis.first_ns / 1000000000);
	html_times_put_axis(&p->axis, &p->data);
	if (p->graphs && p->nodes)
		p->axis.room = p->graphs->times_room / p->nodes;
	if (p->axis.count && each_profile(p, put_times) < 0)
		return -1;
	return html_document_put_data("times", &p->data, p->out);
}

static struct page page_of(struct jfrec_stacks *s, size_t only, struct out *out)
{
	return (struct page){ .stacks = s, .only = only, .out = out };
}

static void page_fini(struct page *p)
{
	free(p->name_rank);
	free(p->frame_rank);
	free(p->names);
	free(p->frames);
	buffer_fini(&p->data);
	for (unsigned i = 0; i < COLUMNS; i++)
		buffer_fini(&p->columns[i]);
}

/* The graphs that the script draws, and what is printed in their place. */
static int put_elements(struct page *p)
{
	markup_put(p->out, embedded_text(embedded_page, "screen"));
	p->nodes = 0;
	return each_profile(p, put_paper);
}

int html_put_graphs(struct jfrec_stacks *s, const struct html_graphs *graphs, struct out *out)
{
	struct page p = page_of(s, JFREC_STACKS_ALL, out);
	int ret = -1;

	p.graphs = graphs;
	p.axis.max_count = graphs->spans;
	if (make_data(&p) == 0 && put_elements(&p) == 0)
		ret = put_all_data(&p);
	page_fini(&p);
	return ret;
}

/* The files of the script, in their order: one text in the page. */
const char *html_script(size_t i)
{
	static const char *const files[] = { "human", "data", "graph", "time", "heat", "script" };

	return i < sizeof(files) / sizeof(*files) ? embedded_text(embedded_page, files[i]) : NULL;
}

const char *html_style(void)
{
	return embedded_text(embedded_page, "style");
}

int html_write(struct jfrec_stacks *s, size_t only, double minimum, struct out *out,
	       struct jfrec_error *err)
{
	struct page p = page_of(s, only, out);
	const char *styles[] = { html_style(), NULL };
	const char *scripts[] = { html_script(0), html_script(1), html_script(2), html_script(3),
				  html_script(4), html_script(5), NULL };
	struct html_document d = { title_of(&p), s->note, styles, scripts };
	int ret = -1;

	(void)minimum;
	if (make_data(&p) == 0) {
		html_document_begin(&d, out);
		html_document_end_header(out);
		markup_put(out, "<main>\n");
		ret = put_elements(&p);
		markup_put(out, "</main>\n");
		if (ret == 0)
			ret = put_all_data(&p);
		html_document_end(&d, out);
	}
	page_fini(&p);
	return ret < 0 ? jfrec_fail_memory(err) : 0;
}
