/* SPDX-License-Identifier: MIT */
/*
 * intern.c - merge the constants of several chunks, each stored once
 */
#include "edit/intern.h"

#include <stdlib.h>

#include "base/array.h"
#include "format/string.h"

/* Constants in constants: beyond this one is taken for like no other. */
#define MAX_DEPTH 64

enum { STATE_NEW, STATE_OPEN, STATE_DONE };

/* Pools of the output -------------------------------------------------------------------------- */

static struct new_pool *pool_of(struct new_pools *p, uint32_t jvm, uint64_t type_id)
{
	uint32_t *at = idmap_put(&p->by_type, type_id, (uint32_t)p->count);

	if (!at)
		return NULL;
	if (*at < p->count)
		return &p->items[*at];
	if (!array_reserve(p->items, p->count, p->room))
		return NULL;
	p->items[p->count] = (struct new_pool){ .type_id = new_type_id(jvm, type_id) };
	return &p->items[p->count++];
}

void new_pools_write(struct new_pools *p, struct chunk_writer *w)
{
	for (size_t i = 0; i < p->count; i++)
		new_pool_write(&p->items[i], w);
}

void new_pools_fini(struct new_pools *p)
{
	for (size_t i = 0; i < p->count; i++)
		new_pool_fini(&p->items[i]);
	free(p->items);
	idmap_fini(&p->by_type);
	*p = (struct new_pools){ 0 };
}

/* Digests -------------------------------------------------------------------------------------- */

static bool make_room(struct interned *t, uint32_t count)
{
	if (t->keys)
		return true;
	t->keys = calloc((size_t)count + 1, sizeof(*t->keys));
	t->digests = calloc((size_t)count + 1, sizeof(*t->digests));
	t->states = calloc((size_t)count + 1, 1);
	return t->keys && t->digests && t->states;
}

static struct cursor value_of(const struct interner *in, const struct jfrec_type *t, uint32_t entry)
{
	return (struct cursor){ .pos = pool_entry(&in->chunk->pools, t, entry)->value,
				.end = in->chunk->end };
}

/* What stands for a constant that contains itself, or is too deep: no other has it. */
static struct digest unique(const struct interner *in, const struct jfrec_type *t, uint32_t entry)
{
	struct digest d = DIGEST_INIT;

	digest_word(&d, ~in->serial);
	digest_word(&d, t->id);
	digest_word(&d, entry);
	return d;
}

static struct digest digest_of(struct interner *in, const struct jfrec_type *t, uint32_t entry,
			       unsigned depth);

static void digest_key(struct interner *in, struct digest *d, const struct jfrec_type *t,
		       uint64_t key, unsigned depth)
{
	uint32_t entry = pool_find(&in->chunk->pools, t, key);
	struct digest of;

	if (entry == POOL_NONE) {
		digest_word(d, 0);
		return;
	}
	of = digest_of(in, t, entry, depth + 1);
	digest_word(d, of.a);
	digest_word(d, of.b);
}

static void digest_value(struct interner *in, struct digest *d, const struct plan *plan,
			 struct cursor *c, unsigned depth);

/* The bytes that a step takes, keys apart. */
static void digest_bytes_of(struct interner *in, struct digest *d, const struct step *s,
			    struct cursor *c, unsigned depth)
{
	const uint8_t *start = c->pos;
	struct string string = { 0 };
	uint64_t n = 0;

	if (s->wire == WIRE_STRING)
		string = string_read(c);
	else if (s->wire == WIRE_ARRAY)
		n = cursor_varint(c);
	else
		wire_skip((enum wire)s->wire, c);
	if (string.encoding == STRING_KEY && in->recoder.string) {
		digest_key(in, d, in->recoder.string, string.key, depth);
		return;
	}
	digest_bytes(d, start, (size_t)(c->pos - start));
	if (s->wire != WIRE_ARRAY)
		return;
	for (; n && !c->bad; n--)
		digest_value(in, d, s->element, c, depth);
}

static void digest_value(struct interner *in, struct digest *d, const struct plan *plan,
			 struct cursor *c, unsigned depth)
{
	for (unsigned i = 0; i < plan->step_count; i++) {
		const struct step *s = &plan->steps[i];

		if (s->wire == WIRE_KEY)
			digest_key(in, d, s->field->type, cursor_varint(c), depth);
		else
			digest_bytes_of(in, d, s, c, depth);
	}
}

