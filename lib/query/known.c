/* SPDX-License-Identifier: MIT */
/*
 * known.c - threads, classes, methods and stack traces as objects
 */
#include "query/known.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "query/list.h"
#include "query/walk_path.h"
#include "read/code_name.h"

/* A struct as text ends here; those of other producers may be deep. */
#define MAX_STRUCT_TEXT 4096

static struct value intern(struct reading *r, const struct object *like)
{
	return value_of_object(objects_intern(&r->objects, like));
}

/* Threads, classes, class loaders, methods ----------------------------------------------------- */

static struct value thread_value(struct reading *r, const struct node *n, uint64_t key)
{
	struct object o = { .kind = OBJECT_THREAD, .key = key };
	int64_t java_id = node_number(n, "javaThreadId", -1);

	o.is_java = java_id > 0;
	o.id = o.is_java ? java_id : node_number(n, "osThreadId", -1);
	o.name = node_text(r, n, o.is_java ? "javaName" : "osName");
	return intern(r, &o);
}

static struct value group_value(struct reading *r, const struct node *n, uint64_t key)
{
	struct object o = { .kind = OBJECT_GROUP, .key = key };
	struct node parent = node_member(r, n, "parent");

	o.name = node_text(r, n, "name");
	o.detail = node_text(r, &parent, "name");
	return intern(r, &o);
}

static struct value loader_value(struct reading *r, const struct node *n, uint64_t key)
{
	struct object o = { .kind = OBJECT_LOADER, .key = key };
	struct node type = node_member(r, n, "type");

	o.name = node_text(r, &type, "name");
	o.detail = node_text(r, n, "name");
	return intern(r, &o);
}

static struct value class_value(struct reading *r, const struct node *n, uint64_t key)
{
	struct object o = { .kind = OBJECT_CLASS, .key = key };
	struct node loader = node_member(r, n, "classLoader");

	o.name = node_text(r, n, "name");
	o.detail = node_text(r, &loader, "name");
	return intern(r, &o);
}

/* The object that a member is; NULL if there is none. */
static const struct object *member_object(struct reading *r, const struct node *n, const char *name)
{
	const struct jfrec_field *f = node_field(n, name);
	struct value v = f ? value_of_field(r, f, node_slots(n, f)) : value_null();

	return v.kind == VALUE_OBJECT ? v.object : NULL;
}

/* Functions of native programs by what their symbols stand for. */
static struct text method_name(struct reading *r, const struct node *n)
{
	struct text name = node_text(r, n, "name");
	size_t len = name.len;
	const char *s = code_name(n->type->metadata, &r->scratch, name.s, &len);

	return s == name.s ? name : text_of(s, len);
}

static struct value method_value(struct reading *r, const struct node *n, uint64_t key)
{
	struct object o = { .kind = OBJECT_METHOD, .key = key };

	o.kin = member_object(r, n, "type");
	if (o.kin && o.kin->kind != OBJECT_CLASS)
		o.kin = NULL;
	o.name = method_name(r, n);
	o.detail = node_text(r, n, "descriptor");
	return intern(r, &o);
}

/* Frames and stack traces ---------------------------------------------------------------------- */

static bool is_java_frame(const struct node *frame)
{
	return node_number(frame, "javaFrame", 1) != 0;
}

/* A frame is its method.  NULL: it has none. */
static const struct object *frame_object(struct reading *r, const struct node *frame)
{
	const struct object *method = member_object(r, frame, "method");
	struct object o;

	if (!method || method->kind != OBJECT_METHOD || is_java_frame(frame))
		return method && method->kind == OBJECT_METHOD ? method : NULL;
	o = *method;
	o.is_opaque = true;
	return objects_intern(&r->objects, &o);
}

/* The field of a stack trace that has its frames, and its slot. */
static const struct jfrec_field *frames_of(const struct node *trace, uint64_t *slot)
{
	for (unsigned i = 0; trace->slots && i < trace->type->field_count; i++) {
		const struct jfrec_field *f = &trace->type->fields[i];

		if (f->array && f->type && strcmp(f->name, "frames") == 0) {
			*slot = *node_slots(trace, f);
			return f;
		}
	}
	return NULL;
}

static struct value trace_value(struct reading *r, const struct node *n, uint64_t key)
{
	struct object o = { .kind = OBJECT_TRACE, .key = key };
	const struct object **items = NULL;
	struct node_elements e;
	const struct jfrec_field *f;
	uint64_t slot;

	f = frames_of(n, &slot);
	if (f && node_elements(r, f, slot, &e)) {
		while (node_next(&e)) {
			void *more =
				list_more(&r->scratch, items, o.count, sizeof(struct object *));
			struct node frame;

			if (!more) {
				r->out_of_memory = true;
				break;
			}
			items = more;
			frame = node_element(r, &e);
			items[o.count++] = frame.slots ? frame_object(r, &frame) : NULL;
		}
	}
	o.items = items;
	return intern(r, &o);
}

static bool is_application(struct reading *r, const struct node *frame)
{
	struct value v = walk_path(r, frame, "method.type.classLoader");
	const struct text *name;

	if (v.kind != VALUE_OBJECT || v.object->kind != OBJECT_LOADER)
		return false;
	name = &v.object->detail;
	return !name->s || strcmp(name->s, "bootstrap") != 0;
}

