/* SPDX-License-Identifier: MIT */
/*
 * suggest.c - what the JDK says about names of types and fields that are not there
 *
 * A name in lower case is compared with the others as they are: a difference
 * of case only is found where that makes few characters.
 */
#include "query/suggest.h"

#include <ctype.h>
#include <string.h>

#include "base/buffer.h"
#include "base/near.h"

static char lower(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

/* Is the shorter one the longer one without a character? */
static bool is_one_less(const char *shorter, bool fold_shorter, const char *longer,
			bool fold_longer)
{
	unsigned skipped = 0;

	for (; *longer; longer++) {
		char c = fold_longer ? lower(*longer) : *longer;
		char d = fold_shorter ? lower(*shorter) : *shorter;

		if (*shorter && c == d)
			shorter++;
		else if (++skipped > 1)
			return false;
	}
	return !*shorter;
}

static bool is_near(const char *name, const char *other)
{
	size_t len = strlen(name), other_len = strlen(other), different = 0;

	if (len == other_len) {
		for (size_t i = 0; i < len; i++)
			different += lower(name[i]) != other[i];
		return different < (len < 6 ? 2 : 3);
	}
	if (len + 1 == other_len)
		return is_one_less(name, true, other, false);
	return other_len + 1 == len && is_one_less(other, false, name, true);
}

static void put(struct buffer *b, const char *s)
{
	buffer_put(b, s, strlen(s));
}

static const char *finish(struct arena *a, struct buffer *b)
{
	const char *text = b->failed ? NULL : arena_strndup(a, (const char *)b->data, b->len);

	buffer_fini(b);
	return text;
}

const char *suggest_type(struct arena *a, const struct schema *s, unsigned count, const char *name)
{
	struct buffer b = { 0 };
	const char *meant = NULL;

	for (unsigned i = 0; i < count && !meant; i++) {
		if (is_near(name, simple_name(s->types[i]->name)))
			meant = simple_name(s->types[i]->name);
	}
	put(&b, "Can't find event type named '");
	put(&b, name);
	put(&b, meant ? "'. Did you mean '" : "'. 'SHOW EVENTS' will list available event types.");
	if (meant) {
		put(&b, meant);
		put(&b, "'?");
	}
	return finish(a, &b);
}

/* field, Type.field and pkg.Type.field are alternatives. */
static bool offer(struct buffer *to, const char *name, const struct jfrec_type *t,
		  const char *field)
{
	const char *before[] = { NULL, t->name, simple_name(t->name) };

	for (int i = 0; i < 3; i++) {
		buffer_clear(to);
		if (before[i]) {
			put(to, before[i]);
			put(to, ".");
		}
		put(to, field);
		buffer_u8(to, 0);
		if (!to->failed && is_near(name, (const char *)to->data))
			return true;
	}
	return false;
}

/* The nearest field, left in the buffer with its NUL. */
static bool find_near(struct buffer *to, const struct schema *s, const struct resolved *r,
		      const char *name)
{
	for (unsigned i = 0; i < r->entry_count; i++) {
		const struct jfrec_type *t = s->types[r->entries[i].type];

		for (unsigned k = 0; k < t->field_count; k++) {
			if (offer(to, name, t, t->fields[k].name))
				return true;
		}
	}
	return false;
}

const char *suggest_field(struct arena *a, const struct schema *s, const struct resolved *r,
			  const char *name)
{
	struct buffer b = { 0 }, near = { 0 };

	put(&b, "Can't find field named '");
	put(&b, name);
	put(&b, "' in ");
	for (unsigned i = 0; i < r->entry_count; i++) {
		put(&b, i ? ", " : "");
		put(&b, s->types[r->entries[i].type]->name);
	}
	put(&b, ".\n");
	if (find_near(&near, s, r, name)) {
		put(&b, "Did you mean '");
		put(&b, (const char *)near.data);
		put(&b, "'?");
	} else {
		put(&b, "Use 'SHOW FIELDS ");
		put(&b, r->entry_count ? simple_name(s->types[r->entries[0].type]->name) : "");
		put(&b, "' to list available fields.");
	}
	buffer_fini(&near);
	return finish(a, &b);
}

const char *suggest_type_nearby(struct arena *a, const struct schema *s, unsigned count,
				const char *name)
{
	struct near near = { .name = name };
	struct buffer b = { 0 };
	char list[NEAR_LIST_MAX];

	for (unsigned i = 0; i < count; i++)
		near_offer(&near, simple_name(s->types[i]->name));
	put(&b, "No event type is called ");
	put(&b, name);
	put(&b, near_list(&near, list));
	return finish(a, &b);
}

/* A type without the field, if another one of FROM has it. */
static const struct jfrec_type *first_without(const struct schema *s, const struct resolved *r,
					      const char *name)
{
	const struct jfrec_type *without = NULL;
	unsigned have = 0;
	struct field f;

	for (unsigned i = 0; i < r->entry_count; i++) {
		const struct jfrec_type *t = s->types[r->entries[i].type];

		if (field_find(t, name, &f))
			have++;
		else if (!without)
			without = t;
	}
	return have ? without : NULL;
}

const char *suggest_field_nearby(struct arena *a, const struct schema *s, const struct resolved *r,
				 const char *name)
{
	const struct jfrec_type *without = first_without(s, r, name);
	struct near near = { .name = name };
	struct buffer b = { 0 };
	char list[NEAR_LIST_MAX];

	if (without) {
		put(&b, without->name);
		put(&b, " has no field ");
		put(&b, name);
		put(&b, ", by which all event types of FROM are grouped");
		return finish(a, &b);
	}
	for (unsigned i = 0; i < r->entry_count; i++) {
		const struct jfrec_type *t = s->types[r->entries[i].type];

		for (unsigned k = 0; k < t->field_count; k++)
			near_offer(&near, t->fields[k].name);
	}
	if (r->entry_count == 1)
		put(&b, s->types[r->entries[0].type]->name);
	put(&b, r->entry_count == 1 ? " has no field " : "No event type of FROM has a field ");
	put(&b, name);
	put(&b, near_list(&near, list));
	return finish(a, &b);
}