static struct digest digest_of(struct interner *in, const struct jfrec_type *t, uint32_t entry,
			       unsigned depth)
{
	struct interned *known = &in->types[t->index];
	struct digest d = DIGEST_INIT;
	struct cursor c;

	if (!make_room(known, pool_at(&in->chunk->pools, t->index)->count)) {
		in->failed = true;
		return unique(in, t, entry);
	}
	if (known->states[entry] == STATE_DONE)
		return known->digests[entry];
	if (known->states[entry] == STATE_OPEN || depth > MAX_DEPTH)
		return unique(in, t, entry);
	known->states[entry] = STATE_OPEN;
	c = value_of(in, t, entry);
	digest_word(&d, t->id);
	digest_value(in, &d, plan_of(t), &c, depth);
	known->states[entry] = STATE_DONE;
	known->digests[entry] = d;
	return d;
}

/* Keys ----------------------------------------------------------------------------------------- */

static bool push(struct interner *in, uint32_t type, uint32_t entry)
{
	if (!array_push(in->todo, in->todo_count, in->todo_room,
			(struct mark_place){ type, entry }))
		return false;
	return true;
}

/*
 * async-profiler's reader takes the keys of types of frames for numbers of its own,
 * which those of a JVM agree with; 0 is one, so such keys are kept plus 1.
 */
static uint64_t key_of(const struct interner *in, const struct jfrec_type *t, uint32_t entry)
{
	return in->types[t->index].keys[entry] - (t == in->frame_type);
}

static uint64_t new_key(void *ctx, const struct jfrec_type *t, uint64_t key)
{
	struct interner *in = ctx;
	uint32_t entry = pool_find(&in->chunk->pools, t, key);
	struct interned *known = &in->types[t->index];
	struct new_pool *pool;
	struct digest d;
	bool is_new;

	/* 0 is not a key of the output: as little is found there as was here. */
	if (entry == POOL_NONE)
		return t == in->frame_type ? key : 0;
	if (known->keys && known->keys[entry])
		return key_of(in, t, entry);
	d = digest_of(in, t, entry, 0);
	pool = pool_of(in->pools, in->jvm, t->id);
	if (in->failed || !pool) {
		in->failed = true;
		return 0;
	}
	known->keys[entry] = t == in->frame_type ? new_pool_keep_key(pool, d, key, &is_new)
						 : new_pool_key(pool, d, &is_new);
	if (!known->keys[entry] || (is_new && !push(in, t->index, entry)))
		in->failed = true;
	return key_of(in, t, entry);
}

void interner_take_frame_types(struct interner *in)
{
	const struct jfrec_type *t = in->frame_type;
	uint32_t count = t ? pool_at(&in->chunk->pools, t->index)->count : 0;

	for (uint32_t i = 0; i < count && !in->failed; i++)
		new_key(in, t, pool_entry(&in->chunk->pools, t, i)->key);
}

void interner_settle(struct interner *in)
{
	while (in->todo_count && !in->failed) {
		struct mark_place place = in->todo[--in->todo_count];
		const struct jfrec_type *t = &in->chunk->metadata->types[place.type];
		struct cursor c = value_of(in, t, place.entry);
		struct new_pool *pool;

		buffer_clear(&in->value);
		recode_value(&in->recoder, plan_of(t), &c, &in->value);
		pool = pool_of(in->pools, in->jvm, t->id);
		if (!pool || in->value.failed) {
			in->failed = true;
			return;
		}
		new_pool_add(pool, key_of(in, t, place.entry), in->value.data, in->value.len);
		in->failed |= pool->records.failed;
	}
}

int interner_init(struct interner *in, struct chunk *c, struct new_pools *pools, uint32_t jvm,
		  uint64_t serial, const struct clock *from, const struct clock *to)
{
	*in = (struct interner){
		.chunk = c,
		.pools = pools,
		.jvm = jvm,
		.frame_type = metadata_type_named(c->metadata, "jdk.types.FrameType"),
		.serial = serial,
		.types = calloc((size_t)c->metadata->type_count + 1, sizeof(*in->types)),
	};
	in->recoder = (struct recoder){
		.key = new_key,
		.ctx = in,
		.string = metadata_type_named(c->metadata, "java.lang.String"),
		.from = from,
		.to = to,
	};
	return in->types ? 0 : -1;
}

void interner_fini(struct interner *in)
{
	for (uint32_t i = 0; in->types && i < in->chunk->metadata->type_count; i++) {
		free(in->types[i].keys);
		free(in->types[i].digests);
		free(in->types[i].states);
	}
	free(in->types);
	free(in->todo);
	buffer_fini(&in->value);
	*in = (struct interner){ 0 };
}
