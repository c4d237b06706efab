/* SPDX-License-Identifier: MIT */
/*
 * columns.c - the columns that the fields of an event type make in a table
 */
#include "print/columns.h"

#include <string.h>

#include "format/plan.h"
#include "print/render.h"

/* Structs in structs that are unfolded. */
#define MAX_LEVELS 3

/* No program has longer names: what has one is left out. */
#define MAX_NAME 4096

bool path_equal(struct path a, struct path b)
{
	return a.count == b.count &&
	       (!a.count || memcmp(a.fields, b.fields, a.count * sizeof(*a.fields)) == 0);
}

struct path path_copy(struct arena *a, struct path path)
{
	const struct jfrec_field **fields = arena_alloc(a, path.count * sizeof(*fields));

	if (!fields)
		return (struct path){ 0 };
	memcpy(fields, path.fields, path.count * sizeof(*fields));
	return (struct path){ fields, path.count };
}

/* The field that the name is, or begins with; *rest is what follows it. */
static const struct jfrec_field *field_at(const struct jfrec_type *t, const char *name,
					  const char **rest)
{
	size_t len = strcspn(name, ".");

	for (unsigned i = 0; i < t->field_count; i++) {
		*rest = name + strlen(name);
		if (strcmp(t->fields[i].name, name) == 0)
			return &t->fields[i];
	}
	for (unsigned i = 0; i < t->field_count; i++) {
		*rest = name + len;
		if (strncmp(t->fields[i].name, name, len) == 0 && !t->fields[i].name[len])
			return &t->fields[i];
	}
	return NULL;
}

bool way_find(struct way *w, const struct jfrec_type *t, const char *name)
{
	const struct jfrec_field *f;
	const char *rest;

	w->count = 0;
	while (w->count < MAX_PATH && t->wire == WIRE_NONE && (f = field_at(t, name, &rest)) &&
	       f->type) {
		w->fields[w->count++] = f;
		if (!*rest)
			return true;
		if (f->array)
			return false;
		t = f->type;
		name = rest + 1;
	}
	return false;
}

/* Unfolding ------------------------------------------------------------------------------------ */

/* A walk over the fields of a type; the way to the current one, and its name. */
struct unfolding {
	struct columns *to;
	bool stacks;
	struct way way;
	char name[MAX_NAME];
	size_t len;
};

static bool enter(struct unfolding *u, const struct jfrec_field *f)
{
	size_t len = strlen(f->name);

	if (u->way.count == MAX_PATH || len + 2 > MAX_NAME - u->len)
		return false;
	if (u->way.count)
		u->name[u->len++] = '.';
	memcpy(u->name + u->len, f->name, len + 1);
	u->len += len;
	u->way.fields[u->way.count++] = f;
	return true;
}

static void leave(struct unfolding *u, size_t len)
{
	u->len = len;
	u->name[len] = '\0';
	u->way.count--;
}

static void add_column(struct unfolding *u)
{
	struct columns *to = u->to;
	struct column c = {
		arena_strndup(&to->arena, u->name, u->len),
		path_copy(&to->arena, way_path(&u->way)),
	};

	if (to->count < MAX_COLUMNS && c.name && c.path.count)
		to->items[to->count++] = c;
}

/* What stands in one column, and is not unfolded. */
static bool is_single(const struct jfrec_field *f)
{
	if (f->array || f->type->wire != WIRE_NONE || is_wrapper(f->type))
		return true;
	switch ((enum known_type)f->type->known) {
	case KNOWN_CLASS:
	case KNOWN_CLASS_LOADER:
	case KNOWN_METHOD:
	case KNOWN_FRAME:
	case KNOWN_STACK_TRACE:
		return true;
	default:
		return false;
	}
}

static void unfold_thread(struct unfolding *u, const struct jfrec_type *t)
{
	static const char *const members[] = {
		"javaName", "javaThreadId", "osName", "osThreadId", "virtual",
	};
	const char *rest;

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
		const struct jfrec_field *f = field_at(t, members[i], &rest);
		size_t len = u->len;

		if (!f || !f->type || !enter(u, f))
			continue;
		add_column(u);
		leave(u, len);
	}
}

/* The columns of the field that the way leads to, so many levels deep. */
static void unfold(struct unfolding *u, unsigned level)
{
	const struct jfrec_field *f = u->way.fields[u->way.count - 1];
	const struct jfrec_type *t = f->type;

	if (!t || (t->known == KNOWN_STACK_TRACE && !u->stacks))
		return;
	if (is_single(f)) {
		add_column(u);
		return;
	}
	if (t->known == KNOWN_THREAD) {
		unfold_thread(u, t);
		return;
	}
	for (unsigned i = 0; level < MAX_LEVELS && i < t->field_count; i++) {
		size_t len = u->len;

		if (u->to->count == MAX_COLUMNS || !enter(u, &t->fields[i]))
			continue;
		unfold(u, level + 1);
		leave(u, len);
	}
}

void columns_init(struct columns *c, const struct jfrec_type *t, bool stacks)
{
	struct unfolding u = { .to = c, .stacks = stacks };

	c->arena = (struct arena){ 0 };
	c->count = 0;
	for (unsigned i = 0; i < t->field_count; i++) {
		if (!enter(&u, &t->fields[i]))
			continue;
		unfold(&u, 0);
		leave(&u, 0);
	}
}

bool columns_named(struct columns *c, const struct jfrec_type *t, const char *name, bool stacks)
{
	struct unfolding u = { .to = c, .stacks = stacks, .len = strlen(name) };

	c->arena = (struct arena){ 0 };
	c->count = 0;
	if (u.len >= MAX_NAME || !way_find(&u.way, t, name))
		return false;
	memcpy(u.name, name, u.len + 1);
	unfold(&u, 0);
	return true;
}

void columns_fini(struct columns *c)
{
	arena_fini(&c->arena);
}

/* Names ---------------------------------------------------------------------------------------- */

int names_add(struct names *n, const char *name)
{
	for (unsigned i = 0; i < n->count; i++) {
		if (strcmp(n->items[i], name) == 0)
			return 0;
	}
	if (n->count == MAX_COLUMNS)
		return 0;
	n->items[n->count] = arena_strndup(&n->arena, name, strlen(name));
	return n->items[n->count] ? (n->count++, 0) : -1;
}

int names_add_all(struct names *n, const struct jfrec_type *t, bool stacks)
{
	struct columns c;
	int ret = 0;

	columns_init(&c, t, stacks);
	for (unsigned i = 0; i < c.count && ret == 0; i++)
		ret = names_add(n, c.items[i].name);
	columns_fini(&c);
	return ret;
}

void names_fini(struct names *n)
{
	arena_fini(&n->arena);
	n->count = 0;
}
