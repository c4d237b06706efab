/* SPDX-License-Identifier: MIT */
/*
 * merge.c - from the rows of chunks to trees
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "stacks/coarsen.h"
#include "stacks/stacks.h"

#define MATCHED_LOOKED 1
#define MATCHED_INCLUDE 2
#define MATCHED_EXCLUDE 4

/* Make an array as long as there are frames; what is new gets the byte `fill`. */
static void *stretch(void *array, uint32_t *count, uint32_t frames, size_t size, int fill)
{
	char *more;

	if (*count >= frames)
		return array;
	more = reallocarray(array, frames, size);
	if (!more)
		return NULL;
	memset(more + *count * size, fill, (frames - *count) * size);
	*count = frames;
	return more;
}

/* The same frame as a key of the tree: how Java code ran makes no difference. */
static uint32_t folded(struct jfrec_stacks *s, uint32_t number)
{
	struct frame f = s->book.frames.list[number];
	uint32_t *grown;

	if (number < s->folded_count && s->folded[number] != UINT32_MAX)
		return s->folded[number];
	grown = stretch(s->folded, &s->folded_count, s->book.frames.room, sizeof(*s->folded), 0xff);
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

/* Include and exclude -------------------------------------------------------------------------- */

static uint8_t look_at_name(const struct jfrec_stacks *s, uint32_t frame)
{
	const char *name = s->book.names.list[s->book.frames.list[frame].name].text;
	uint8_t found = MATCHED_LOOKED;

	if (s->has_include && regexec(&s->include, name, 0, NULL, 0) == 0)
		found |= MATCHED_INCLUDE;
	if (s->has_exclude && regexec(&s->exclude, name, 0, NULL, 0) == 0)
		found |= MATCHED_EXCLUDE;
	return found;
}

/* 1: the stack stays; 0: it goes; -1: memory is gone. */
static int passes(struct jfrec_stacks *s, const uint32_t *frames, uint32_t count)
{
	uint8_t *grown, all = 0;

	if (!s->has_include && !s->has_exclude)
		return 1;
	grown = stretch(s->matches, &s->match_count, s->book.frames.room, 1, 0);
	if (!grown)
		return -1;
	s->matches = grown;
	for (uint32_t i = 0; i < count; i++) {
		uint8_t *m = &s->matches[frames[i]];

		if (!*m)
			*m = look_at_name(s, frames[i]);
		all |= *m;
	}
	return !(all & MATCHED_EXCLUDE) && (!s->has_include || (all & MATCHED_INCLUDE));
}

/* Trees ---------------------------------------------------------------------------------------- */

static void count_way(struct node *n, enum frame_kind kind, int64_t weight)
{
	if (kind == FRAME_INLINED)
		value_add(&n->ways[WAY_INLINED], weight);
	else if (kind == FRAME_C1)
		value_add(&n->ways[WAY_C1], weight);
	else if (kind == FRAME_INTERPRETED)
		value_add(&n->ways[WAY_INTERPRETED], weight);
}

/*
 * The way to the node where the last stack ended: the next one mostly begins as it did, and so far
 * nothing has to be looked up.
 */
struct path {
	const struct tree *tree; /* NULL: none yet */
	size_t kind;		 /* of the profile that is added to */
	uint32_t count;
	uint32_t frames[STACKS_MAX_DEPTH], nodes[STACKS_MAX_DEPTH];
};

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

/* Is the frame a thread's, which stays at the root when stacks are reversed? */
static bool is_thread(const struct jfrec_stacks *s, const uint32_t *frames, uint32_t count)
{
	return count && s->book.frames.list[frames[0]].kind == FRAME_THREAD;
}

/* The node where the stack ends; NODE_NONE when memory is gone. */
static uint32_t add_stack(struct jfrec_stacks *s, struct tree *t, struct path *p,
			  const uint32_t *frames, uint32_t count, struct weight w)
{
	uint32_t skip = s->options.skip < count ? s->options.skip : count, at = 0, depth = 0;
	uint32_t most = s->options.depth ? s->options.depth : UINT32_MAX;

	if (p->tree != t) {
		p->tree = t;
		p->count = 0;
	}
	weight_add(&t->nodes[0].total, w);
	if (s->options.is_reversed && skip == 0 && is_thread(s, frames, count)) {
		at = step_into(s, t, p, depth++, frames[0], w);
		skip = 1;
	}
	for (uint32_t i = skip; i < count && i - skip < most && at != NODE_NONE; i++) {
		uint32_t next = s->options.is_reversed ? count - 1 - (i - skip) : i;

		at = step_into(s, t, p, depth++, frames[next], w);
	}
	if (at != NODE_NONE)
		weight_add(&t->nodes[at].self, w);
	return at;
}

static void add_doubts(struct doubts *to, const struct doubts *d)
{
	to->stackless += d->stackless;
	to->failed += d->failed;
	to->lost += d->lost;
	to->truncated += d->truncated;
	data_loss_add(&to->data_loss, d->data_loss);
}

/* Of a chunk in which no stack has a frame there is no array, to which not even 0 may be added. */
static const uint32_t *frames_of(const struct gathered_chunk *c, const struct gathered *r)
{
	return c->frames ? c->frames + r->first : NULL;
}

/* Add a row; *node is where its stack ends, or NODE_NONE if it is left out. */
static int add_row(struct jfrec_stacks *s, unsigned side, struct path *path,
		   const struct gathered_chunk *c, const struct gathered *r, uint32_t *node)
{
	struct tree *t = &s->profiles[side][r->kind].trees[r->rank];
	int stays = passes(s, frames_of(c, r), r->count);

	*node = NODE_NONE;
	if (s->kinds[r->kind]->is_leaks)
		return 0;
	if (stays < 0 || (!t->count && tree_init(t) < 0))
		return -1;
	if (!stays)
		return 0;
	path->kind = r->kind;
	*node = add_stack(s, t, path, frames_of(c, r), r->count, r->weight);
	return *node == NODE_NONE ? -1 : 0;
}

/* What the samples of a chunk, or the entries of its times, are added to. */
struct timing {
	struct profile *profiles;
	const struct gathered *rows;
	const uint32_t *nodes; /* by row; NODE_NONE: left out */
};

static int add_sample(void *ctx, const struct sample *sample)
{
	const struct timing *t = ctx;
	const struct gathered *r = &t->rows[sample->place];
	struct sample one = *sample;

	one.place = t->nodes[sample->place];
	return one.place == NODE_NONE
		       ? 0
		       : sample_list_add(&t->profiles[r->kind].samples[r->rank], one);
}

static int add_time(void *ctx, int64_t at_ns, uint32_t row, int64_t weight)
{
	const struct timing *t = ctx;
	const struct gathered *r = &t->rows[row];

	if (t->nodes[row] == NODE_NONE)
		return 0;
	return times_add(&t->profiles[r->kind].times[r->rank], at_ns, t->nodes[row], weight);
}

/* First samples -------------------------------------------------------------------------------- */

/*
 * What the first allocation samples of the chunk's threads weigh: a thread that chunks before it
 * know has the weight that was recorded. Rows get what they lack.
 */
static int weigh_firsts(struct jfrec_stacks *s, unsigned side, struct gathered_chunk *c)
{
	for (size_t i = 0; i < c->firsts.count; i++) {
		struct first_sample *one = &c->firsts.list[i];
		struct profile *p;
		uint32_t *seen;

		if (one->place == NODE_NONE)
			continue;
		p = &s->profiles[side][c->rows[one->place].kind];
		if (!one->is_virtual) {
			seen = idmap_put(&p->threads_seen, one->thread, 0);
			if (!seen)
				return -1;
			if ((*seen)++)
				one->fair = one->weight;
		}
		weight_add(&c->rows[one->place].weight, (struct weight){ 0, one->fair });
	}
	return 0;
}

/* Once it is known where stacks end. */
static int time_firsts(struct jfrec_stacks *s, const struct gathered_chunk *c,
		       struct timing *timing)
{
	for (size_t i = 0; i < c->firsts.count; i++) {
		const struct first_sample *one = &c->firsts.list[i];
		struct sample sample = { one->at, { 1, one->fair }, one->place };

		if (one->place == NODE_NONE)
			continue;
		if (s->gathering.with_times && add_sample(timing, &sample) < 0)
			return -1;
		if (s->gathering.packs_times &&
		    add_time(timing, one->at, one->place, s->options.counts ? 1 : one->fair) < 0)
			return -1;
	}
	return 0;
}

/* Leaks ---------------------------------------------------------------------------------------- */

static int carry_block(struct leaks *l, const struct gathered_chunk *c, const struct block *b)
{
	const struct gathered *r = b->row == NODE_NONE ? NULL : &c->rows[b->row];
	struct block carried = *b;
	uint32_t path = 0;

	/* What jfrconv leaves out, for it has no stack, frees the address all the same. */
	carried.is_live = b->is_live && r;
	if (carried.is_live)
		path = leaks_path(l, frames_of(c, r), r->count);
	return path == NODE_NONE ? -1 : leaks_carry(l, &carried, path, r && r->is_stackless);
}

static int carry_blocks(struct jfrec_stacks *s, unsigned side, const struct gathered_chunk *c)
{
	for (size_t i = 0; i < s->kind_count; i++) {
		struct leaks *l = &s->profiles[side][i].leaks;

		if (!s->kinds[i]->is_leaks)
			continue;
		leaks_span(l, &c->blocks);
		for (size_t j = 0; j < c->blocks.count; j++) {
			if (carry_block(l, c, &c->blocks.list[j]) < 0)
				return -1;
		}
	}
	return 0;
}

/* As coarsen.h has it: by stacks of all chunks. */
static int coarsen_leaks(const struct jfrec_stacks *s, const struct leaks *l,
			 struct coarse_row *rows)
{
	for (size_t i = 0; i < l->count; i++) {
		const struct block *b = &l->list[i].block;

		rows[i] = (struct coarse_row){ b->stack, s->options.with_threads ? b->thread : 0, 0,
					       false, { 1, b->size } };
	}
	return s->options.grain > 0 ? coarsen(rows, l->count, s->options.grain) : 0;
}

static int add_leak(struct jfrec_stacks *s, struct profile *p, struct path *path,
		    const struct leak *leak, struct weight w)
{
	uint32_t frames[STACKS_MAX_DEPTH], count = leaks_frames(&p->leaks, leak->path, frames);
	int stays = passes(s, frames, count);
	int64_t weight = s->options.counts ? (int64_t)w.samples : w.value;
	uint32_t node;

	if (!w.samples || stays <= 0)
		return stays < 0 ? -1 : 0;
	node = add_stack(s, &p->trees[0], path, frames, count, w);
	if (node == NODE_NONE)
		return -1;
	p->doubts.stackless += leak->is_stackless;
	if (s->options.packs_times &&
	    times_add(&p->times[0], leak->block.at_ns, node, weight) < 0)
		return -1;
	return s->options.keeps_times
		       ? sample_list_add(&p->samples[0],
					 (struct sample){ leak->block.at_ns, w, node })
		       : 0;
}

static int add_leaks(struct jfrec_stacks *s, struct profile *p, struct path *path)
{
	struct coarse_row *rows;
	int ret;

	leaks_settle(&p->leaks, s->leak_tail);
	rows = calloc(p->leaks.count + 1, sizeof(*rows));
	ret = rows && (p->trees[0].count || tree_init(&p->trees[0]) == 0)
		      ? coarsen_leaks(s, &p->leaks, rows)
		      : -1;
	for (size_t i = 0; i < p->leaks.count && ret == 0; i++)
		ret = add_leak(s, p, path, &p->leaks.list[i], rows[i].weight);
	free(rows);
	leaks_fini(&p->leaks);
	return ret;
}

int stacks_add_leaks(struct jfrec_stacks *s, unsigned side)
{
	struct path *path = NULL;
	int ret = 0;

	for (size_t i = 0; i < s->kind_count && ret == 0; i++) {
		if (!s->profiles[side][i].leaks.count)
			continue;
		if (!path && !(path = calloc(1, sizeof(*path))))
			return -1;
		path->kind = i;
		ret = add_leaks(s, &s->profiles[side][i], path);
	}
	free(path);
	return ret == 0 ? stacks_prune(s, side) : ret;
}

static int add_rows(struct jfrec_stacks *s, unsigned side, const struct gathered_chunk *c,
		    uint32_t *nodes)
{
	struct path *path = malloc(sizeof(*path));
	int ret = path ? 0 : -1;

	if (path)
		path->tree = NULL;
	stacks_begin_rows(s, side);
	for (size_t i = 0; i < c->row_count && ret >= 0; i++) {
		ret = add_row(s, side, path, c, &c->rows[i], &nodes[i]);
		if (ret == 0)
			ret = stacks_prune_rows(s, side, c->rows, i + 1, nodes);
		if (ret == 1)
			path->tree = NULL;
	}
	free(path);
	return ret < 0 ? -1 : stacks_settle(s, side);
}

int stacks_merge(struct jfrec_stacks *s, unsigned side, struct gathered_chunk *c)
{
	uint32_t *nodes = calloc(c->row_count + 1, sizeof(*nodes));
	struct timing timing = { s->profiles[side], c->rows, nodes };
	int ret;

	for (size_t i = 0; i < s->kind_count; i++)
		add_doubts(&s->profiles[side][i].doubts, &c->doubts[i]);
	ret = nodes ? weigh_firsts(s, side, c) : -1;
	if (ret == 0)
		ret = add_rows(s, side, c, nodes);
	if (ret == 0)
		ret = time_firsts(s, c, &timing);
	if (ret == 0)
		ret = sample_list_each(&c->samples, add_sample, &timing);
	if (ret == 0)
		ret = times_each(&c->times, add_time, &timing);
	if (ret == 0)
		ret = carry_blocks(s, side, c);
	if (ret == 0 && side == 0)
		ret = marker_list_add(&s->markers, &c->markers);
	if (ret == 0)
		ret = stacks_prune(s, side);
	free(nodes);
	return ret;
}
