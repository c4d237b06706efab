/* SPDX-License-Identifier: MIT */
/*
 * pool.c - the constant pools of a chunk: threads, classes, methods, stack traces
 *
 * The checkpoint event, all numbers varints but the kind:
 *
 *    size  1  start  duration  delta  u8 kind  count
 *    count times:  type id  count  (key value)[count]
 *
 * A value has no length of its own: the value of an undeclared type cannot be stepped over, and the
 * rest of that checkpoint is lost.
 */
#include "format/pool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/plan.h"
#include "format/problem.h"

int pools_init(struct pools *p, const struct metadata *m, const uint8_t *end)
{
	*p = (struct pools){ .type_count = m->type_count, .end = end };
	p->raw = calloc((size_t)m->type_count + 1, sizeof(*p->raw));
	return p->raw ? 0 : -1;
}

void pools_fini(struct pools *p)
{
	for (uint32_t i = 0; p->raw && i < p->type_count; i++) {
		free(p->raw[i].entries);
		free(p->raw[i].places);
		idmap_fini(&p->raw[i].by_key);
	}
	free(p->raw);
	free(p->blocks.items);
	*p = (struct pools){ 0 };
}

/* An array has so many places for each key at most: fewer bytes than a map. */
#define PLACES_OF_KEY 4

/* Decide by the first entries. Without memory all keys go into the map. */
static void make_places(struct pool *pool)
{
	uint64_t least = UINT64_MAX, most = 0;

	for (uint32_t i = 0; i < pool->count; i++) {
		uint64_t key = pool->entries[i].key;

		least = key < least ? key : least;
		most = key > most ? key : most;
	}
	if (most - least >= (uint64_t)PLACES_OF_KEY * pool->count)
		return;
	pool->places = malloc((most - least + 1) * sizeof(*pool->places));
	if (!pool->places)
		return;
	pool->least = least;
	pool->span = most - least + 1;
	memset(pool->places, 0xff, pool->span * sizeof(*pool->places));
}

_Static_assert(POOL_NONE == UINT32_MAX, "bytes of 0xff are places without an entry");

/* Where the entry of the key is noted: `new`, if it has none. NULL: no memory. */
static uint32_t *place_of(struct pool *pool, uint64_t key, uint32_t new)
{
	uint32_t *place;

	if (key - pool->least >= pool->span)
		return idmap_put(&pool->by_key, key, new);
	place = &pool->places[key - pool->least];
	if (*place == POOL_NONE)
		*place = new;
	return place;
}

void pool_map(struct pool *pool)
{
	struct pool_entry *entries = pool->entries;
	uint32_t next = pool->mapped;

	if (!next)
		make_places(pool);
	if (!pool->span && !idmap_reserve(&pool->by_key, pool->count))
		pool->is_unmapped = true;
	for (; next < pool->count && !pool->is_unmapped; next++) {
		uint32_t *at = place_of(pool, entries[next].key, pool->mapped);

		if (!at) {
			pool->is_unmapped = true; /* from now on, so that no entry moves again */
			break;
		}
		if (*at == pool->mapped)
			entries[pool->mapped++] = entries[next];
		else
			entries[*at].value = entries[next].value;
	}
	if (next > pool->mapped) {
		memmove(entries + pool->mapped, entries + next,
			(pool->count - next) * sizeof(*entries));
		pool->count -= next - pool->mapped;
	}
}

uint32_t pool_search(const struct pool *pool, uint64_t key)
{
	uint32_t i = pool->count;

	while (i && pool->entries[i - 1].key != key)
		i--;
	return i ? i - 1 : POOL_NONE;
}

/* Where constants of one type lie in a checkpoint, and what is to be reported on them. */
struct constants {
	const struct metadata *metadata;
	const uint8_t *event;
	pools_constant_fn *fn;
	void *ctx;
	struct pool_blocks *blocks; /* or NULL */
	struct jfrec_error *err;
	const struct jfrec_type *odd; /* of the first one with a boolean that is none, or NULL */
};

static int add_block(struct pool_blocks *blocks, const struct jfrec_type *t, const uint8_t *from,
		     const uint8_t *to, uint64_t count)
{
	struct pool_block new = { blocks->checkpoints, t, from, to, count, false };

	return array_push(blocks->items, blocks->count, blocks->room, new) ? 0 : -1;
}

/*
 * To the end of the value.  A bit that was overwritten may make two varints one; often a boolean is
 * met in the middle of another then, and after it all is as it was.
 */
static bool skip_value(struct constants *k, const struct jfrec_type *t, const struct plan *plan,
		       struct cursor *c)
{
	struct cursor from = *c;

