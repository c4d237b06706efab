/* SPDX-License-Identifier: MIT */
/*
 * plan.c - compile decode plans: how to read the fields of each type
 */
#include "format/plan.h"

#include <stdlib.h>

#include "format/string.h"

/* A new way to store values, or type with a form of its own, must be thought of here. */
#pragma GCC diagnostic error "-Wswitch-enum"

/* Inline structs in inline structs; a cycle among them never ends. */
#define MAX_DEPTH 32

/* Arrays of structs that hold arrays of structs; each level is one call of the decoder. */
#define MAX_ARRAY_DEPTH 32

static const struct plan no_memory = { .fault = "out of memory" };

static const char too_many[] = "its structs expand to more than 1024 values";

struct compiler {
	struct arena *arena;
	struct step *steps;
	unsigned count, min_size, unfolded;
	const char *fault;
};

static unsigned wire_min_size(enum wire w)
{
	return wire_size(w) ? wire_size(w) : 1;
}

static void add_step(struct compiler *k, enum wire wire, const struct jfrec_field *field,
		     const struct plan *element)
{
	if (k->count == PLAN_MAX_STEPS) {
		k->fault = too_many;
		return;
	}
	k->steps[k->count++] = (struct step){ (uint8_t)wire, field, element };
	k->min_size += wire_min_size(wire);
}

static void add_type(struct compiler *k, const struct jfrec_type *t, unsigned depth);

static const struct plan *make_key(const struct jfrec_field *f);

static void add_field(struct compiler *k, const struct jfrec_field *f, unsigned depth)
{
	const struct plan *element;

	/* Structs without fields add no steps, but cost as much. */
	if (++k->unfolded > PLAN_MAX_STEPS) {
		k->fault = too_many;
	} else if (!f->type) {
		k->fault = "a field's type is not declared";
	} else if (f->array) {
		element = f->constant ? make_key(f) : plan_of(f->type);
		if (element->fault)
			k->fault = element->fault;
		else if (element->min_size == 0)
			k->fault = "the elements of an array take no bytes";
		k->unfolded += element->unfolded;
		add_step(k, WIRE_ARRAY, f, element);
	} else if (field_wire(f) != WIRE_NONE) {
		add_step(k, field_wire(f), f, NULL);
	} else if (depth == MAX_DEPTH) {
		k->fault = "its structs are nested more than 32 deep";
	} else {
		add_type(k, f->type, depth + 1);
	}
}

static void add_type(struct compiler *k, const struct jfrec_type *t, unsigned depth)
{
	if (t->wire != WIRE_NONE)
		add_step(k, t->wire, NULL, NULL);
	for (unsigned i = 0; i < t->field_count && !k->fault; i++)
		add_field(k, &t->fields[i], depth);
}

/* A boolean is 0 or 1, and so is the varint of one byte that it could be taken for. */
static bool only_varints(const struct step *steps, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		if (steps[i].wire != WIRE_KEY && steps[i].wire != WIRE_BOOLEAN &&
		    (steps[i].wire < WIRE_CHAR || steps[i].wire > WIRE_LONG))
			return false;
	}
	return true;
}

static unsigned leading_longs(const struct step *steps, unsigned count)
{
	unsigned n = 0;

	while (n < count && (steps[n].wire == WIRE_KEY || steps[n].wire == WIRE_LONG))
		n++;
	return n;
}

static struct plan *finish(struct compiler *k, uint16_t *first_step)
{
	struct plan *p = arena_alloc(k->arena, sizeof(*p));
	struct step *steps = arena_alloc(k->arena, (k->count + 1) * sizeof(*steps));

	if (!p || !steps)
		return NULL;
	memcpy(steps, k->steps, k->count * sizeof(*steps));
	*p = (struct plan){
		.fault = k->fault,
		.step_count = k->count,
		.only_varints = only_varints(steps, k->count),
		.leading_longs = leading_longs(steps, k->count),
		.min_size = k->min_size,
		.unfolded = k->unfolded,
		.steps = steps,
		.first_step = first_step,
		.start_step = PLAN_NO_STEP,
		.duration_step = PLAN_NO_STEP,
	};
	return p;
}

/* Which step is the field of that name, if it is a single long. */
static uint16_t step_of(const struct jfrec_type *t, const struct plan *p, const char *name)
{
	for (unsigned i = 0; i < t->field_count; i++) {
		const struct jfrec_field *f = &t->fields[i];

		if (strcmp(f->name, name) == 0 && !f->array && field_wire(f) == WIRE_LONG)
			return p->first_step[i];
	}
	return PLAN_NO_STEP;
}

static struct plan *compile_fields(struct compiler *k, const struct jfrec_type *t)
{
	uint16_t *first_step = arena_alloc(k->arena, (t->field_count + 1) * sizeof(*first_step));

	if (!first_step)
		return NULL;
	if (t->wire != WIRE_NONE)
		add_step(k, t->wire, NULL, NULL);
	for (unsigned i = 0; i < t->field_count; i++) {
		first_step[i] = (uint16_t)k->count;
		if (!k->fault)
			add_field(k, &t->fields[i], 0);
	}
	return finish(k, first_step);
}

/* The steps are not on the stack: 24 KB that the compiler fills with zeros there cost the most. */
static const struct plan *compile(const struct jfrec_type *t)
{
	struct step *steps = malloc(PLAN_MAX_STEPS * sizeof(*steps));
	struct compiler k = { .arena = &t->metadata->arena, .steps = steps };
	struct plan *p = steps ? compile_fields(&k, t) : NULL;

	free(steps);
	if (!p)
		return &no_memory;
	if (t->is_event && !p->fault) {
		p->start_step = step_of(t, p, "startTime");
		p->duration_step = step_of(t, p, "duration");
	}
	return p;
}

