/* SPDX-License-Identifier: MIT */
/*
 * object_text.c - how objects look in a cell, and Java's hash codes of them
 */
#include "query/objects.h"

#include <string.h>

#include "base/buffer.h"
#include "base/descriptor.h"

static void put(struct buffer *b, const char *s)
{
	buffer_put(b, s, strlen(s));
}

static void put_class(struct buffer *b, const char *s, size_t len)
{
	uint8_t *at = buffer_room(b, len);

	if (!at)
		return;
	put_dotted((char *)at, s, len);
	b->len += len;
}

static const char *put_descriptor(struct buffer *b, const char *s, bool simple)
{
	struct descriptor d;
	const char *end = descriptor_read(s, &d);

	if (simple)
		descriptor_simplify(&d);
	put_class(b, d.name, d.len);
	for (unsigned i = 0; i < d.dimensions; i++)
		put(b, "[]");
	return end;
}

/* A method's descriptor from its first parenthesis to its last. */
static void put_parameters(struct buffer *b, const char *descriptor)
{
	const char *end = descriptor ? strrchr(descriptor, ')') : NULL;
	const char *d = descriptor && *descriptor ? descriptor + 1 : end;

	put(b, "(");
	for (bool first = true; end && d < end; first = false) {
		if (!first)
			put(b, ", ");
		d = put_descriptor(b, d, true);
	}
	put(b, ")");
}

static void put_method_name(struct buffer *b, const struct object *o)
{
	if (o->kin && o->kin->name.s) {
		put_class(b, o->kin->name.s, o->kin->name.len);
		put(b, ".");
	}
	put(b, o->name.s ? o->name.s : "null");
}

static bool keep(struct arena *a, struct buffer *b, struct text *t)
{
	const char *s = b->failed ? NULL : arena_strndup(a, (const char *)b->data, b->len);

	if (s)
		*t = text_of(s, b->len);
	buffer_clear(b);
	return s != NULL;
}

static bool make_method(struct arena *a, struct object *o)
{
	struct buffer b = { 0 };
	bool has_parameters, ok;

	if (o->is_opaque) {
		o->text = o->brief = text_of("<unknown>", 9);
		return true;
	}
	put_method_name(&b, o);
	put_parameters(&b, o->detail.s);
	ok = keep(a, &b, &o->text);
	has_parameters = ok && o->text.len > 1 && o->text.s[o->text.len - 2] != '(';
	put_method_name(&b, o);
	put(&b, has_parameters ? "(...)" : "()");
	ok = ok && keep(a, &b, &o->brief);
	buffer_fini(&b);
	return ok;
}

/* What follows the last dot. */
static struct text simple(const struct text *t)
{
	const char *dot = t->len ? memrchr(t->s, '.', t->len) : NULL;

	return dot ? text_of(dot + 1, t->len - (size_t)(dot + 1 - t->s)) : *t;
}

static bool make_class(struct arena *a, struct object *o)
{
	struct buffer b = { 0 };
	bool ok;

	if (!o->name.s) {
		o->text = o->brief = text_of("null", 4);
		return true;
	}
	if (o->name.s[0] == '[')
		put_descriptor(&b, o->name.s, false);
	else
		put_class(&b, o->name.s, o->name.len);
	ok = keep(a, &b, &o->text);
	buffer_fini(&b);
	if (!ok)
		return false;
	o->brief = simple(&o->text);
	return true;
}

static bool make_loader(struct arena *a, struct object *o)
{
	struct buffer b = { 0 };
	bool ok = true;

	if (o->name.s) {
		put_class(&b, o->name.s, o->name.len);
		ok = keep(a, &b, &o->text);
	}
	o->brief = simple(&o->text);
	buffer_fini(&b);
	return ok;
}

/* Line ends and tabs would tear a table. */
static bool make_line(struct arena *a, struct object *o)
{
	char *s;

	o->text = o->name;
	if (o->name.len && strcspn(o->name.s, "\n\r\t") < o->name.len) {
		s = arena_strndup(a, o->name.s, o->name.len);
		if (!s)
			return false;
		for (uint32_t i = 0; i < o->name.len; i++)
			s[i] = s[i] == '\n' || s[i] == '\r' || s[i] == '\t' ? ' ' : s[i];
		o->text.s = s;
	}
	o->brief = o->text;
	return true;
}

/* The frames may be shown one by one. */
static bool make_trace(struct object *o)
{
	for (size_t i = 0; i < o->count; i++) {
		if (o->items[i])
			object_as_text(o->items[i], false);
	}
	if (o->count && o->items[0]) {
		o->text = o->items[0]->text;
		o->brief = o->items[0]->brief;
	}
	return true;
}

static bool make_text(struct arena *a, struct object *o)
{
	o->text = o->brief = (struct text){ 0 };
	switch ((enum object_kind)o->kind) {
	case OBJECT_CLASS:
		return make_class(a, o);
	case OBJECT_LOADER:
		return make_loader(a, o);
	case OBJECT_METHOD:
		return make_method(a, o);
	case OBJECT_TRACE:
		return make_trace(o);
	case OBJECT_STRING:
		return make_line(a, o);
	case OBJECT_THREAD:
	case OBJECT_GROUP:
	case OBJECT_OTHER:
		o->text = o->brief = o->name;
		return true;
	}
	return true;
}

struct text object_as_text(const struct object *o, bool brief)
{
	struct object *own = (struct object *)(uintptr_t)o;

	if (!o->has_text) {
		if (!make_text(&o->home->arena, own))
			o->home->out_of_memory = true;
		own->has_text = true;
	}
	return brief ? o->brief : o->text;
}

/* Java's hash codes ---------------------------------------------------------------------------- */

static uint32_t long_hash(uint64_t v)
{
	return (uint32_t)(v ^ v >> 32);
}

static uint32_t name_hash(const struct text *t)
{
	return t->s ? (uint32_t)text_java_hash(t->s, t->len) : 0;
}

/* The name, a colon, and the parent's name. */
static uint32_t group_hash(const struct object *o)
{
	static const struct text null = { "null", 4, 4 };
	const struct text *parts[] = { o->name.s ? &o->name : &null,
				       o->detail.s ? &o->detail : &null };
	uint32_t h = name_hash(parts[0]) * 31 + ':';

	for (uint32_t i = 0; i < parts[1]->units; i++)
		h *= 31;
	return h + name_hash(parts[1]);
}

static uint32_t trace_hash(const struct object *o)
{
	uint32_t h = 1;

	for (size_t i = 0; i < o->count; i++)
		h = 31 * h + (o->items[i] ? (uint32_t)object_hash(o->items[i]->identity) : 0);
	return h;
}

static int32_t java_hash(const struct object *o)
{
	uint32_t h;

	switch ((enum object_kind)o->kind) {
	case OBJECT_THREAD:
	case OBJECT_CLASS:
	case OBJECT_LOADER:
		return (int32_t)long_hash(o->key);
	case OBJECT_GROUP:
		return (int32_t)group_hash(o);
	case OBJECT_METHOD:
		h = 31 + (o->kin ? long_hash(o->kin->identity->key) : 0);
		h = 32 * h + name_hash(&o->name);
		return (int32_t)(32 * h + name_hash(&o->detail));
	case OBJECT_TRACE:
		return (int32_t)trace_hash(o);
	default:
		return (int32_t)name_hash(&o->name);
	}
}

int32_t object_hash(const struct object *o)
{
	struct object *own = (struct object *)(uintptr_t)o;

	if (!o->has_hash) {
		own->hash = java_hash(o);
		own->has_hash = true;
	}
	return o->hash;
}