	if (plan_skip(plan, c))
		return true;
	*c = from;
	if (!k->odd)
		k->odd = t;
	return plan_skip_loosely(plan, c);
}

static int each_of_pool(struct constants *k, const struct jfrec_type *t, struct cursor *c)
{
	const struct plan *plan = plan_of(t);
	uint64_t at = (uint64_t)(c->pos - k->event);
	uint64_t count = cursor_varint(c), all = count;
	const uint8_t *from = c->pos;

	if (plan->fault)
		return jfrec_fail(k->err, JFREC_EFORMAT, at,
				  "constants of type %.80s cannot be read: %s", t->name,
				  plan->fault);
	/* Every key takes a byte. */
	if (count > cursor_left(c))
		return jfrec_fail(k->err, JFREC_EFORMAT, at,
				  "%" PRIu64
				  " constants of type %.80s are more than the checkpoint holds",
				  count, t->name);
	for (; count; count--) {
		struct constant one = { .type = t, .start = c->pos };

		one.key = cursor_varint(c);
		one.value = c->pos;
		if (!skip_value(k, t, plan, c))
			return jfrec_fail(
				k->err, JFREC_EFORMAT, at,
				"the constants of type %.80s do not fit into the checkpoint",
				t->name);
		one.end = c->pos;
		if (k->fn(k->ctx, &one) < 0)
			return jfrec_fail_memory(k->err);
	}
	if (k->blocks && all && add_block(k->blocks, t, from, c->pos, all) < 0)
		return jfrec_fail_memory(k->err);
	return 0;
}

int pools_each_constant(const struct metadata *m, const uint8_t *event, uint64_t size,
			int64_t *delta, pools_constant_fn *fn, void *ctx,
			struct pool_blocks *blocks, struct jfrec_error *err)
{
	struct constants k = { m, event, fn, ctx, blocks, err, NULL };
	struct cursor c = cursor_over(event, size);
	uint64_t pool_count;

	for (unsigned i = 0; i < 4; i++) /* size, type, start, duration */
		cursor_varint(&c);
	*delta = (int64_t)cursor_varint(&c);
	cursor_u8(&c); /* what kind of checkpoint; matters to live streams only */
	pool_count = cursor_varint(&c);
	if (blocks)
		blocks->checkpoints++;
	if (c.bad)
		return jfrec_fail(err, JFREC_EFORMAT, 0,
				  "a checkpoint of %" PRIu64 " bytes is truncated", size);
	for (; pool_count; pool_count--) {
		uint64_t at = (uint64_t)(c.pos - event);
		uint64_t id = cursor_varint(&c);
		const struct jfrec_type *t = metadata_type(m, id);

		if (c.bad)
			return jfrec_fail(err, JFREC_EFORMAT, at,
					  "a checkpoint ends before its last pool");
		if (!t)
			return jfrec_fail(err, JFREC_EFORMAT, at,
					  "constants of type %" PRIu64 ", which is not declared",
					  id);
		if (t->is_event)
			return jfrec_fail(err, JFREC_EFORMAT, at,
					  "constants of the event type %.80s", t->name);
		if (each_of_pool(&k, t, &c) < 0)
			return -1;
	}
	/* Nothing else ends a checkpoint: a length that was overwritten led into the middle. */
	if (cursor_left(&c))
		return jfrec_fail(err, JFREC_EFORMAT, (uint64_t)(c.pos - event),
				  "%" PRIu64 " %s left in a checkpoint after its last constant",
				  (uint64_t)cursor_left(&c),
				  one_or_more(cursor_left(&c), "byte is", "bytes are"));
	if (k.odd)
		return jfrec_fail(err, JFREC_EFORMAT, size,
				  "a constant of type %.80s has a boolean that is neither true nor "
				  "false; some near it are wrong",
				  k.odd->name);
	return 0;
}

static const struct jfrec_type *own_type(const struct pools *p, const struct constant *c)
{
	const struct pool_stray *stray = &p->stray;

	return c->start >= stray->block.from && c->start < stray->block.to ? stray->type : c->type;
}

static int put_constant(void *ctx, const struct constant *c)
{
	const struct pools *p = ctx;

	struct pool *pool = &p->raw[own_type(p, c)->index];
	struct pool_entry entry = { c->key, c->value };

	return array_push(pool->entries, pool->count, pool->room, entry) ? 0 : -1;
}

int pools_add_checkpoint(struct pools *p, const struct metadata *m, const uint8_t *event,
			 uint64_t size, int64_t *delta, struct jfrec_error *err)
{
	return pools_each_constant(m, event, size, delta, put_constant, p, &p->blocks, err);
}