static bool is_top(struct reading *r, const struct node *frame, enum top_frame which)
{
	const struct object *method;

	switch (which) {
	case TOP_APPLICATION_FRAME:
		return is_application(r, frame);
	case TOP_NOT_INIT_FRAME:
		method = frame_object(r, frame);
		return method && (!method->name.s || strcmp(method->name.s, "<init>") != 0);
	default:
		return is_java_frame(frame);
	}
}

struct value known_top_frame(struct reading *r, const struct node *trace, enum top_frame which,
			     const char *path)
{
	struct node_elements e;
	const struct jfrec_field *f;
	uint64_t slot;

	f = frames_of(trace, &slot);
	if (!f || !node_elements(r, f, slot, &e))
		return value_null();
	while (node_next(&e)) {
		struct node frame = node_element(r, &e);

		if (!frame.slots || !is_top(r, &frame, which))
			continue;
		return path ? walk_path(r, &frame, path) : value_of_object(frame_object(r, &frame));
	}
	return value_null();
}

/* Other structs, and arrays -------------------------------------------------------------------- */

static void put_value(struct buffer *b, const struct value *v)
{
	char number[32];
	struct text text;

	if (v->kind == VALUE_OBJECT && (text = object_as_text(v->object, false)).s) {
		buffer_put(b, text.s, text.len);
		return;
	}
	if (value_is_fractional(v))
		snprintf(number, sizeof(number), "%g", v->d);
	else if (v->kind == VALUE_BOOLEAN)
		snprintf(number, sizeof(number), "%s", v->i ? "true" : "false");
	else if (value_is_null(v) || v->kind == VALUE_OBJECT)
		snprintf(number, sizeof(number), "N/A");
	else
		snprintf(number, sizeof(number), "%lld", (long long)v->i);
	buffer_put(b, number, strlen(number));
}

static struct value finish_text(struct reading *r, struct buffer *b, const char *end)
{
	struct value v = value_null();

	buffer_put(b, end, strlen(end));
	if (b->failed)
		r->out_of_memory = true;
	else
		v = intern(r, &(struct object){ .kind = OBJECT_OTHER,
						.name = text_of((char *)b->data, b->len) });
	buffer_fini(b);
	return v;
}

static struct value struct_value(struct reading *r, const struct node *n)
{
	struct buffer b = { 0 };

	buffer_put(&b, "{", 1);
	for (unsigned i = 0; i < n->type->field_count && b.len < MAX_STRUCT_TEXT; i++) {
		const struct jfrec_field *f = &n->type->fields[i];
		struct value v;

		if (!f->type)
			continue;
		if (i)
			buffer_put(&b, ", ", 2);
		buffer_put(&b, f->name, strlen(f->name));
		buffer_put(&b, " = ", 3);
		v = value_of_field(r, f, node_slots(n, f));
		put_value(&b, &v);
	}
	return finish_text(r, &b, "}");
}

struct value known_array(struct reading *r, const struct jfrec_field *f, uint64_t slot)
{
	struct jfrec_field element = *f;
	struct buffer b = { 0 };
	struct node_elements e;

	element.array = false;
	if (!node_elements(r, f, slot, &e))
		return value_null();
	while (b.len < MAX_STRUCT_TEXT && node_next(&e)) {
		struct value v = value_of_field(r, &element, e.slots);

		if (b.len)
			buffer_put(&b, ", ", 2);
		put_value(&b, &v);
	}
	return finish_text(r, &b, "");
}

/* A constant that is a string or a number, on its own. */
static struct value primitive_value(struct reading *r, const struct node *n)
{
	struct text text;

	if (n->type->wire != WIRE_STRING)
		return value_of_slot(NULL, (enum wire)n->type->wire, &r->chunk->clock, n->slots[0]);
	text = node_string(r, n->type, false, n->slots[0]);
	return text.s ? value_of_object(objects_string(&r->objects, text.s, text.len))
		      : value_null();
}

struct value known_value(struct reading *r, const struct node *n, uint64_t key)
{
	const struct jfrec_type *t = n->type;

	switch ((enum known_type)t->known) {
	case KNOWN_THREAD:
		return thread_value(r, n, key);
	case KNOWN_CLASS:
		return class_value(r, n, key);
	case KNOWN_CLASS_LOADER:
		return loader_value(r, n, key);
	case KNOWN_METHOD:
		return method_value(r, n, key);
	case KNOWN_FRAME:
		return value_of_object(frame_object(r, n));
	case KNOWN_STACK_TRACE:
		return trace_value(r, n, key);
	default:
		break;
	}
	if (t->wire != WIRE_NONE)
		return primitive_value(r, n);
	if (strcmp(simple_name(t->name), "ThreadGroup") == 0)
		return group_value(r, n, key);
	/* What it stands for, in a pool of its own. */
	if (t->simple && t->field_count == 1 && t->fields[0].type)
		return value_of_field(r, &t->fields[0], n->slots);
	return struct_value(r, n);
}
