/* SPDX-License-Identifier: MIT */
/*
 * tree_json.c - profiles as JSON: jfrec-stacks(5)
 *
 * Trees are flat lists of nodes, each with the number of its parent: stacks are deeper than many
 * JSON readers let values be nested.
 */
#include <stdlib.h>

#include "base/error.h"
#include "page/json_out.h"
#include "stacks/stacks.h"

/* What is being written of a tree. */
struct tree_json {
	struct jfrec_stacks *stacks;
	struct tree *tree;
	size_t kind;
	int64_t least; /* of a node's total, to be written */
	struct out *out;
	uint32_t *frames; /* by number: its number in the document + 1, or 0 */
	uint32_t frame_count;
	uint32_t *path; /* by depth: the number of the node in the document */
	uint32_t count; /* of nodes so far */
};

static const char *const kinds[FRAME_KINDS] = {
	[FRAME_INTERPRETED] = "java", [FRAME_JIT] = "java",	[FRAME_INLINED] = "java",
	[FRAME_C1] = "java",	      [FRAME_NATIVE] = "native", [FRAME_CPP] = "c++",
	[FRAME_KERNEL] = "kernel",    [FRAME_CLASS] = "class",	[FRAME_THREAD] = "thread",
	[FRAME_NOTE] = "note",
};

static const char *const units[] = {
	[JFREC_UNIT_NONE] = "samples",
	[JFREC_UNIT_NS] = "nanoseconds",
	[JFREC_UNIT_BYTES] = "bytes",
};

static void put_member(struct out *out, const char *name, int64_t value)
{
	out_char(out, ',');
	json_put_string(out, name);
	out_char(out, ':');
	json_put_integer(out, value);
}

/* Frames --------------------------------------------------------------------------------------- */

static void put_frame(struct tree_json *j, uint32_t number)
{
	const struct frame *f = &j->stacks->book.frames.list[number];
	const struct name *name = &j->stacks->book.names.list[f->name];

	json_put(j->out, j->frame_count ? ",\n{\"name\":" : "\n{\"name\":");
	json_put_text(j->out, name->text, name->len);
	json_put(j->out, ",\"kind\":");
	json_put_string(j->out, kinds[f->kind]);
	if (f->line)
		put_member(j->out, "line", f->line);
	if (f->bci)
		put_member(j->out, "bytecodeIndex", f->bci);
	out_char(j->out, '}');
	j->frames[number] = ++j->frame_count;
}

static int enter_for_frames(void *ctx, uint32_t node, unsigned depth)
{
	struct tree_json *j = ctx;
	const struct node *n = &j->tree->nodes[node];

	if (stacks_weight(j->stacks, j->kind, n->total) < j->least)
		return 0;
	if (depth && !j->frames[n->frame])
		put_frame(j, n->frame);
	return 1;
}

/* Nodes ---------------------------------------------------------------------------------------- */

static int enter_for_nodes(void *ctx, uint32_t node, unsigned depth)
{
	struct tree_json *j = ctx;
	const struct node *n = &j->tree->nodes[node];

	if (stacks_weight(j->stacks, j->kind, n->total) < j->least)
		return 0;
	json_put(j->out, j->count ? ",\n{\"parent\":" : "\n{\"parent\":");
	if (depth)
		json_put_integer(j->out, j->path[depth - 1]);
	else
		json_put(j->out, "null");
	json_put(j->out, ",\"frame\":");
	if (depth)
		json_put_integer(j->out, (int64_t)j->frames[n->frame] - 1);
	else
		json_put(j->out, "null");
	put_member(j->out, "selfSamples", (int64_t)n->self.samples);
	put_member(j->out, "totalSamples", (int64_t)n->total.samples);
	put_member(j->out, "self", stacks_weight(j->stacks, j->kind, n->self));
	put_member(j->out, "total", stacks_weight(j->stacks, j->kind, n->total));
	out_char(j->out, '}');
	j->path[depth] = j->count++;
	return 1;
}

/* The document --------------------------------------------------------------------------------- */

static void set_tree(struct tree_json *j, size_t kind, double minimum)
{
	j->kind = kind;
	j->tree = stacks_tree(j->stacks, 0, kind);
	j->least = (int64_t)((double)stacks_weight(j->stacks, kind, j->tree->nodes[0].total) *
			     minimum);
	j->count = 0;
}

