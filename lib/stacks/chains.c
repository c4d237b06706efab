/* SPDX-License-Identifier: MIT */
/*
 * chains.c - what keeps an object alive: from a root of the collector to the object
 */
#include "stacks/chains.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Java's modifier for static. */
#define STATIC 8

static const struct jfrec_type *type_of(const struct jfrec_type *t, const char *field)
{
	const struct jfrec_field *f = t ? object_field(t, field) : NULL;

	return f ? f->type : NULL;
}

/* The name of an object's class, in the scratch; "" if there is none. */
static const char *class_name(struct traces *t, struct object object)
{
	const struct jfrec_type *type = type_of(object.type, "type");
	uint64_t key;
	struct object class;
	const char *symbol;
	size_t len = 0;

	if (!type || !object_key(object, "type", &key))
		return "";
	class = object_constant(&t->objects, type, key);
	symbol = object_text(&t->objects, class, "name", &len);
	symbol = symbol ? frame_class_name(&t->naming, symbol, len, &t->objects.scratch, &len)
			: NULL;
	return symbol ? symbol : "";
}

/* "Size: 18677": how many elements a collection has; -1. */
static int64_t size_of(struct traces *t, struct object object)
{
	const char *description = object_text(&t->objects, object, "description", NULL);
	const char *size = description ? strstr(description, "Size: ") : NULL;

	return size ? strtoll(size + strlen("Size: "), NULL, 10) : -1;
}

/* Of a java.lang.Class: "Class Name: acme.web.Sessions"; NULL. */
static const char *described_class(struct traces *t, struct object object)
{
	const char *description = object_text(&t->objects, object, "description", NULL);
	const char *name = description ? strstr(description, "Class Name: ") : NULL;

	return name ? name + strlen("Class Name: ") : NULL;
}

static uint32_t frame_of(struct traces *t, const char *a, const char *between, const char *b,
			 const char *behind)
{
	char text[1024];

	snprintf(text, sizeof(text), "%s%s%s%s", a, between, b, behind);
	return traces_text_frame(t, text, FRAME_NOTE);
}

/* The reference from an object; *is_static: by a static field. */
static uint32_t reference_frame(struct traces *t, struct object reference, struct object from,
				bool *is_static)
{
	struct object field = object_member(&t->objects, reference, "field");
	const char *name = object_text(&t->objects, field, "name", NULL);
	const char *class = class_name(t, from), *described = described_class(t, from);

	*is_static = described && name && (object_number(field, "modifiers", 0) & STATIC);
	if (described && name)
		return frame_of(t, described, ".", name, *is_static ? " (static)" : "");
	if (name)
		return frame_of(t, class, ".", name, "");
	return frame_of(t, "element of ", "", class, "");
}

static uint32_t class_frame(struct traces *t, struct object object)
{
	const char *name = class_name(t, object);

	return *name ? traces_text_frame(t, name, FRAME_CLASS) : FRAME_NONE;
}

/* "Thread Local: main", "Class Loader Data". */
static uint32_t root_frame(struct traces *t, const struct jfrec_type *type, uint64_t key)
{
	struct object root = type ? object_constant(&t->objects, type, key) : (struct object){ 0 };
	const char *system = object_text(&t->objects, root, "system", NULL);
	const char *description = object_text(&t->objects, root, "description", NULL);

	if (!system || !*system)
		system = "[root]";
	return description && *description ? frame_of(t, system, ": ", description, "")
					   : frame_of(t, system, "", "", "");
}

static void reverse(struct holder *list, uint32_t n)
{
	for (uint32_t i = 0; i < n / 2; i++) {
		struct holder one = list[i];

		list[i] = list[n - 1 - i];
		list[n - 1 - i] = one;
	}
}

/* The key of the object that a reference is from; false: there is none of that type. */
static bool from_key(struct traces *t, struct object reference, uint64_t *key)
{
	struct object from = object_member(&t->objects, reference, "object");

	return from.slots && from.type == t->object_type && object_key(reference, "object", key);
}

static struct referrer find_referrer(struct traces *t, uint64_t key)
{
	const struct jfrec_type *reference_type = type_of(t->object_type, "referrer");
	struct object held = object_constant(&t->objects, t->object_type, key), reference;
	struct referrer r = { .class = FRAME_NONE };
	uint64_t referrer;

	if (!reference_type || !held.slots || !object_key(held, "referrer", &referrer) || !referrer)
		return r;
	reference = object_constant(&t->objects, reference_type, referrer);
	r.has_any = from_key(t, reference, &r.from);
	if (!r.has_any)
		return r;
	r.class = class_frame(t, held);
	r.size = size_of(t, held);
	r.frame = reference_frame(t, reference, object_member(&t->objects, reference, "object"),
				  &r.is_static);
	return r;
}

/* The same, remembered: samples share most of their chains. NULL when memory is gone. */
static const struct referrer *referrer_of(struct traces *t, uint64_t key)
{
	uint32_t *place = idmap_put(&t->by_object, key, t->referrer_count);

	if (!place) {
		t->is_out_of_memory = true;
		return NULL;
	}
	if (*place == t->referrer_count &&
	    !array_push(t->referrers, t->referrer_count, t->referrer_room, find_referrer(t, key))) {
		t->is_out_of_memory = true;
		return NULL;
	}
	return &t->referrers[*place];
}

static void begin_type(struct traces *t, const struct jfrec_type *object_type)
{
	idmap_fini(&t->by_object);
	t->referrer_count = 0;
	t->object_type = object_type;
}

uint32_t chain_get(struct traces *t, const struct jfrec_type *object_type, uint64_t object,
		   const struct jfrec_type *root_type, uint64_t root, struct holder *to)
{
	const struct referrer *r;
	bool is_static = false;
	struct object held;
	uint32_t n = 0;

	if (t->object_type != object_type)
		begin_type(t, object_type);
	while (!is_static && n < CHAIN_MAX - 1 && (r = referrer_of(t, object)) != NULL &&
	       r->has_any) {
		to[n++] = (struct holder){ r->frame, r->class, r->size };
		is_static = r->is_static;
		object = r->from;
	}
	if (n && !is_static) {
		held = object_constant(&t->objects, object_type, object);
		to[n].class = class_frame(t, held);
		to[n].size = size_of(t, held);
		to[n++].frame = root_frame(t, root_type, root);
	}
	arena_recycle(&t->objects.scratch);
	reverse(to, n);
	return n;
}
