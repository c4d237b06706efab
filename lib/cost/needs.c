/* SPDX-License-Identifier: MIT */
/*
 * needs.c - find which event types of a chunk use which constants
 */
#include "cost/needs.h"

#include <stdlib.h>

int needs_init(struct needs *n, struct chunk *c)
{
	uint32_t types = c->metadata->type_count;

	*n = (struct needs){ .chunk = c };
	if (marks_init(&n->marks, c) < 0)
		return -1;
	n->first = calloc((size_t)types + 1, sizeof(*n->first));
	for (uint32_t i = 0; n->first && i < types; i++) {
		n->first[i] = n->count;
		n->count += pool_at(&c->pools, i)->count;
	}
	n->all = calloc(n->count + 1, sizeof(*n->all));
	if (n->first && n->all)
		return 0;
	needs_fini(n);
	return -1;
}

void needs_fini(struct needs *n)
{
	if (n->chunk)
		marks_fini(&n->marks);
	free(n->first);
	free(n->all);
	*n = (struct needs){ 0 };
}

static int count_bytes(void *ctx, const struct constant *c)
{
	struct needs *n = ctx;
	uint32_t entry = pool_find(&n->chunk->pools, c->type, c->key);
	uint64_t bytes = (uint64_t)(c->end - c->start);

	if (entry == POOL_NONE)
		return 0; /* of a checkpoint that the chunk does not lead to */
	n->all[n->first[c->type->index] + entry].bytes += bytes;
	n->bytes += bytes;
	return 0;
}

void needs_checkpoint(struct needs *n, const struct raw_event *e)
{
	int64_t delta;

	pools_each_constant(n->chunk->metadata, e->start, e->size, &delta, count_bytes, n, NULL,
			    NULL);
}

/* Marks ---------------------------------------------------------------------------------------- */

void needs_clear(struct needs *n)
{
	marks_clear(&n->marks);
}

void needs_event(struct needs *n, const struct jfrec_type *t, const struct raw_event *e,
		 uint64_t *slots)
{
	if (!marks_scan(&n->marks, t, e) && chunk_decode(n->chunk, t, e, slots))
		marks_event(&n->marks, t, slots, e->start + e->size);
}

static int compare_types(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

void needs_spread(struct needs *n)
{
	const struct chunk *c = n->chunk;
	struct mark_place place;

	while (marks_next(&n->marks, &place)) {
		const struct jfrec_type *t = &c->metadata->types[place.type];
		struct cursor value = { .pos = pool_entry(&c->pools, t, place.entry)->value,
					.end = c->end };

		marks_value(&n->marks, plan_of(t), &value);
	}
	/* Sums of fractions do not depend on the order in which the types were met. */
	qsort(n->marks.marked, n->marks.marked_count, sizeof(*n->marks.marked), compare_types);
}

/* Where a walk over the marked constants is. */
struct marked {
	uint32_t next; /* in marks.marked */
	uint32_t word;
	uint64_t bits; /* of that word, that are still to be taken */
};

/* The next marked constant, or NULL. */
static struct need *next_marked(const struct needs *n, struct marked *at)
{
	for (; at->next < n->marks.marked_count; at->next++, at->word = 0) {
		uint32_t type = n->marks.marked[at->next];
		const uint64_t *bits = n->marks.bits[type];
		uint32_t words = pool_at(&n->chunk->pools, type)->count / 64 + 1;

		for (; at->word < words; at->word++) {
			if (!at->bits)
				at->bits = bits[at->word];
			if (at->bits) {
				uint64_t entry = at->word * UINT64_C(64) +
						 (uint64_t)__builtin_ctzll(at->bits);

				at->bits &= at->bits - 1;
				at->word += !at->bits;
				return &n->all[n->first[type] + entry];
			}
		}
	}
	return NULL;
}

/* ---------------------------------------------------------------------------------------------- */

void needs_add_type(struct needs *n)
{
	struct marked at = { 0 };

	for (struct need *c; (c = next_marked(n, &at));)
		c->types++;
}

void needs_share(struct needs *n, double *share, uint64_t *own)
{
	struct marked at = { 0 };

	for (struct need *c; (c = next_marked(n, &at));) {
		*share += (double)c->bytes / c->types;
		*own += c->types == 1 ? c->bytes : 0;
	}
}

void needs_begin_group(struct needs *n)
{
	n->group++;
	n->only_inside = 0;
}

void needs_add_to_group(struct needs *n)
{
	struct marked at = { 0 };

	for (struct need *c; (c = next_marked(n, &at));) {
		if (c->group != n->group)
			c->inside = 0;
		c->group = n->group;
		c->inside++;
		if (c->inside == c->types)
			n->only_inside += c->bytes;
	}
}

uint64_t needs_left_of_group(const struct needs *n)
{
	struct marked at = { 0 };
	uint64_t bytes = 0;

	for (const struct need *c; (c = next_marked(n, &at));) {
		if (c->group == n->group && c->inside == c->types)
			bytes += c->bytes;
	}
	return bytes;
}

uint64_t needs_spare(const struct needs *n)
{
	uint64_t bytes = 0;

	for (uint64_t i = 0; i < n->count; i++)
		bytes += n->all[i].types ? 0 : n->all[i].bytes;
	return bytes;
}
