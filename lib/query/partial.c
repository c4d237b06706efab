/* SPDX-License-Identifier: MIT */
/*
 * partial.c - what a query knows after some events
 */
#include "query/partial.h"

#include <string.h>

#define FIRST_ROWS 16
#define MOST_ROWS  4096

bool partial_init(struct partial *p, const struct resolved *q, struct arena *a)
{
	bool has_batch = false;

	*p = (struct partial){ .query = q };
	for (unsigned i = 0; i < q->column_count; i++)
		has_batch |= q->columns[i].aggregator == AGGREGATE_LAST_BATCH;
	if (!has_batch)
		return true;
	p->batch_ns = arena_zalloc(a, q->column_count, sizeof(*p->batch_ns));
	p->has_batch = arena_zalloc(a, q->column_count, sizeof(*p->has_batch));
	return p->batch_ns && p->has_batch;
}

struct value *partial_add_row(struct partial *p, struct arena *a)
{
	struct row_block *b = p->last;
	unsigned width = p->query->column_count;
	struct value *row;

	if (!b || b->count == b->room) {
		uint32_t room = b && b->room < MOST_ROWS ? b->room * 2 : b ? MOST_ROWS : FIRST_ROWS;

		if (b && b->next) {
			b = b->next;
		} else {
			b = arena_alloc(a, sizeof(*b) + (size_t)room * width * sizeof(*row));
			if (!b)
				return NULL;
			*b = (struct row_block){ .room = room };
			if (p->last)
				p->last->next = b;
			else
				p->first = b;
		}
		p->last = b;
	}
	row = b->values + (size_t)b->count++ * width;
	memset(row, 0, width * sizeof(*row));
	p->row_count++;
	return row;
}

static bool merge_group(struct partial *to, const struct group *from, struct objects *os,
			struct arena *a)
{
	const struct resolved *q = to->query;
	struct value key = value_merge(os, &from->key, a);
	struct group *g = groups_get(&to->groups, &key, q->width, a);

	for (unsigned i = 0; g && i < q->width; i++) {
		if (!cell_merge(&g->cells[i], &from->cells[i], q->columns[i].aggregator, os, a))
			return false;
	}
	return g != NULL;
}

static bool merge_row(struct partial *to, const struct value *from, struct objects *os,
		      struct arena *a)
{
	struct value *row = partial_add_row(to, a);

	for (unsigned i = 0; row && i < to->query->column_count; i++)
		row[i] = value_merge(os, &from[i], a);
	return row && !os->out_of_memory;
}

bool partial_merge(struct partial *to, const struct partial *from, struct objects *os,
		   struct arena *a)
{
	unsigned width = to->query->column_count;

	for (uint32_t i = 0; i < from->groups.count; i++) {
		if (!merge_group(to, &from->groups.items[i], os, a))
			return false;
	}
	if (from->groups.count && from->groups.seen_again)
		to->groups.seen_again = true;
	for (const struct row_block *b = from->first; b; b = b->next) {
		for (uint32_t i = 0; i < b->count; i++) {
			if (!merge_row(to, b->values + (size_t)i * width, os, a))
				return false;
		}
	}
	for (unsigned i = 0; from->has_batch && i < width; i++) {
		if (from->has_batch[i]) {
			to->has_batch[i] = true;
			to->batch_ns[i] = from->batch_ns[i];
		}
	}
	return true;
}
