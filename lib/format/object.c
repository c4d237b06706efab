/* SPDX-License-Identifier: MIT */
/*
 * object.c - constants and their members by name: a method, its class, that class's name
 */
#include "format/object.h"

#include <string.h>

#include "format/string.h"

/* A symbol is a struct around a string, which may be a key into the pool of strings. */
#define MAX_WRAPPERS 4

struct object object_constant(struct objects *o, const struct jfrec_type *type, uint64_t key)
{
	const struct pools *pools = &o->chunk->pools;
	struct object found = { .type = type };
	uint32_t entry = type ? pool_find(pools, type, key) : POOL_NONE;
	const struct plan *plan;
	uint64_t *slots;

	if (entry == POOL_NONE)
		return found;
	plan = plan_of(type);
	slots = plan->fault ? NULL
			    : arena_alloc(&o->scratch, (plan->step_count + 1) * sizeof(*slots));
	if (slots)
		plan_decode_again(plan, pool_entry(pools, type, entry)->value, pools->end, slots);
	found.slots = slots;
	return found;
}

const struct jfrec_field *object_field(const struct jfrec_type *type, const char *name)
{
	for (unsigned i = 0; i < type->field_count; i++) {
		const struct jfrec_field *f = &type->fields[i];

		if (strcmp(f->name, name) == 0)
			return f->array || !f->type ? NULL : f;
	}
	return NULL;
}

static const struct jfrec_field *field_of(struct object of, const char *name)
{
	return of.slots ? object_field(of.type, name) : NULL;
}

static const uint64_t *slots_of(struct object of, const struct jfrec_field *f)
{
	return of.slots + plan_of(of.type)->first_step[f->index];
}

struct object object_member(struct objects *o, struct object of, const char *name)
{
	const struct jfrec_field *f = field_of(of, name);

	if (!f || f->type->wire != WIRE_NONE)
		return (struct object){ 0 };
	if (f->constant)
		return object_constant(o, f->type, *slots_of(of, f));
	return (struct object){ .type = f->type, .slots = slots_of(of, f) };
}

int64_t object_number(struct object of, const char *name, int64_t missing)
{
	const struct jfrec_field *f = field_of(of, name);

	if (!f || f->constant || f->type->wire < WIRE_BOOLEAN || f->type->wire > WIRE_LONG)
		return missing;
	return (int64_t)*slots_of(of, f);
}

bool object_key(struct object of, const char *name, uint64_t *key)
{
	const struct jfrec_field *f = field_of(of, name);

	if (f && f->constant)
		*key = *slots_of(of, f);
	return f && f->constant;
}

static bool is_wrapper(const struct jfrec_type *t)
{
	return t->simple && t->field_count == 1 && !t->fields[0].array && t->fields[0].type;
}

/* Follow keys and wrappers until there is a string. */
static const char *text_in_slot(struct objects *o, const struct jfrec_type *t, bool is_key,
				uint64_t slot, unsigned depth, size_t *len)
{
	struct cursor c = { .pos = slot_bytes(slot), .end = o->chunk->end };
	struct string s;

	if (depth > MAX_WRAPPERS)
		return NULL;
	if (is_key) {
		struct object to = object_constant(o, t, slot);

		return to.slots ? text_in_slot(o, t, false, to.slots[0], depth + 1, len) : NULL;
	}
	if (is_wrapper(t))
		return text_in_slot(o, t->fields[0].type, t->fields[0].constant, slot, depth + 1,
				    len);
	if (t->wire != WIRE_STRING)
		return NULL;
	s = string_read(&c);
	if (s.encoding == STRING_KEY)
		return text_in_slot(o, t, true, s.key, depth + 1, len);
	if (s.encoding == STRING_NULL)
		return NULL;
	if (o->most_text && s.len > o->most_text)
		s.len = o->most_text;
	return string_copy(&o->scratch, s, len);
}

const char *object_text(struct objects *o, struct object of, const char *name, size_t *len)
{
	const struct jfrec_field *f = field_of(of, name);

	if (!f || plan_of(f->type)->fault || (!f->constant && plan_of(f->type)->step_count != 1))
		return NULL;
	return text_in_slot(o, f->type, f->constant, *slots_of(of, f), 0, len);
}

const char *object_constant_text(struct objects *o, const struct jfrec_type *type, uint64_t key,
				 size_t *len)
{
	return text_in_slot(o, type, true, key, 0, len);
}
