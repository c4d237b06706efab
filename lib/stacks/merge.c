/* SPDX-License-Identifier: MIT */
/*
 * merge.c - what was gathered of one chunk, added to profiles
 */
#include <stdlib.h>

#include "stacks/coarsen.h"
#include "stacks/grow.h"

static void add_doubts(struct doubts *to, const struct doubts *d)
{
	to->stackless += d->stackless;
	to->failed += d->failed;
	to->lost += d->lost;
	to->truncated += d->truncated;
	data_loss_add(&to->data_loss, d->data_loss);
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

static int carry_block(struct leaks *l, const struct gathered_chunk *c, const struct block *b,
		       uint32_t *frames)
{
	const struct gathered *r = b->row == NODE_NONE ? NULL : &c->rows[b->row];
	struct block carried = *b;
	uint32_t path = 0;

	/* What jfrconv leaves out, for it has no stack, frees the address all the same. */
	carried.is_live = b->is_live && r;
	if (carried.is_live)
		path = leaks_path(l, frames, paths_frames(&c->paths, r->end, frames));
	return path == NODE_NONE ? -1 : leaks_carry(l, &carried, path, r && r->is_stackless);
}

static int carry_blocks(struct jfrec_stacks *s, unsigned side, const struct gathered_chunk *c)
{
	uint32_t *frames = c->blocks.count ? malloc(PATH_MOST * sizeof(*frames)) : NULL;
	int ret = frames || !c->blocks.count ? 0 : -1;

	for (size_t i = 0; i < s->kind_count && ret == 0; i++) {
		struct leaks *l = &s->profiles[side][i].leaks;

		if (!s->kinds[i]->is_leaks)
			continue;
		leaks_span(l, &c->blocks);
		for (size_t j = 0; j < c->blocks.count && ret == 0; j++)
			ret = carry_block(l, c, &c->blocks.list[j], frames);
	}
	free(frames);
	return ret;
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
	int remains = passes(s, frames, count);
	int64_t weight = s->options.counts ? (int64_t)w.samples : w.value;
	uint32_t node;

	if (!w.samples || remains <= 0)
		return remains < 0 ? -1 : 0;
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
