/* SPDX-License-Identifier: MIT */
/*
 * build.c - compile output templates, one per type and indentation
 */
#include <stdlib.h>

#include "base/array.h"
#include "print/templates.h"

/* A new way to store values, or type with a form of its own, must be thought of here. */
#pragma GCC diagnostic error "-Wswitch-enum"

void build_bytes(struct builder *b, const char *s, size_t len)
{
	if (!len)
		return;
	if (b->literal_len + len > b->literal_room) {
		size_t room = (b->literal_len + len) * 2 + 256;
		char *literal = realloc(b->literal, room);

		if (!literal) {
			b->shapes->out_of_memory = true;
			return;
		}
		b->literal = literal;
		b->literal_room = room;
	}
	memcpy(b->literal + b->literal_len, s, len);
	b->literal_len += len;
}

void build_text(struct builder *b, const char *s)
{
	build_bytes(b, s, strlen(s));
}

void build_indent(struct builder *b, unsigned n)
{
	for (; n; n--)
		build_bytes(b, " ", 1);
}

/* The literal so far, in the arena and padded to OUT_STEP. */
static const char *take_literal(struct builder *b, uint32_t *len)
{
	static const char empty[OUT_STEP] = "";
	char *copy = arena_zalloc(&b->shapes->arena, 1, b->literal_len + OUT_STEP);

	*len = 0;
	if (!copy) {
		b->shapes->out_of_memory = true;
		return empty;
	}
	if (b->literal_len)
		memcpy(copy, b->literal, b->literal_len);
	*len = (uint32_t)b->literal_len;
	b->literal_len = 0;
	return copy;
}

struct op *build_put(struct builder *b, put_fn *put, unsigned slot)
{
	static struct op dummy;
	struct op *op;

	if (!array_reserve(b->ops, b->op_count, b->op_room)) {
		b->shapes->out_of_memory = true;
		return &dummy;
	}
	op = &b->ops[b->op_count++];
	*op = (struct op){ .put = put, .slot = (uint16_t)slot };
	op->literal = take_literal(b, &op->literal_len);
	return op;
}

struct op *build_finish(struct builder *b)
{
	struct op *ops;

	build_put(b, NULL, 0);
	ops = arena_alloc(&b->shapes->arena, (b->op_count + 1) * sizeof(*ops));
	if (ops && b->op_count)
		memcpy(ops, b->ops, b->op_count * sizeof(*ops));
	if (!ops || !b->op_count)
		b->shapes->out_of_memory = true;
	free(b->ops);
	free(b->literal);
	return b->shapes->out_of_memory ? NULL : ops;
}

struct op *make_event_template(struct shapes *s, const struct jfrec_type *t)
{
	struct builder b = { .shapes = s, .format = s->format, .is_event = true };
	struct op *ops;

	render_lock(s->render);
	s->format->event(&b, t);
	ops = build_finish(&b);
	SHARED_SET(s->events[t->index], ops);
	render_unlock(s->render);
	return ops;
}

struct op *shapes_context(struct shapes *s, const struct jfrec_type *t)
{
	struct builder b = { .shapes = s, .format = s->format };

	render_lock(s->render);
	if (!s->contexts[t->index]) {
		s->format->context(&b, t);
		s->contexts[t->index] = build_finish(&b);
	}
	render_unlock(s->render);
	return s->contexts[t->index];
}

struct op *site_ops(struct shapes *shapes, const struct site *s)
{
	struct builder b = { .shapes = shapes, .format = s->format };
	struct site *own;

	render_lock(shapes->render);
	for (own = shapes->sites[s->type->index]; own != s;)
		own = own->next;
	if (!own->ops) {
		s->format->constant(&b, s);
		SHARED_SET(own->ops, build_finish(&b));
	}
	render_unlock(shapes->render);
	return own->ops;
}

static bool is_same_site(const struct site *a, const struct site *b)
{
	return a->indent == b->indent && a->render == b->render && a->format == b->format &&
	       path_equal(a->path, b->path);
}

static const struct site *find_site(struct shapes *shapes, const struct site *wanted)
{
	const struct site *s = SHARED_GET(shapes->sites[wanted->type->index]);

	while (s && !is_same_site(s, wanted))
		s = s->next;
	return s;
}

