/* SPDX-License-Identifier: MIT */
/*
 * star.c - the columns of SELECT *
 *
 * A struct becomes a column for each of its fields, one level deep, but only
 * the first one of each type: so the JDK has it.
 */
#include "query/star.h"

#include <stdio.h>
#include <string.h>

#define NO_MEMORY (-2)

/* Struct types that were unfolded already. */
struct unfolded {
	const struct jfrec_type *types[64];
	unsigned count;
};

static bool is_struct(const struct jfrec_type *event, const struct jfrec_field *f)
{
	struct jfrec_field one = *f;
	struct field found = { .event = event, .path = f->name, .last = &one };
	const struct jfrec_type *t = real_type(f->type);

	one.array = false;
	return t && t->wire == WIRE_NONE && t->field_count > 0 && !field_look(&found).sorts_as_text;
}

static bool is_first(struct unfolded *u, const struct jfrec_type *t)
{
	for (unsigned i = 0; i < u->count; i++) {
		if (u->types[i] == t)
			return false;
	}
	if (u->count < sizeof(u->types) / sizeof(*u->types))
		u->types[u->count++] = t;
	return true;
}

static const char *join(struct arena *a, const char *first, const char *between, const char *last)
{
	size_t size = strlen(first) + strlen(between) + strlen(last) + 1;
	char *text = arena_alloc(a, size);

	if (text)
		snprintf(text, size, "%s%s%s", first, between, last);
	return text;
}

static const char *label_of(struct arena *a, const struct jfrec_type *event, const char *path)
{
	struct field f;

	return field_find(event, path, &f) ? field_label(a, &f, NULL) : "";
}

/* Only what the JDK shows of a struct inside a struct: nothing. */
static int unfold(struct arena *a, const struct jfrec_type *event, const struct jfrec_field *f,
		  unsigned entry, star_column_fn *fn, void *ctx)
{
	const struct jfrec_type *t = real_type(f->type);
	const char *label = label_of(a, event, f->name);
	int ret = 0;

	for (unsigned i = 0; i < t->field_count && ret == 0; i++) {
		const char *path = join(a, f->name, ".", t->fields[i].name), *own;

		if (!path || !label)
			return NO_MEMORY;
		if (is_struct(event, &t->fields[i]))
			continue;
		own = label_of(a, event, path);
		own = own ? join(a, label, " : ", own) : NULL;
		ret = own ? fn(ctx, entry, path, own) : NO_MEMORY;
	}
	return ret;
}

int star_columns(struct arena *a, const struct jfrec_type *t, unsigned entry, star_column_fn *fn,
		 void *ctx)
{
	struct unfolded u = { 0 };
	int ret = 0;

	for (unsigned i = 0; i < t->field_count && ret == 0; i++) {
		const struct jfrec_field *f = &t->fields[i];

		if (f->array || !is_struct(t, f))
			ret = fn(ctx, entry, f->name, NULL);
		else if (is_first(&u, real_type(f->type)))
			ret = unfold(a, t, f, entry, fn, ctx);
	}
	return ret;
}
