/* SPDX-License-Identifier: MIT */
/*
 * columns.c - the flat columns of an event type
 */
#include "print/columns.h"

#include <string.h>

#include "base/error.h"
#include "base/near.h"
#include "format/plan.h"
#include "print/render.h"

/* Structs in structs that are unfolded. */
#define MAX_LEVELS 3

/* Longer names are no program's: what has one is left out. */
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

/* The columns of what has this name in a type; none if it has nothing of it. */
static bool columns_named(struct columns *c, const struct jfrec_type *t, const char *name,
			  bool stacks)
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

/* One that is there already keeps its place. */
static int add_name(struct names *n, const char *name)
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

static int add_names(struct names *n, const struct columns *c)
{
	for (unsigned i = 0; i < c->count; i++) {
		if (add_name(n, c->items[i].name) < 0)
			return -1;
	}
	return 0;
}

int names_add_all(struct names *n, const struct jfrec_type *t, bool stacks)
{
	struct columns c;
	int ret;

	columns_init(&c, t, stacks);
	ret = add_names(n, &c);
	columns_fini(&c);
	return ret;
}

void names_fini(struct names *n)
{
	arena_fini(&n->arena);
	n->count = 0;
}

/* Near misses ---------------------------------------------------------------------------------- */

/* All columns, and what stands for several of them. */
static void near_offer_type(struct near *near, const struct jfrec_type *t)
{
	struct columns c;

	for (unsigned i = 0; i < t->field_count; i++)
		near_offer(near, t->fields[i].name);
	columns_init(&c, t, true);
	for (unsigned i = 0; i < c.count; i++)
		near_offer(near, c.items[i].name);
	columns_fini(&c);
}

static int fail_unknown(const char *name, const struct jfrec_type *const *types, unsigned count,
			struct jfrec_error *err)
{
	struct near near = { .name = name };
	char list[NEAR_LIST_MAX];

	for (unsigned i = 0; i < count; i++)
		near_offer_type(&near, types[i]);
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
			  "no event type that is printed has a field %.64s%s", name,
			  near_list(&near, list));
}

static int add_field(struct names *n, const char *name, const struct jfrec_type *const *types,
		     unsigned count, bool stacks, struct jfrec_error *err)
{
	bool found = false;
	int ret = 0;

	for (unsigned i = 0; i < count && !found && ret == 0; i++) {
		struct columns c;

		found = columns_named(&c, types[i], name, stacks);
		ret = add_names(n, &c);
		columns_fini(&c);
	}
	if (ret < 0)
		return jfrec_fail_memory(err);
	return found ? 0 : fail_unknown(name, types, count, err);
}

int names_add_list(struct names *n, const char *list, const struct jfrec_type *const *types,
		   unsigned type_count, bool stacks, struct jfrec_error *err)
{
	struct arena words = { 0 };
	int ret = 0;

	while (ret == 0) {
		size_t len = strcspn(list, ",");
		const char *name = arena_strndup(&words, list, len);

		/* A line's own `type` is the event's; the field has this key instead. */
		if (name && strcmp(name, "values.type") == 0)
			name = "type";
		ret = name ? add_field(n, name, types, type_count, stacks, err)
			   : jfrec_fail_memory(err);
		if (!list[len])
			break;
		list += len + 1;
	}
	arena_fini(&words);
	return ret;
}