static const struct site *add_site(struct shapes *shapes, const struct site *wanted)
{
	static const struct site dummy;
	struct site *s = arena_alloc(&shapes->arena, sizeof(*s));

	if (!s) {
		shapes->out_of_memory = true;
		return &dummy;
	}
	*s = *wanted;
	s->plan = plan_of(s->type);
	s->index = shapes->site_count++;
	s->next = shapes->sites[s->type->index];
	SHARED_SET(shapes->sites[s->type->index], s);
	return s;
}

/* The site like this one, which is made if there is none. */
static const struct site *site_like(struct shapes *shapes, const struct site *wanted)
{
	const struct site *s = find_site(shapes, wanted);

	if (s)
		return s;
	render_lock(shapes->render);
	s = find_site(shapes, wanted);
	if (!s)
		s = add_site(shapes, wanted);
	render_unlock(shapes->render);
	return s;
}

const struct site *build_site(struct builder *b, const struct jfrec_type *t, unsigned indent,
			      site_fn *render)
{
	return site_like(b->shapes, &(struct site){ .type = t,
						    .format = b->format,
						    .indent = indent,
						    .render = render });
}

/* The site of the value at a path inside of constants of a type. */
static const struct site *path_site(struct builder *b, const struct jfrec_type *t, struct path path)
{
	struct path kept = path_copy(&b->shapes->arena, path);

	if (!kept.count)
		b->shapes->out_of_memory = true;
	return site_like(b->shapes, &(struct site){ .type = t,
						    .format = b->format,
						    .path = kept,
						    .render = render_constant_ops });
}

void build_path(struct builder *b, struct path path, unsigned slot, build_field_fn *build_last)
{
	const struct jfrec_field *f = path.fields[0];
	struct path rest = { path.fields + 1, path.count - 1 };

	slot += plan_of(f->owner)->first_step[f->index];
	if (rest.count == 0)
		build_last(b, f, slot);
	else if (f->constant)
		build_put(b, put_constant, slot)->site = path_site(b, f->type, rest);
	else
		build_path(b, rest, slot, build_last);
}

static put_fn *leaf_put(const struct leaves *l, enum wire wire, const struct jfrec_field *f)
{
	if (f && f->timespan)
		return l->timespan;
	if (f && f->timestamp)
		return l->timestamp;
	switch (wire) {
	case WIRE_BOOLEAN:
		return put_boolean;
	case WIRE_CHAR:
		return l->character;
	case WIRE_FLOAT:
		return l->float32;
	case WIRE_DOUBLE:
		return l->float64;
	case WIRE_STRING:
		return l->string;
	case WIRE_NONE:
	case WIRE_BYTE:
	case WIRE_SHORT:
	case WIRE_INT:
	case WIRE_LONG:
	case WIRE_KEY:
	case WIRE_ARRAY:
		break;
	}
	return f && f->is_unsigned ? put_unsigned : put_integer;
}

struct op *build_leaf(struct builder *b, const struct leaves *leaves, const struct jfrec_type *t,
		      const struct jfrec_field *f, unsigned slot)
{
	struct op *op = build_put(b, leaf_put(leaves, t->wire, f), slot);

	op->wire = t->wire;
	op->field = f;
	if (t->wire == WIRE_STRING)
		op->site = build_site(b, t, 0, render_constant_ops);
	return op;
}

void build_escaped(struct builder *b, const char *name, char *(*escape)(char *at, int32_t c))
{
	struct string s = { STRING_UTF8, (const uint8_t *)name, strlen(name), 0 };
	char escaped[32];
	int32_t c;

	while ((c = string_next(&s)) >= 0)
		build_bytes(b, escaped, (size_t)(escape(escaped, c) - escaped));
}

struct op *build_array(struct builder *b, put_fn *put, const struct jfrec_field *f, unsigned slot,
		       unsigned indent,
		       void (*element)(struct builder *b, const struct jfrec_field *f,
				       unsigned indent))
{
	struct builder inner = { .shapes = b->shapes, .format = b->format };
	struct op *op, *ops;

	element(&inner, f, indent);
	ops = build_finish(&inner);
	op = build_put(b, put, slot);
	op->field = f;
	op->indent = indent;
	op->element = plan_of_element(f);
	op->element_ops = ops;
	return op;
}
