/* SPDX-License-Identifier: MIT */
/*
 * walk_path.c - following a path through structs and constants
 */
#include "query/walk_path.h"

#include <string.h>

#include "query/known.h"

#define MAX_WRAPS 8

/* A value of the type from its slots; `f` says in which unit a number is. */
static struct value plain_value(struct reading *r, const struct jfrec_field *f,
				const struct jfrec_type *t, bool is_key, const uint64_t *slots)
{
	for (unsigned depth = 0; t && depth < MAX_WRAPS; depth++) {
		struct node n = { t, slots };
		struct text text;

		if (t->wire == WIRE_STRING) {
			text = node_string(r, t, is_key, slots[0]);
			return text.s ? value_of_object(
						objects_string(&r->objects, text.s, text.len))
				      : value_null();
		}
		if (is_key)
			return follow_key(r, t, NULL, slots[0]);
		if (t->wire != WIRE_NONE)
			return value_of_slot(f, (enum wire)t->wire, &r->chunk->clock, slots[0]);
		if (!t->simple || t->field_count != 1 || t->fields[0].array)
			return known_value(r, &n, 0);
		is_key = t->fields[0].constant;
		t = t->fields[0].type;
	}
	return value_null();
}

struct value value_of_field(struct reading *r, const struct jfrec_field *f, const uint64_t *slots)
{
	if (f->array)
		return known_array(r, f, slots[0]);
	return plain_value(r, f, f->type, f->constant, slots);
}

/* Go on in what a field is, or refers to. */
static struct value walk_into(struct reading *r, const struct jfrec_type *t, bool is_key,
			      const uint64_t *slots, const char *path)
{
	for (unsigned depth = 0; t && depth < MAX_WRAPS; depth++) {
		struct node n = { t, slots };

		if (is_key)
			return follow_key(r, t, path, slots[0]);
		if (!t->simple || t->field_count != 1 || t->fields[0].array)
			return walk_path(r, &n, path);
		is_key = t->fields[0].constant;
		t = t->fields[0].type;
	}
	return value_null();
}

struct value walk_path(struct reading *r, const struct node *n, const char *path)
{
	const struct jfrec_field *f;
	const char *rest;
	enum top_frame top;

	if (plan_of(n->type)->fault)
		return value_null();
	if (n->type->known == KNOWN_STACK_TRACE && (top = top_frame_of(path, &rest)) != TOP_NONE)
		return known_top_frame(r, n, top, rest);
	f = field_of_path(n->type, path, &rest);
	if (!f || !f->type)
		return value_null();
	if (!rest)
		return value_of_field(r, f, node_slots(n, f));
	return f->array ? value_null()
			: walk_into(r, f->type, f->constant, node_slots(n, f), rest);
}
