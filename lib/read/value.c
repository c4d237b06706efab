/* SPDX-License-Identifier: MIT */
/*
 * value.c - typed access to the fields of an event
 */
#include <math.h>
#include <stdlib.h>

#include "format/slot.h"
#include "format/string.h"
#include "read/event.h"

static const struct jfrec_value null_value = { .kind = JFREC_KIND_NULL };

const struct jfrec_type *jfrec_event_type(const struct jfrec_event *ev)
{
	return ev->type;
}

const struct jfrec_chunk_info *jfrec_event_chunk(const struct jfrec_event *ev)
{
	return &ev->chunk->info;
}

uint64_t jfrec_event_offset(const struct jfrec_event *ev)
{
	return chunk_offset(ev->chunk, ev->raw.start);
}

uint64_t jfrec_event_size(const struct jfrec_event *ev)
{
	return ev->raw.size;
}

static int64_t ticks_at(const struct jfrec_event *ev, uint16_t step)
{
	return step != PLAN_NO_STEP ? (int64_t)ev->slots[step] : 0;
}

int64_t jfrec_event_start_ns(const struct jfrec_event *ev)
{
	return clock_time_ns(&ev->chunk->clock, ticks_at(ev, plan_of(ev->type)->start_step));
}

int64_t jfrec_event_duration_ns(const struct jfrec_event *ev)
{
	return clock_span_ns(&ev->chunk->clock, ticks_at(ev, plan_of(ev->type)->duration_step));
}

static struct jfrec_value whole_number(struct jfrec_value v, const struct jfrec_field *f,
				       enum wire wire, uint64_t slot)
{
	const struct clock *clock = &v.event->chunk->clock;

	v.kind = f && f->is_unsigned ? JFREC_KIND_UINT : JFREC_KIND_INT;
	v.i = slot_number(f, wire, slot);
	if (f && f->timespan) {
		v.kind = JFREC_KIND_SPAN;
		v.i = span_in_ns(f, clock, v.i);
	} else if (f && f->timestamp) {
		v.kind = JFREC_KIND_TIME;
		v.i = time_in_ns(f, clock, v.i);
	}
	return v;
}

/* Values --------------------------------------------------------------------------------------- */

static struct jfrec_value from_slot(const struct jfrec_event *ev, const struct step *s,
				    const struct jfrec_field *f, const struct jfrec_type *type,
				    uint64_t slot);

/* A value of a type from its slots: itself, if primitive or simple, else a struct. */
static struct jfrec_value from_slots(const struct jfrec_event *ev, const struct jfrec_field *f,
				     const struct jfrec_type *type, const uint64_t *slots)
{
	const struct plan *plan = plan_of(type);

	if (type->wire != WIRE_NONE)
		return from_slot(ev, &plan->steps[0], f, type, slots[0]);
	if (type->simple && type->field_count == 1 && plan->step_count == 1)
		return from_slot(ev, &plan->steps[0], &type->fields[0], type->fields[0].type,
				 slots[0]);
	return (struct jfrec_value){
		.kind = JFREC_KIND_STRUCT,
		.type = type,
		.event = ev,
		.at = slots,
		.plan = plan,
	};
}

static struct jfrec_value decoded(const struct jfrec_event *ev, const struct jfrec_field *f,
				  const struct jfrec_type *type, struct cursor *c)
{
	const struct plan *plan = plan_of(type);
	uint64_t *slots;

	slots = arena_alloc(ev->scratch, (plan->step_count + 1) * sizeof(*slots));
	if (plan->fault || !slots || !plan_decode(plan, c, slots))
		return null_value;
	return from_slots(ev, f, type, slots);
}

static struct jfrec_value constant(const struct jfrec_event *ev, const struct jfrec_field *f,
				   const struct jfrec_type *type, uint64_t key)
{
	const struct pools *pools = &ev->chunk->pools;
	uint32_t entry = pool_find(pools, type, key);
	struct cursor c = { .end = pools->end };

	if (entry == POOL_NONE)
		return null_value;
	c.pos = pool_entry(pools, type, entry)->value;
	return decoded(ev, f, type, &c);
}

/* Follow a string that is a key; a key inside the pool is not followed again. */
static struct jfrec_value string_value(struct jfrec_value v)
{
	const struct pools *pools = &v.event->chunk->pools;
	struct cursor c = { .pos = v.at, .end = pools->end };
	struct string s = string_read(&c);
	uint32_t entry;

	if (s.encoding == STRING_KEY) {
		entry = pool_find(pools, v.type, s.key);
		if (entry == POOL_NONE)
			return null_value;
		v.at = pool_entry(pools, v.type, entry)->value;
		c = (struct cursor){ .pos = v.at, .end = pools->end };
		s = string_read(&c);
	}
	if (s.encoding == STRING_NULL || s.encoding == STRING_KEY)
		return null_value;
	v.kind = JFREC_KIND_STRING;
	return v;
}

static struct jfrec_value from_slot(const struct jfrec_event *ev, const struct step *s,
				    const struct jfrec_field *f, const struct jfrec_type *type,
				    uint64_t slot)
{
	struct jfrec_value v = { .type = type, .event = ev };
	struct cursor c;

	switch ((enum wire)s->wire) {
	case WIRE_BOOLEAN:
		v.kind = JFREC_KIND_BOOL;
		v.u = slot;
		return v;
	case WIRE_CHAR:
		v.kind = JFREC_KIND_CHAR;
		v.u = slot;
		return v;
	case WIRE_FLOAT:
		v.kind = JFREC_KIND_FLOAT;
		v.d = (double)slot_float(slot);
		return v;
	case WIRE_DOUBLE:
		v.kind = JFREC_KIND_FLOAT;
		v.d = slot_double(slot);
		return v;
	case WIRE_STRING:
		v.at = slot_bytes(slot);
		return string_value(v);
	case WIRE_KEY:
		return constant(ev, f, type, slot);
	case WIRE_ARRAY:
		c = (struct cursor){ .pos = slot_bytes(slot), .end = ev->chunk->end };
		v.kind = JFREC_KIND_ARRAY;
		v.u = cursor_varint(&c);
		v.at = c.pos;
		v.plan = s->element;
		return v;
	case WIRE_NONE:
	case WIRE_BYTE:
	case WIRE_SHORT:
	case WIRE_INT:
	case WIRE_LONG:
		break;
	}
	return whole_number(v, f, s->wire, slot);
}

