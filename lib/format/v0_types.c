/* SPDX-License-Identifier: MIT */
/*
 * v0_types.c - what a chunk of version 0.x declares: events, values, constants
 */
#include "format/v0_types.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"

/* Real ones have structures in structures, and no more; and some dozen values. */
#define MAX_NESTING 16
#define MAX_LEAVES  4096u

/* The least bytes of what is declared: believe no count that has not so many. */
#define LEAST_PRODUCER	26u
#define LEAST_VALUE	20u
#define LEAST_EVENT	22u
#define LEAST_CONTENT	13u
#define LEAST_TEXT	2u
#define LEAST_STRUCTURE 4u

struct parser {
	struct v0_types *t;
	struct cursor c;
	const uint8_t *start;
	struct jfrec_error *err;
};

static int fail(struct parser *p, const char *fault)
{
	return jfrec_fail(p->err, JFREC_EFORMAT, (uint64_t)(p->c.pos - p->start), "%s", fault);
}

bool v0_text_is(struct v0_text t, const char *s)
{
	return t.len == strlen(s) && memcmp(t.bytes, s, t.len) == 0;
}

/* Values --------------------------------------------------------------------------------------- */

unsigned v0_width(uint8_t kind)
{
	static const uint8_t widths[V0_KINDS] = {
		[V0_BOOLEAN] = 1, [V0_BYTE] = 1,  [V0_U1] = 1,	   [V0_SHORT] = 2,
		[V0_U2] = 2,	  [V0_INT] = 4,	  [V0_U4] = 4,	   [V0_LONG] = 8,
		[V0_U8] = 8,	  [V0_FLOAT] = 4, [V0_DOUBLE] = 8,
	};

	return kind < V0_KINDS ? widths[kind] : 0;
}

struct v0_text v0_read_text(struct cursor *c)
{
	const uint8_t *len = cursor_take(c, 2);
	struct v0_text t = { .bytes = (const uint8_t *)"", .len = len ? be16(len) : 0 };
	const uint8_t *bytes = cursor_take(c, t.len);

	return bytes ? (struct v0_text){ bytes, t.len } : (struct v0_text){ .bytes = t.bytes };
}

uint64_t v0_read_key(struct cursor *c, uint8_t kind)
{
	unsigned width = v0_width(kind);
	const uint8_t *p = cursor_take(c, width);
	uint64_t v = 0;

	for (unsigned i = 0; p && i < width; i++)
		v = v << 8 | p[i];
	return v;
}

int64_t v0_read_number(struct cursor *c, uint8_t kind)
{
	uint64_t v = v0_read_key(c, kind);

	switch (kind) {
	case V0_BYTE:
		return (int8_t)v;
	case V0_SHORT:
		return (int16_t)v;
	case V0_INT:
		return (int32_t)v;
	default:
		return (int64_t)v;
	}
}

uint32_t v0_read_count(struct cursor *c, uint64_t least)
{
	uint32_t n = cursor_be32(c);

	/* What takes no bytes could come billions of times. */
	if (n && (least == 0 || n > cursor_left(c) / least)) {
		cursor_spoil(c);
		return 0;
	}
	return n;
}

static void skip_elements(struct cursor *c, uint8_t kind, uint32_t count)
{
	if (v0_width(kind)) {
		cursor_take(c, (uint64_t)count * v0_width(kind));
		return;
	}
	for (; count && !c->bad; count--) {
		if (kind == V0_UTF)
			v0_read_text(c);
		else
			cursor_take(c, 2 * (uint64_t)v0_read_count(c, 2));
	}
}

void v0_skip(struct cursor *c, const struct v0_value *v)
{
	uint32_t count;

	switch (v->kind) {
	case V0_ARRAY:
		count = v0_read_count(c, 1);
		skip_elements(c, v->element, count);
		break;
	case V0_STRUCT:
		v0_skip_all(c, v->structure);
		break;
	case V0_STRUCTS:
		count = v0_read_count(c, v->structure->least);
		for (; count && !c->bad; count--)
			v0_skip_all(c, v->structure);
		break;
	default:
		skip_elements(c, v->kind, 1);
	}
}