/* All frames of all profiles that are written, in the order in which they are met. */
static int put_frames(struct tree_json *j, size_t only, double minimum)
{
	struct stacks_walk walk = { .stacks = j->stacks, .enter = enter_for_frames, .ctx = j };

	json_put(j->out, "\"frames\":[");
	for (size_t i = 0; i < j->stacks->kind_count; i++) {
		if (!stacks_has(j->stacks, i, only))
			continue;
		set_tree(j, i, minimum);
		walk.tree = j->tree;
		if (stacks_visit(&walk) < 0)
			return -1;
	}
	json_put(j->out, "],\n");
	return 0;
}

static int put_profile(struct tree_json *j)
{
	const struct jfrec_stack_profile *p = jfrec_stacks_get(j->stacks, 0, j->kind);
	struct stacks_walk walk = { .stacks = j->stacks, .tree = j->tree, .enter = enter_for_nodes,
				    .ctx = j };

	json_put(j->out, "{\"name\":");
	json_put_string(j->out, p->name);
	json_put(j->out, ",\"label\":");
	json_put_string(j->out, p->label);
	json_put(j->out, ",\"unit\":");
	json_put_string(j->out, units[p->unit]);
	if (p->from) {
		json_put(j->out, ",\"from\":");
		json_put_string(j->out, p->from);
	}
	put_member(j->out, "samples", (int64_t)p->samples);
	put_member(j->out, "weight", p->value);
	put_member(j->out, "withoutStack", (int64_t)p->stackless);
	put_member(j->out, "failed", (int64_t)p->failed);
	put_member(j->out, "lost", (int64_t)p->lost);
	put_member(j->out, "truncated", (int64_t)p->truncated);
	put_member(j->out, "other", (int64_t)p->other);
	put_member(j->out, "leftOut", (int64_t)p->left_out);
	put_member(j->out, "lostBytes",
		   (int64_t)data_loss_bytes(&j->stacks->profiles[0][j->kind].doubts.data_loss));
	json_put(j->out, ",\n\"nodes\":[");
	if (stacks_visit(&walk) < 0)
		return -1;
	json_put(j->out, "]}");
	return 0;
}

static int put_profiles(struct tree_json *j, size_t only, double minimum)
{
	bool has_any = false;

	json_put(j->out, "\"profiles\":[");
	for (size_t i = 0; i < j->stacks->kind_count; i++) {
		if (!stacks_has(j->stacks, i, only))
			continue;
		json_put_comma(j->out, &has_any);
		json_put(j->out, "\n");
		set_tree(j, i, minimum);
		if (put_profile(j) < 0)
			return -1;
	}
	json_put(j->out, "]}\n");
	return 0;
}

static void put_head(struct tree_json *j)
{
	const struct jfrec_stacks *s = j->stacks;
	const struct span_ns *span = &s->spans[0];

	json_put(j->out, "{\"jfrec\":1,\"version\":");
	json_put_string(j->out, jfrec_version());
	json_put(j->out, ",\"schema\":\"flame\",\"recordings\":[");
	for (size_t i = 0; i < s->recording_count; i++) {
		if (i)
			out_char(j->out, ',');
		json_put_string(j->out, s->recordings[i]);
	}
	json_put(j->out, "],\"damage\":");
	damage_put(&s->damage, j->out);
	put_member(j->out, "startNanos", span->start_ns);
	put_member(j->out, "durationNanos", long_subtract(span->end_ns, span->start_ns));
	json_put(j->out, ",\n");
}

int tree_json_write(struct jfrec_stacks *s, size_t only, double minimum, struct out *out,
		    struct jfrec_error *err)
{
	struct tree_json j = { .stacks = s, .out = out };
	int ret = -1;

	j.frames = calloc((size_t)s->book.frames.count + 1, sizeof(*j.frames));
	j.path = calloc(STACKS_MAX_DEPTH, sizeof(*j.path));
	if (j.frames && j.path) {
		put_head(&j);
		ret = put_frames(&j, only, minimum);
		if (ret == 0)
			ret = put_profiles(&j, only, minimum);
	}
	free(j.frames);
	free(j.path);
	return ret < 0 ? jfrec_fail_memory(err) : 0;
}
