/* SPDX-License-Identifier: MIT */
/*
 * missing.c - stand-ins for constants that a chunk refers to but lacks
 */
#include "format/missing.h"

#include <stdlib.h>

#include "format/fit.h"
#include "format/string.h"

struct search {
	struct chunk *chunk;
	const struct jfrec_type *string;
	struct missing_constants *missing;
	uint64_t *slots; /* PLAN_MAX_STEPS */
	bool failed; /* memory is gone */
};

/* Key 0 is null where no constant has it. */
static void look_up(struct search *s, const struct jfrec_type *t, uint64_t key)
{
	uint32_t *at;

	if (!t || key == 0 || pool_find(&s->chunk->pools, t, key) != POOL_NONE)
		return;
	at = idmap_put(&s->missing->keys[t->index], key, 0);
	if (!at)
		s->failed = true;
	else if (*at == 0)
		s->missing->count += (*at = 1);
}

static void look_at_string(struct search *s, const uint8_t *at)
{
	struct cursor c = { .pos = at, .end = s->chunk->end };

	if (cursor_u8(&c) == STRING_KEY)
		look_up(s, s->string, cursor_varint(&c));
}

static bool look_at_value(struct search *s, const struct plan *plan, struct cursor *c);

/* Of an array's elements; each level of arrays is one call. */
static void look_at_array(struct search *s, const struct plan *element, const uint8_t *at)
{
	struct cursor c = { .pos = at, .end = s->chunk->end };
	uint64_t n = cursor_varint(&c);

	for (; n && !c.bad && look_at_value(s, element, &c); n--)
		;
}

/* The slots are asked for before an array in them needs them again. */
static bool look_at_value(struct search *s, const struct plan *plan, struct cursor *c)
{
	const uint8_t *start = c->pos;

	if (plan->fault || !plan_decode(plan, c, s->slots))
		return false;
	for (unsigned i = 0; i < plan->step_count; i++) {
		const struct step *step = &plan->steps[i];

		if (step->wire == WIRE_KEY)
			look_up(s, step->field->type, s->slots[i]);
		else if (step->wire == WIRE_STRING)
			look_at_string(s, slot_bytes(s->slots[i]));
	}
	for (unsigned i = 0; i < plan->step_count; i++) {
		struct cursor again = { .pos = start, .end = s->chunk->end };

		if (plan->steps[i].wire != WIRE_ARRAY || !plan_decode(plan, &again, s->slots))
			continue;
		look_at_array(s, plan->steps[i].element, slot_bytes(s->slots[i]));
	}
	return !s->failed;
}

static void look_at_events(struct search *s)
{
	struct chunk_walk walk = chunk_walk(s->chunk);
	struct raw_event e;

	walk.is_quiet = true;
	while (!s->failed && chunk_walk_any(&walk, &e)) {
		const struct jfrec_type *t = fitting_type(s->chunk->metadata, &e, s->chunk->end);
		struct cursor payload = event_payload(&e, s->chunk->end);

		if (t)
			look_at_value(s, plan_of(t), &payload);
	}
}

static void look_at_constants(struct search *s)
{
	const struct metadata *m = s->chunk->metadata;

	for (uint32_t i = 0; i < m->type_count; i++) {
		const struct pool *pool = pool_at(&s->chunk->pools, i);

		for (uint32_t k = 0; k < pool->count && !s->failed; k++) {
			struct cursor value = { .pos = pool->entries[k].value,
						.end = s->chunk->end };

			look_at_value(s, plan_of(&m->types[i]), &value);
		}
	}
}

int missing_constants_find(struct chunk *c, struct missing_constants *missing)
{
	const struct metadata *m = c->metadata;
	struct search s = {
		.chunk = c,
		.string = metadata_type_named(m, "java.lang.String"),
		.missing = missing,
		.slots = calloc(PLAN_MAX_STEPS, sizeof(*s.slots)),
	};

	*missing = (struct missing_constants){
		.keys = calloc((size_t)m->type_count + 1, sizeof(*missing->keys)),
		.type_count = m->type_count,
	};
	s.failed = !missing->keys || !s.slots;
	if (!s.failed) {
		look_at_events(&s);
		look_at_constants(&s);
	}
	free(s.slots);
	if (s.failed)
		missing_constants_fini(missing);
	return s.failed ? -1 : 0;
}

void missing_constants_fini(struct missing_constants *missing)
{
	for (uint32_t i = 0; missing->keys && i < missing->type_count; i++)
		idmap_fini(&missing->keys[i]);
	free(missing->keys);
	*missing = (struct missing_constants){ 0 };
}

int missing_count(struct chunk *c, uint64_t *count)
{
	struct missing_constants missing;

	if (missing_constants_find(c, &missing) < 0)
		return -1;
	*count = missing.count;
	missing_constants_fini(&missing);
	return 0;
}