const struct plan *plan_make(const struct jfrec_type *t)
{
	/* An array whose elements hold such arrays inline meets itself here. */
	static const struct plan in_the_making = { .fault = "it contains itself" };
	static const struct plan too_deep = { .fault = "its arrays are nested more than 32 deep" };
	struct metadata *m = t->metadata;
	struct jfrec_type *own = &m->types[t->index];

	if (own->plan)
		return own->plan;
	if (m->plan_depth == MAX_ARRAY_DEPTH)
		return &too_deep;
	own->plan = &in_the_making;
	m->plan_depth++;
	own->plan = compile(own);
	m->plan_depth--;
	return own->plan;
}

void plan_make_all(struct metadata *m)
{
	for (uint32_t i = 0; i < m->type_count && !m->has_all_plans; i++)
		plan_of(&m->types[i]);
	m->has_all_plans = true;
}

/* Of an array of keys: one step. */
static const struct plan *make_key(const struct jfrec_field *f)
{
	struct step step;
	struct compiler k = { .arena = &f->type->metadata->arena, .steps = &step };
	struct plan *p;

	add_step(&k, WIRE_KEY, f, NULL);
	p = finish(&k, NULL);
	return p ? p : &no_memory;
}

const struct plan *plan_of_element(const struct jfrec_field *f)
{
	const struct plan *owner;

	if (!f->constant)
		return plan_of(f->type);
	owner = plan_of(f->owner);
	return owner->fault || !f->array ? make_key(f)
					 : owner->steps[owner->first_step[f->index]].element;
}

/* What a walk over a value does; known at compile time, so that each use is a loop of its own. */
enum purpose { DECODE, DECODE_AGAIN, SKIP, SKIP_LOOSELY };

static void skip_array(const struct plan *element, struct cursor *c)
{
	uint64_t n = cursor_varint(c);

	/* Elements take at least one byte each, or the plan has a fault. */
	if (n > cursor_left(c))
		cursor_spoil(c);
	/* Stack traces are most of what is skipped, and their frames are four varints. */
	if (element->only_varints)
		cursor_skip_varints(c, c->bad ? 0 : n * element->step_count);
	else
		for (; n && !c->bad; n--)
			plan_skip(element, c);
}

static struct cursor after_array(const struct plan *element, struct cursor c)
{
	skip_array(element, &c);
	return c;
}

/*
 * The decoder.  Where it is lies in two variables, not in a cursor: what has
 * its address taken lies in memory, and each step would wait for the last one's
 * store.  They hold only what a cursor has left in them.
 */
static inline __attribute__((always_inline)) bool walk(const struct step *s, unsigned count,
						       struct cursor *cursor, uint64_t *slots,
						       enum purpose purpose)
{
	const uint8_t *pos = cursor->pos, *const end = cursor->end;
	const struct step *last = s + count;
	bool bad = cursor->bad;

	for (; s < last; s++) {
		bool must_end = purpose != DECODE_AGAIN || s + 1 < last;
		struct cursor c = { pos, end, bad };
		uint64_t v;

		switch ((enum wire)s->wire) {
		case WIRE_KEY:
		case WIRE_LONG:
			v = cursor_varint(&c);
			break;
		case WIRE_INT:
			v = (uint64_t)(int64_t)(int32_t)cursor_varint(&c);
			break;
		case WIRE_SHORT:
			v = (uint64_t)(int64_t)(int16_t)cursor_varint(&c);
			break;
		case WIRE_CHAR:
			v = (uint16_t)cursor_varint(&c);
			break;
		case WIRE_BYTE:
			v = (uint64_t)(int64_t)(int8_t)cursor_u8(&c);
			break;
		case WIRE_BOOLEAN:
			v = cursor_u8(&c);
			/* Not one; as a varint it would go on. */
			if (v >= 0x80 && purpose != SKIP_LOOSELY)
				cursor_spoil(&c);
			v = v != 0;
			break;
		case WIRE_FLOAT:
			v = cursor_be32(&c);
			break;
		case WIRE_DOUBLE:
			v = cursor_be64(&c);
			break;
		case WIRE_STRING:
			v = (uint64_t)(uintptr_t)pos;
			if (must_end)
				string_skip(&c);
			break;
		case WIRE_ARRAY:
			v = (uint64_t)(uintptr_t)pos;
			if (must_end)
				c = after_array(s->element, c);
			break;
		case WIRE_NONE:
		default:
			__builtin_unreachable();
		}
		pos = c.pos;
		bad = c.bad;
		if (purpose < SKIP)
			*slots++ = v;
	}
	cursor->pos = pos;
	cursor->bad = bad;
	return !bad;
}

bool plan_decode(const struct plan *p, struct cursor *c, uint64_t *slots)
{
	return walk(p->steps, p->step_count, c, slots, DECODE);
}

bool plan_decode_some(const struct plan *p, unsigned first, unsigned end, struct cursor *c,
		      uint64_t *slots)
{
	return walk(p->steps + first, end - first, c, slots + first, DECODE);
}

void plan_decode_again(const struct plan *p, const uint8_t *value, const uint8_t *end,
		       uint64_t *slots)
{
	struct cursor c = { .pos = value, .end = end };

	walk(p->steps, p->step_count, &c, slots, DECODE_AGAIN);
}

bool plan_skip(const struct plan *p, struct cursor *c)
{
	return walk(p->steps, p->step_count, c, NULL, SKIP);
}

bool plan_skip_rest(const struct plan *p, unsigned count, struct cursor *c)
{
	return walk(p->steps + count, p->step_count - count, c, NULL, SKIP);
}

bool plan_skip_loosely(const struct plan *p, struct cursor *c)
{
	return walk(p->steps, p->step_count, c, NULL, SKIP_LOOSELY);
}
