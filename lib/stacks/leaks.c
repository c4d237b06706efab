/* SPDX-License-Identifier: MIT */
/*
 * leaks.c - blocks of native memory that were not freed
 */
#include "stacks/leaks.h"

#include <stdlib.h>

#include "base/array.h"
#include "format/clock.h"
#include "stacks/stacks.h"

/* A chunk -------------------------------------------------------------------------------------- */

int block_list_add(struct block_list *l, struct block b)
{
	if (!l->count || b.at < l->first)
		l->first = b.at;
	if (!l->count || b.at > l->last)
		l->last = b.at;
	return array_push(l->list, l->count, l->room, b) ? 0 : -1;
}

/* A call and its place, so that calls of one time stay in the order of the recording. */
struct call {
	int64_t at;
	size_t place;
};

static int by_time(const void *x, const void *y)
{
	const struct call *a = x, *b = y;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return a->place < b->place ? -1 : 1;
}

static struct call *sorted_calls(const struct block_list *l)
{
	struct call *calls = calloc(l->count + 1, sizeof(*calls));

	for (size_t i = 0; calls && i < l->count; i++)
		calls[i] = (struct call){ l->list[i].at, i };
	if (calls)
		qsort(calls, l->count, sizeof(*calls), by_time);
	return calls;
}

int block_list_settle(struct block_list *l)
{
	struct block_list to = { .first = l->first, .last = l->last };
	struct call *calls = sorted_calls(l);
	struct idmap by_address = { 0 };
	int ret = calls ? 0 : -1;

	for (size_t i = 0; i < l->count && ret == 0; i++) {
		const struct block *b = &l->list[calls[i].place];
		uint32_t *place = idmap_put(&by_address, b->address, (uint32_t)to.count);
		bool was_freed;

		if (!place || (*place == to.count && !array_push(to.list, to.count, to.room, *b))) {
			ret = -1;
			break;
		}
		was_freed = to.list[*place].was_freed || !to.list[*place].is_live;
		to.list[*place] = *b;
		to.list[*place].was_freed = was_freed || !b->is_live;
	}
	idmap_fini(&by_address);
	free(calls);
	free(l->list);
	*l = to;
	return ret;
}

void block_list_fini(struct block_list *l)
{
	free(l->list);
	*l = (struct block_list){ 0 };
}

/* All chunks ----------------------------------------------------------------------------------- */

void leaks_fini(struct leaks *l)
{
	free(l->list);
	idmap_fini(&l->by_address);
	tree_fini(&l->paths);
	*l = (struct leaks){ 0 };
}

void leaks_span(struct leaks *l, const struct block_list *calls)
{
	if (!calls->count)
		return;
	if (!l->has_calls || calls->first < l->first)
		l->first = calls->first;
	if (!l->has_calls || calls->last > l->last)
		l->last = calls->last;
	l->has_calls = true;
}

int leaks_carry(struct leaks *l, const struct block *b, uint32_t path, bool is_stackless)
{
	uint32_t *place = idmap_put(&l->by_address, b->address, (uint32_t)l->count);
	struct leak *known;

	if (!place || (*place == l->count && !array_push(l->list, l->count, l->room,
							 (struct leak){ 0 })))
		return -1;
	known = &l->list[*place];
	if (b->is_live && (!known->block.is_live || b->was_freed))
		known->order = l->orders++;
	l->live += b->is_live;
	l->live -= known->block.is_live;
	if (l->live > l->most_live)
		l->most_live = l->live;
	known->block = *b;
	known->path = path;
	known->is_stackless = is_stackless;
	return 0;
}

uint32_t leaks_path(struct leaks *l, const uint32_t *frames, uint32_t count)
{
	uint32_t at = 0;

	if (!l->paths.count && tree_init(&l->paths) < 0)
		return NODE_NONE;
	for (uint32_t i = 0; i < count && at != NODE_NONE; i++)
		at = tree_child(&l->paths, at, frames[i]);
	return at;
}

uint32_t leaks_frames(const struct leaks *l, uint32_t path, uint32_t *frames)
{
	uint32_t count = 0;

	for (uint32_t i = path; i; i = l->paths.nodes[i].parent)
		count++;
	for (uint32_t i = path, at = count; i; i = l->paths.nodes[i].parent)
		frames[--at] = l->paths.nodes[i].frame;
	return count;
}

/* Where Java's HashMap of so many buckets has the address. */
static uint32_t bucket_of(uint64_t address, uint32_t buckets)
{
	uint32_t hash = (uint32_t)(address ^ address >> 32);

	return (hash ^ hash >> 16) & (buckets - 1);
}

static uint32_t buckets_for(size_t most)
{
	uint32_t buckets = 16;

	while (buckets < 1u << 30 && most > buckets / 4 * 3)
		buckets *= 2;
	return buckets;
}

static int by_bucket(const void *x, const void *y, void *buckets)
{
	const struct leak *a = x, *b = y;
	uint32_t of_a = bucket_of(a->block.address, *(const uint32_t *)buckets);
	uint32_t of_b = bucket_of(b->block.address, *(const uint32_t *)buckets);

	if (of_a != of_b)
		return of_a < of_b ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

void leaks_settle(struct leaks *l, double tail)
{
	double cut = (double)l->first * tail + (double)l->last * (1 - tail);
	uint32_t buckets = buckets_for(l->most_live);
	size_t kept = 0;

	for (size_t i = 0; i < l->count; i++) {
		if (l->list[i].block.is_live && l->list[i].block.at <= double_to_long(cut))
			l->list[kept++] = l->list[i];
	}
	l->count = kept;
	qsort_r(l->list, l->count, sizeof(*l->list), by_bucket, &buckets);
	idmap_fini(&l->by_address);
}