void v0_skip_all(struct cursor *c, const struct v0_structure *s)
{
	for (uint32_t i = 0; i < s->count; i++)
		v0_skip(c, &s->values[i]);
}

int v0_value_named(const struct v0_structure *s, const char *id)
{
	for (uint32_t i = 0; i < s->count; i++) {
		if (v0_text_is(s->values[i].id, id))
			return (int)i;
	}
	return -1;
}

/* Declarations --------------------------------------------------------------------------------- */

/* In 2.x these are fields of another type than the class. */
static bool names_loader(struct v0_text id)
{
	return v0_text_is(id, "definingClassLoader") || v0_text_is(id, "initiatingClassLoader") ||
	       v0_text_is(id, "classLoader") || v0_text_is(id, "anonymousClassLoader");
}

static int parse_value(struct parser *p, struct v0_value *v)
{
	v->id = v0_read_text(&p->c);
	v->label = v0_read_text(&p->c);
	v->description = v0_read_text(&p->c);
	v->is_from = cursor_u8(&p->c) == 1;
	v->kind = cursor_u8(&p->c);
	v->content = cursor_be32(&p->c);
	v->aux = cursor_be32(&p->c);
	cursor_be32(&p->c);
	v->times = 1;
	v->is_loader = names_loader(v->id);
	if (v->kind >= V0_KINDS)
		return fail(p, "declares a value of an unknown kind");
	if (v->kind == V0_ARRAY && v->aux >= V0_ARRAY)
		return fail(p, "declares an array of arrays");
	v->element = v->kind == V0_ARRAY ? (uint8_t)v->aux : v->kind;
	return 0;
}

static int parse_structure(struct parser *p, struct v0_structure *s)
{
	s->count = v0_read_count(&p->c, LEAST_VALUE);
	s->values = arena_zalloc(&p->t->arena, (size_t)s->count + 1, sizeof(*s->values));
	if (!s->values)
		return jfrec_fail_memory(p->err);
	for (uint32_t i = 0; i < s->count; i++) {
		if (parse_value(p, &s->values[i]) < 0)
			return -1;
	}
	return 0;
}

/* All structures of a producer; *first is the first one's index, *count their number. */
static int parse_structures(struct parser *p, uint32_t producer, uint32_t *first, uint32_t *count)
{
	struct v0_types *t = p->t;
	struct v0_structure *s;

	*first = t->structure_count;
	*count = v0_read_count(&p->c, LEAST_STRUCTURE);
	s = arena_zalloc(&t->arena, (size_t)*count + 1, sizeof(*s));
	if (!s)
		return jfrec_fail_memory(p->err);
	for (uint32_t i = 0; i < *count; i++, s++) {
		s->producer = producer;
		s->index = i;
		if (parse_structure(p, s) < 0)
			return -1;
		if (!array_push(t->structures, t->structure_count, t->structure_room, s))
			return jfrec_fail_memory(p->err);
	}
	return 0;
}

enum { UNSEEN, BUSY, DONE };

static uint32_t least_of(const struct v0_value *v)
{
	if (v->kind == V0_STRUCT)
		return v->structure->least;
	if (v->kind == V0_UTF)
		return 2;
	return v0_width(v->kind) ? v0_width(v->kind) : 4;
}

/* Its inner structures, which may be declared after it; first, count: the producer's. */
static int resolve(struct parser *p, struct v0_structure *s, uint32_t first, uint32_t count,
		   int depth)
{
	if (s->state == DONE)
		return 0;
	if (s->state == BUSY || depth > MAX_NESTING)
		return fail(p, "declares structures within themselves");
	s->state = BUSY;
	for (uint32_t i = 0; i < s->count; i++) {
		struct v0_value *v = &s->values[i];

		if (v->kind == V0_STRUCT || v->kind == V0_STRUCTS) {
			struct v0_structure *inner;

			if (v->aux >= count)
				return fail(p, "refers to a structure that it does not declare");
			inner = p->t->structures[first + v->aux];
			if (resolve(p, inner, first, count, depth + 1) < 0)
				return -1;
			/* What takes no bytes could be there without end. */
			if (inner->least == 0)
				return fail(p, "declares a structure of nothing within another");
			v->structure = inner;
			s->leaves += inner->leaves;
		}
		s->leaves++;
		if (s->leaves > MAX_LEAVES)
			return fail(p, "declares a structure of more values than any has");
		s->least += least_of(v);
	}
	s->state = DONE;
	return 0;
}

