/* SPDX-License-Identifier: MIT */
/*
 * objects.c - texts, threads, classes, methods and stack traces that values refer to
 */
#include "query/objects.h"

#include <stdlib.h>
#include <string.h>

void objects_fini(struct objects *os)
{
	arena_fini(&os->arena);
	free(os->table);
	idmap_fini(&os->threads);
	*os = (struct objects){ 0 };
}

/* What they are compared by -------------------------------------------------------------------- */

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 32;
}

static uint64_t mix_text(uint64_t h, const struct text *t)
{
	const char *s = t->s;
	uint32_t len = t->len;
	uint64_t word;

	if (!s)
		return mix(h, 1);
	for (; len >= 8; len -= 8, s += 8) {
		memcpy(&word, s, 8);
		h = mix(h, word);
	}
	word = (uint64_t)t->len << 56;
	memcpy(&word, s, len);
	return mix(h, word ^ (uint64_t)t->len << 57);
}

/*
 * Without the key, so that what is the same in two JVMs is found in one place, and without what
 * another collection would have otherwise.
 */
static uint32_t spread_of(const struct object *o)
{
	uint64_t h = mix(o->kind, (uint64_t)o->id);

	h = mix_text(h, &o->name);
	h = mix_text(h, &o->detail);
	h = mix(h, o->kin ? o->kin->spread : 0);
	for (size_t i = 0; i < o->count; i++)
		h = mix(h, o->items[i] ? o->items[i]->spread : 0);
	return (uint32_t)(h ^ h >> 32);
}

static bool texts_are_same(const struct text *a, const struct text *b)
{
	return a->len == b->len && !a->s == !b->s &&
	       (a->len == 0 || memcmp(a->s, b->s, a->len) == 0);
}

static bool is_keyed(const struct object *o)
{
	return o->kind == OBJECT_THREAD || o->kind == OBJECT_CLASS || o->kind == OBJECT_LOADER;
}

static const struct object *identity_of(const struct object *o)
{
	return o ? o->identity : NULL;
}

/* The same but for the key. */
static bool is_alike(const struct object *a, const struct object *b)
{
	if (a->spread != b->spread || a->kind != b->kind || a->is_java != b->is_java ||
	    a->is_opaque != b->is_opaque || a->id != b->id || a->count != b->count ||
	    identity_of(a->kin) != identity_of(b->kin) || !texts_are_same(&a->name, &b->name) ||
	    !texts_are_same(&a->detail, &b->detail))
		return false;
	for (size_t i = 0; i < a->count; i++) {
		if (identity_of(a->items[i]) != identity_of(b->items[i]))
			return false;
	}
	return true;
}

/* The table ------------------------------------------------------------------------------------ */

static bool grow(struct objects *os)
{
	uint32_t size = os->size ? os->size * 2 : 256;
	struct object **table = calloc(size, sizeof(*table));

	if (!table)
		return false;
	for (uint32_t i = 0; i < os->size; i++) {
		struct object *o = os->table[i], *next;

		for (; o; o = next) {
			next = o->next;
			o->next = table[o->spread & (size - 1)];
			table[o->spread & (size - 1)] = o;
		}
	}
	free(os->table);
	os->table = table;
	os->size = size;
	return true;
}

static struct object *find(const struct objects *os, const struct object *like)
{
	struct object *o = os->size ? os->table[like->spread & (os->size - 1)] : NULL;

	while (o && !((!is_keyed(o) || o->key == like->key) && is_alike(o, like)))
		o = o->next;
	return o;
}

/* Identities ----------------------------------------------------------------------------------- */

/* The thread of that key, if it is still the same one, whatever its name is now. */
static const struct object *renamed_thread(const struct objects *os, const struct object *o)
{
	uint32_t n = o->kind == OBJECT_THREAD ? idmap_get(&os->threads, o->key) : IDMAP_NONE;
	const struct object *was = n == IDMAP_NONE ? NULL : os->thread_list[n];

	return was && was->is_java == o->is_java && was->id == o->id ? was->identity : NULL;
}

/* What another JVM calls the same. */
static const struct object *elsewhere(const struct objects *os, const struct object *o)
{
	const struct object *other = os->table[o->spread & (os->size - 1)];

	for (; other; other = other->next) {
		if (other->identity == other && other->jvm != os->jvm && is_alike(other, o))
			return other;
	}
	return NULL;
}