static struct jfrec_value member(const struct jfrec_event *ev, const struct plan *plan,
				 const uint64_t *slots, const struct jfrec_field *f)
{
	unsigned first = plan->first_step[f->index];

	if (!f->type)
		return null_value;
	if (f->array || f->constant || f->type->wire != WIRE_NONE)
		return from_slot(ev, &plan->steps[first], f, f->type, slots[first]);
	return from_slots(ev, f, f->type, slots + first);
}

struct jfrec_value jfrec_event_value(const struct jfrec_event *ev, const struct jfrec_field *f)
{
	if (!f || f->owner != ev->type)
		return null_value;
	return member(ev, plan_of(ev->type), ev->slots, f);
}

struct jfrec_value jfrec_value_member(const struct jfrec_value *v, const struct jfrec_field *f)
{
	if (v->kind != JFREC_KIND_STRUCT || !f || f->owner != v->type)
		return null_value;
	return member(v->event, v->plan, v->at, f);
}

struct jfrec_value jfrec_event_path(const struct jfrec_event *ev, const char *path)
{
	struct jfrec_value v = null_value;
	const struct jfrec_type *t = ev->type;
	bool first = true;

	while (t) {
		size_t len = strcspn(path, ".");
		const struct jfrec_field *f = NULL;

		for (unsigned i = 0; i < t->field_count && !f; i++) {
			if (strncmp(t->fields[i].name, path, len) == 0 && !t->fields[i].name[len])
				f = &t->fields[i];
		}
		v = first ? jfrec_event_value(ev, f) : jfrec_value_member(&v, f);
		if (!path[len])
			return v;
		path += len + 1;
		t = v.kind == JFREC_KIND_STRUCT ? v.type : NULL;
		first = false;
	}
	return null_value;
}

int64_t jfrec_value_int(const struct jfrec_value *v)
{
	switch (v->kind) {
	case JFREC_KIND_BOOL:
	case JFREC_KIND_INT:
	case JFREC_KIND_TIME:
	case JFREC_KIND_SPAN:
		return v->i;
	case JFREC_KIND_UINT:
	case JFREC_KIND_CHAR:
		return (int64_t)v->u;
	case JFREC_KIND_FLOAT:
		if (v->d >= 0x1p63)
			return INT64_MAX;
		if (v->d < -0x1p63)
			return INT64_MIN;
		return isnan(v->d) ? 0 : (int64_t)v->d;
	default:
		return 0;
	}
}

uint64_t jfrec_value_uint(const struct jfrec_value *v)
{
	if (v->kind != JFREC_KIND_FLOAT)
		return (uint64_t)jfrec_value_int(v);
	if (v->d >= 0x1p64)
		return UINT64_MAX;
	return v->d > 0 ? (uint64_t)v->d : 0;
}

double jfrec_value_double(const struct jfrec_value *v)
{
	switch (v->kind) {
	case JFREC_KIND_FLOAT:
		return v->d;
	case JFREC_KIND_BOOL:
	case JFREC_KIND_INT:
	case JFREC_KIND_TIME:
	case JFREC_KIND_SPAN:
		return (double)v->i;
	case JFREC_KIND_UINT:
	case JFREC_KIND_CHAR:
		return (double)v->u;
	default:
		return NAN;
	}
}

uint64_t jfrec_value_count(const struct jfrec_value *v)
{
	return v->kind == JFREC_KIND_ARRAY ? v->u : 0;
}

struct jfrec_value jfrec_value_element(const struct jfrec_value *v, uint64_t i)
{
	const struct plan *element = v->plan;
	struct cursor c;
	uint64_t *slots;

	if (v->kind != JFREC_KIND_ARRAY || i >= v->u)
		return null_value;
	c = (struct cursor){ .pos = v->at, .end = v->event->chunk->end };
	for (; i; i--)
		plan_skip(element, &c);
	slots = arena_alloc(v->event->scratch, (element->step_count + 1) * sizeof(*slots));
	if (!slots || !plan_decode(element, &c, slots))
		return null_value;
	/* An array of keys has a plan of its own. */
	if (element != plan_of(v->type))
		return from_slot(v->event, &element->steps[0], NULL, v->type, slots[0]);
	return from_slots(v->event, NULL, v->type, slots);
}

const char *jfrec_value_text(const struct jfrec_value *v, size_t *len)
{
	struct arena *scratch;
	struct cursor c;
	struct string s;
	char unit[2 * UTF8_MAX], *end;

	if (v->kind != JFREC_KIND_STRING && v->kind != JFREC_KIND_CHAR)
		return NULL;
	scratch = v->event->scratch;
	if (v->kind == JFREC_KIND_CHAR) {
		end = put_utf8(unit, (v->u & 0xf800) == 0xd800 ? '?' : (uint32_t)v->u);
		if (len)
			*len = (size_t)(end - unit);
		return arena_strndup(scratch, unit, (size_t)(end - unit));
	}
	c = (struct cursor){ .pos = v->at, .end = v->event->chunk->end };
	s = string_read(&c);
	return string_copy(scratch, s, len);
}