/* HotSpot 8 gives kilobytes here, where it says bytes. */
static void mend_unit(const struct v0_event *e, struct v0_structure *s)
{
	int i = v0_value_named(s, "unallocatedCapacity");

	if (i >= 0 && v0_text_is(e->path, "vm/code_cache/stats") &&
	    s->values[i].content == V0_BYTES)
		s->values[i].times = 1024;
}

static int parse_event(struct parser *p, struct v0_event *e, struct v0_text uri, uint32_t first,
		       uint32_t count)
{
	uint32_t structure;

	e->id = cursor_be32(&p->c);
	e->label = v0_read_text(&p->c);
	e->description = v0_read_text(&p->c);
	e->path = v0_read_text(&p->c);
	e->uri = uri;
	e->has_start = cursor_u8(&p->c);
	e->has_thread = cursor_u8(&p->c);
	e->has_stack = cursor_u8(&p->c);
	e->is_requestable = cursor_u8(&p->c);
	structure = cursor_be32(&p->c);
	cursor_be32(&p->c);
	if (p->c.bad)
		return fail(p, "ends among its events");
	if (structure >= count)
		return fail(p, "refers to a structure that it does not declare");
	e->structure = p->t->structures[first + structure];
	mend_unit(e, p->t->structures[first + structure]);
	return 0;
}

static uint8_t role_of(struct v0_text name)
{
	static const struct {
		const char *name;
		enum v0_role role;
	} roles[] = {
		{ "Thread", V0_THREAD },     { "JavaThread", V0_JAVATHREAD },
		{ "VMThread", V0_VMTHREAD }, { "ThreadGroup", V0_GROUP },
		{ "StackTrace", V0_STACK },  { "Class", V0_CLASS },
		{ "Method", V0_METHOD },     { "UTFConstant", V0_SYMBOL },
	};

	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++) {
		if (v0_text_is(name, roles[i].name))
			return (uint8_t)roles[i].role;
	}
	return V0_OTHER;
}

static int parse_content(struct parser *p, struct v0_content *k, uint32_t first, uint32_t count)
{
	uint32_t structure;

	k->id = cursor_be32(&p->c);
	k->name = v0_read_text(&p->c);
	v0_read_text(&p->c);
	k->key = cursor_u8(&p->c);
	structure = cursor_be32(&p->c);
	if (p->c.bad)
		return fail(p, "ends among its kinds of constants");
	if (structure >= count || v0_width(k->key) == 0)
		return fail(p, "declares constants that cannot be");
	k->structure = p->t->structures[first + structure];
	k->role = role_of(k->name);
	return 0;
}

static int parse_producer(struct parser *p, uint32_t producer)
{
	struct v0_types *t = p->t;
	uint32_t first, structures, n;
	struct v0_text uri;

	cursor_be32(&p->c);
	v0_read_text(&p->c);
	v0_read_text(&p->c);
	uri = v0_read_text(&p->c);
	for (n = v0_read_count(&p->c, LEAST_TEXT); n; n--)
		v0_read_text(&p->c);
	if (parse_structures(p, producer, &first, &structures) < 0)
		return -1;
	for (uint32_t i = 0; i < structures; i++) {
		if (resolve(p, t->structures[first + i], first, structures, 0) < 0)
			return -1;
	}
	for (n = v0_read_count(&p->c, LEAST_EVENT); n; n--) {
		struct v0_event e = { .index = t->event_count };

		if (parse_event(p, &e, uri, first, structures) < 0)
			return -1;
		if (!array_push(t->events, t->event_count, t->event_room, e))
			return jfrec_fail_memory(p->err);
	}
	for (n = v0_read_count(&p->c, LEAST_CONTENT); n; n--) {
		struct v0_content k = { .index = t->content_count };

		if (parse_content(p, &k, first, structures) < 0)
			return -1;
		if (!array_push(t->contents, t->content_count, t->content_room, k))
			return jfrec_fail_memory(p->err);
	}
	return p->c.bad ? fail(p, "ends among its producers") : 0;
}