static void note_thread(struct objects *os, struct object *o)
{
	uint32_t *n = idmap_put(&os->threads, o->key, os->thread_count);
	struct object **list = os->thread_list;

	if (n && *n == os->thread_count) {
		if ((os->thread_count & (os->thread_count - 1)) == 0)
			list = arena_alloc(&os->arena,
					   (os->thread_count ? os->thread_count * 2 : 1) *
						   sizeof(*list));
		if (list && list != os->thread_list && os->thread_count)
			memcpy(list, os->thread_list, os->thread_count * sizeof(*list));
		os->thread_count += list != NULL;
	}
	if (!n || !list) {
		os->out_of_memory = true;
		return;
	}
	os->thread_list = list;
	list[*n] = o;
}

static void identify(struct objects *os, struct object *o)
{
	const struct object *same = NULL;

	o->identity = o;
	if (!os->is_final || !is_keyed(o))
		return;
	same = renamed_thread(os, o);
	if (!same)
		same = elsewhere(os, o);
	if (same)
		o->identity = same;
	if (o->kind == OBJECT_THREAD)
		note_thread(os, o);
}

/* An identity is seen in the JVM whose chunk is being merged. */
static void see(const struct objects *os, struct object *o)
{
	struct object *identity = (struct object *)(uintptr_t)o->identity;

	o->jvm = os->jvm;
	identity->jvm = os->jvm;
}

/* Copies --------------------------------------------------------------------------------------- */

static bool copy_text(struct arena *a, struct text *t)
{
	if (t->s)
		t->s = arena_strndup(a, t->s, t->len);
	return t->s || t->len == 0;
}

static bool copy_items(struct arena *a, struct object *o)
{
	const struct object **items;

	if (!o->count)
		return true;
	items = arena_alloc(a, o->count * sizeof(*items));
	if (items)
		memcpy(items, o->items, o->count * sizeof(*items));
	o->items = items;
	return items != NULL;
}

static struct object *add(struct objects *os, const struct object *like)
{
	struct object *o;

	if (os->count >= os->size && !grow(os))
		return NULL;
	o = arena_alloc(&os->arena, sizeof(*o));
	if (!o)
		return NULL;
	*o = *like;
	o->merged = NULL;
	o->home = os;
	o->has_text = o->has_hash = false;
	if (!copy_text(&os->arena, &o->name) || !copy_text(&os->arena, &o->detail) ||
	    !copy_items(&os->arena, o))
		return NULL;
	identify(os, o);
	o->next = os->table[o->spread & (os->size - 1)];
	os->table[o->spread & (os->size - 1)] = o;
	os->count++;
	return o;
}

/* Like one whose spread is known. */
static const struct object *intern(struct objects *os, const struct object *like)
{
	struct object *o = find(os, like);

	if (!o)
		o = add(os, like);
	if (!o)
		os->out_of_memory = true;
	else if (os->is_final)
		see(os, o);
	return o;
}

const struct object *objects_intern(struct objects *os, const struct object *like)
{
	struct object with = *like;

	with.spread = spread_of(like);
	return intern(os, &with);
}

const struct object *objects_string(struct objects *os, const char *s, size_t len)
{
	return objects_intern(os,
			      &(struct object){ .kind = OBJECT_STRING, .name = text_of(s, len) });
}

static bool merge_items(struct objects *os, struct object *like, const struct object *from)
{
	const struct object **items = malloc(from->count * sizeof(*items));

	if (!items) {
		os->out_of_memory = true;
		return false;
	}
	for (size_t i = 0; i < from->count; i++)
		items[i] = from->items[i] ? objects_merge(os, from->items[i]) : NULL;
	like->items = items;
	return true;
}

const struct object *objects_merge(struct objects *os, const struct object *from)
{
	struct object *own = (struct object *)(uintptr_t)from, like = *from;

	if (own->merged)
		return own->merged;
	if (from->kin)
		like.kin = objects_merge(os, from->kin);
	if (from->count && !merge_items(os, &like, from))
		return NULL;
	own->merged = (struct object *)(uintptr_t)intern(os, &like);
	if (from->count)
		free((void *)(uintptr_t)like.items);
	return own->merged;
}
