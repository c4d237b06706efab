/* SPDX-License-Identifier: MIT */
/*
 * v0_constants.c - the constants of a chunk of version 0.x, by key and time
 */
#include "format/v0_constants.h"

#include <stdlib.h>

#include "base/array.h"

int v0_constants_add(struct v0_constants *k, const struct v0_types *t, int64_t ticks,
		     struct cursor *c, const uint8_t **at)
{
	while (cursor_left(c)) {
		const struct v0_content *content;
		uint32_t count;

		*at = c->pos;
		content = v0_content_of(t, cursor_be32(c));
		if (!content)
			return 1; /* entries have no length */
		count = v0_read_count(c,
				      (uint64_t)v0_width(content->key) + content->structure->least);
		if (c->bad)
			return 1;
		for (; count; count--) {
			struct v0_constant item = { .content = content,
						    .ticks = ticks,
						    .end = c->end };

			*at = c->pos;
			item.key = v0_read_key(c, content->key);
			item.value = c->pos;
			v0_skip_all(c, content->structure);
			if (c->bad)
				return 1;
			if (!array_push(k->items, k->count, k->room, item))
				return -1;
		}
	}
	return 0;
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Of those that are equal, the one that lies first in the chunk is. */
static int by_key(const void *one, const void *other)
{
	const struct v0_constant *a = one, *b = other;
	int order = compare(a->content->index, b->content->index);

	if (order == 0)
		order = compare(a->key, b->key);
	if (order == 0)
		order = a->ticks < b->ticks ? -1 : a->ticks > b->ticks;
	return order ? order : compare((uintptr_t)a->value, (uintptr_t)b->value);
}

static int by_thread(const void *one, const void *other)
{
	const struct v0_java_thread *a = one, *b = other;
	int order = compare(a->id, b->id);

	if (order == 0)
		order = a->ticks < b->ticks ? -1 : a->ticks > b->ticks;
	return order ? order : compare(a->constant, b->constant);
}

static struct digest digest_of(uint32_t content, uint64_t key)
{
	struct digest d = DIGEST_INIT;

	digest_word(&d, content);
	digest_word(&d, key);
	return d;
}

static bool is_same(const struct v0_constant *a, const struct v0_constant *b)
{
	return a->content == b->content && a->key == b->key;
}

int v0_constants_end(struct v0_constants *k)
{
	struct v0_constant *first = k->items;

	if (k->count == 0)
		return 0;
	qsort(k->items, k->count, sizeof(*k->items), by_key);
	for (size_t i = 0; i < k->count; i++) {
		struct v0_constant *item = &k->items[i];
		uint64_t *index;

		if (item->content->role == V0_JAVATHREAD &&
		    !array_push(k->java_threads, k->java_count, k->java_room,
				(struct v0_java_thread){ v0_part_key(item, "thread"), item->ticks,
							 i }))
			return -1;
		if (!is_same(item, first) || i == 0) {
			index = digest_map_put(&k->first,
					       digest_of(item->content->index, item->key));
			if (!index)
				return -1;
			*index = i + 1;
			first = item;
		}
		first->bindings++;
	}
	if (k->java_count)
		qsort(k->java_threads, k->java_count, sizeof(*k->java_threads), by_thread);
	return 0;
}

void v0_constants_fini(struct v0_constants *k)
{
	free(k->items);
	free(k->java_threads);
	digest_map_fini(&k->first);
	*k = (struct v0_constants){ 0 };
}

struct v0_constant *v0_constant_at(const struct v0_constants *k, const struct v0_content *content,
				   uint64_t key, int64_t ticks)
{
	size_t first = content ? digest_map_get(&k->first, digest_of(content->index, key)) : 0;
	size_t low, high, end;

	if (!first)
		return NULL;
	low = first - 1;
	high = end = low + k->items[low].bindings;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (k->items[middle].ticks < ticks)
			low = middle + 1;
		else
			high = middle;
	}
	return &k->items[low < end ? low : end - 1];
}

struct v0_constant *v0_java_thread_at(const struct v0_constants *k, uint64_t id, int64_t ticks)
{
	size_t low = 0, high = k->java_count;

	/* The first that is not before (id, ticks). */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct v0_java_thread *j = &k->java_threads[middle];

		if (j->id < id || (j->id == id && j->ticks < ticks))
			low = middle + 1;
		else
			high = middle;
	}
	/* All are older: the newest. */
	if ((low == k->java_count || k->java_threads[low].id != id) && low)
		low--;
	if (low == k->java_count || k->java_threads[low].id != id)
		return NULL;
	return &k->items[k->java_threads[low].constant];
}

bool v0_part(const struct v0_constant *constant, const char *id, struct cursor *c,
	     const struct v0_value **value)
{
	const struct v0_structure *s = constant->content->structure;
	int index = v0_value_named(s, id);

	*c = cursor_over(constant->value, (uint64_t)(constant->end - constant->value));
	if (index < 0)
		return false;
	for (int i = 0; i < index; i++)
		v0_skip(c, &s->values[i]);
	*value = &s->values[index];
	return !c->bad;
}

uint64_t v0_part_key(const struct v0_constant *constant, const char *id)
{
	const struct v0_value *v;
	struct cursor c;

	return v0_part(constant, id, &c, &v) && v0_width(v->kind) ? v0_read_key(&c, v->kind) : 0;
}