static bool is_unit(uint32_t content)
{
	return content <= V0_ADDRESS || content == V0_FRACTION;
}

/* What the values' contents are, now that all are declared. */
static int find_pools(struct parser *p)
{
	struct v0_types *t = p->t;

	for (uint32_t i = 0; i < t->event_count; i++) {
		if (!idmap_put(&t->event_by_id, t->events[i].id, i))
			return jfrec_fail_memory(p->err);
	}
	for (uint32_t i = 0; i < t->content_count; i++) {
		if (!idmap_put(&t->content_by_id, t->contents[i].id, i))
			return jfrec_fail_memory(p->err);
	}
	for (uint32_t i = 0; i < t->structure_count; i++) {
		struct v0_structure *s = t->structures[i];

		for (uint32_t k = 0; k < s->count; k++) {
			struct v0_value *v = &s->values[k];

			if (is_unit(v->content))
				v->unit = (uint8_t)v->content;
			else if (v0_width(v->element) && v->element != V0_BOOLEAN)
				v->pool = v0_content_of(t, v->content);
		}
	}
	t->threads = v0_content_of(t, V0_THREADS_ID);
	t->stacks = v0_content_of(t, V0_STACKS_ID);
	return 0;
}

static int parse(struct parser *p)
{
	struct v0_types *t = p->t;
	uint32_t size = cursor_be32(&p->c), producers;

	if (size != cursor_left(&p->c) + 4 || cursor_be32(&p->c) != 0)
		return fail(p, "is not a metadata event");
	producers = v0_read_count(&p->c, LEAST_PRODUCER);
	for (uint32_t i = 0; i < producers; i++) {
		if (parse_producer(p, i) < 0)
			return -1;
	}
	t->start_ms = (int64_t)cursor_be64(&p->c);
	t->end_ms = (int64_t)cursor_be64(&p->c);
	t->start_ticks = (int64_t)cursor_be64(&p->c);
	t->ticks_per_second = (int64_t)cursor_be64(&p->c);
	cursor_be64(&p->c);
	if (p->c.bad)
		return fail(p, "ends too early");
	/* async-profiler's has neither. */
	if (cursor_left(&p->c)) {
		t->locale = v0_read_text(&p->c);
		t->gmt_offset_ms = (int32_t)cursor_be32(&p->c);
	}
	return find_pools(p);
}

int v0_types_init(struct v0_types *t, const uint8_t *event, uint64_t size, struct jfrec_error *err)
{
	struct parser p = { .t = t, .c = cursor_over(event, size), .start = event, .err = err };

	*t = (struct v0_types){ .locale.bytes = (const uint8_t *)"" };
	if (parse(&p) == 0)
		return 0;
	v0_types_fini(t);
	return -1;
}

void v0_types_fini(struct v0_types *t)
{
	arena_fini(&t->arena);
	idmap_fini(&t->event_by_id);
	idmap_fini(&t->content_by_id);
	free(t->structures);
	free(t->events);
	free(t->contents);
	*t = (struct v0_types){ 0 };
}

const struct v0_event *v0_event_of(const struct v0_types *t, uint32_t id)
{
	uint32_t i = idmap_get(&t->event_by_id, id);

	return i == IDMAP_NONE ? NULL : &t->events[i];
}

const struct v0_content *v0_content_of(const struct v0_types *t, uint32_t id)
{
	uint32_t i = idmap_get(&t->content_by_id, id);

	return i == IDMAP_NONE ? NULL : &t->contents[i];
}
