/* SPDX-License-Identifier: MIT */
/*
 * node.c - a struct that is being looked at, in an event or among constants
 *
 * Each constant is looked at once, so members are found by name.
 */
#include "query/node.h"

#include <string.h>

#include "format/string.h"

/* Strings in structs in structs; a JVM's symbols are one deep. */
#define MAX_WRAPS 4

struct node node_constant(struct reading *r, const struct jfrec_type *t, uint32_t entry)
{
	const struct pools *pools = &r->chunk->pools;
	const struct plan *plan = plan_of(t);
	uint64_t *slots;

	if (entry == POOL_NONE || plan->fault)
		return (struct node){ t, NULL };
	slots = arena_alloc(&r->scratch, (plan->step_count + 1) * sizeof(*slots));
	if (!slots)
		r->out_of_memory = true;
	else
		plan_decode_again(plan, pool_entry(pools, t, entry)->value, pools->end, slots);
	return (struct node){ t, slots };
}

static struct node constant_of_key(struct reading *r, const struct jfrec_type *t, uint64_t key)
{
	return node_constant(r, t, pool_find(&r->chunk->pools, t, key));
}

const struct jfrec_field *node_field(const struct node *n, const char *name)
{
	for (unsigned i = 0; n->slots && i < n->type->field_count; i++) {
		const struct jfrec_field *f = &n->type->fields[i];

		if (strcmp(f->name, name) == 0)
			return f->array || !f->type ? NULL : f;
	}
	return NULL;
}

struct node node_member(struct reading *r, const struct node *n, const char *name)
{
	const struct jfrec_field *f = node_field(n, name);

	if (!f || f->type->wire != WIRE_NONE)
		return (struct node){ 0 };
	if (f->constant)
		return constant_of_key(r, f->type, *node_slots(n, f));
	return (struct node){ f->type, node_slots(n, f) };
}

int64_t node_number(const struct node *n, const char *name, int64_t missing)
{
	const struct jfrec_field *f = node_field(n, name);

	if (!f || f->constant || f->type->wire < WIRE_BOOLEAN || f->type->wire > WIRE_LONG)
		return missing;
	return (int64_t)*node_slots(n, f);
}

static struct text string_at(struct reading *r, const struct jfrec_type *t, bool is_key,
			     uint64_t slot, unsigned depth);

static struct text read_string(struct reading *r, const struct jfrec_type *t, uint64_t slot,
			       unsigned depth)
{
	struct cursor c = { .pos = slot_bytes(slot), .end = r->chunk->end };
	struct string s = string_read(&c);
	size_t len;
	const char *text;

	if (s.encoding == STRING_KEY)
		return string_at(r, t, true, s.key, depth + 1);
	if (s.encoding == STRING_NULL)
		return (struct text){ 0 };
	text = string_copy(&r->scratch, s, &len);
	if (!text)
		r->out_of_memory = true;
	return text ? text_of(text, len) : (struct text){ 0 };
}

static struct text string_at(struct reading *r, const struct jfrec_type *t, bool is_key,
			     uint64_t slot, unsigned depth)
{
	if (depth > MAX_WRAPS)
		return (struct text){ 0 };
	if (is_key) {
		struct node n = constant_of_key(r, t, slot);

		if (!n.slots || plan_of(t)->step_count != 1)
			return (struct text){ 0 };
		slot = n.slots[0];
	}
	if (t->wire == WIRE_STRING)
		return read_string(r, t, slot, depth);
	if (t->simple && t->field_count == 1 && !t->fields[0].array && t->fields[0].type)
		return string_at(r, t->fields[0].type, t->fields[0].constant, slot, depth + 1);
	return (struct text){ 0 };
}

struct text node_string(struct reading *r, const struct jfrec_type *t, bool is_key, uint64_t slot)
{
	return string_at(r, t, is_key, slot, 0);
}

struct text node_text(struct reading *r, const struct node *n, const char *name)
{
	const struct jfrec_field *f = node_field(n, name);

	if (!f || (!f->constant && plan_of(f->type)->step_count != 1))
		return (struct text){ 0 };
	return string_at(r, f->type, f->constant, *node_slots(n, f), 0);
}

/* Arrays --------------------------------------------------------------------------------------- */

bool node_elements(struct reading *r, const struct jfrec_field *f, uint64_t slot,
		   struct node_elements *e)
{
	*e = (struct node_elements){
		.field = f,
		.plan = plan_of_element(f),
		.at = { .pos = slot_bytes(slot), .end = r->chunk->end },
	};
	e->left = cursor_varint(&e->at);
	if (e->plan->fault || e->at.bad || e->left > cursor_left(&e->at))
		e->left = 0;
	e->slots = arena_alloc(&r->scratch, (e->plan->step_count + 1) * sizeof(*e->slots));
	if (!e->slots)
		r->out_of_memory = true;
	return e->slots != NULL;
}

bool node_next(struct node_elements *e)
{
	if (!e->left)
		return false;
	e->left--;
	return plan_decode(e->plan, &e->at, e->slots);
}

struct node node_element(struct reading *r, const struct node_elements *e)
{
	if (e->field->constant)
		return constant_of_key(r, e->field->type, e->slots[0]);
	return (struct node){ e->field->type, e->slots };
}
