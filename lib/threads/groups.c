/* SPDX-License-Identifier: MIT */
/*
 * groups.c - threads with the same stack and state
 */
#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "threads/dump.h"
#include "threads/names.h"

static uint64_t key_of(const struct jfrec_dumped_thread *t)
{
	/* What belongs to the JVM has no stack, but each of them is another. */
	return t->frame_count ? hash_text(t->stack, t->state ? t->state : "")
			      : hash_text(hash_text(HASH_START, t->name), "\n");
}

static int by_size(const void *a, const void *b)
{
	const struct jfrec_thread_group *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return x->threads[0] < y->threads[0] ? -1 : x->threads[0] > y->threads[0];
}

/* The number of the group of each thread, in the order in which they are met. */
static bool number_groups(struct dump *d, uint32_t *group, size_t *count)
{
	struct idmap map = { 0 };
	bool ok = true;

	for (size_t i = 0; ok && i < d->count; i++) {
		uint32_t *place = idmap_put(&map, key_of(&d->threads[i]), (uint32_t)*count);

		ok = place != NULL;
		group[i] = ok ? *place : 0;
		*count += ok && *place == *count;
	}
	idmap_fini(&map);
	return ok;
}

static void fill(struct dump *d, struct jfrec_thread_group *groups, size_t count,
		 const uint32_t *group, size_t *members)
{
	size_t at = 0;

	for (size_t i = 0; i < d->count; i++)
		groups[group[i]].count++;
	for (size_t i = 0; i < count; i++) {
		groups[i].threads = members + at;
		at += groups[i].count;
		groups[i].count = 0;
	}
	for (size_t i = 0; i < d->count; i++) {
		struct jfrec_thread_group *g = &groups[group[i]];

		((size_t *)g->threads)[g->count++] = i;
	}
	for (size_t i = 0; i < count; i++)
		groups[i].name = names_pattern(d, groups[i].threads, groups[i].count);
	qsort(groups, count, sizeof(*groups), by_size);
}

void dump_find_groups(struct dump *d)
{
	uint32_t *group = arena_alloc(&d->arena, d->count * sizeof(*group));
	size_t *members = arena_alloc(&d->arena, d->count * sizeof(*members));
	struct jfrec_thread_group *groups = NULL;
	size_t count = 0;

	if (!d->count)
		return;
	if (group && members && number_groups(d, group, &count))
		groups = arena_zalloc(&d->arena, count, sizeof(*groups));
	if (!groups) {
		d->no_memory = true;
		return;
	}
	fill(d, groups, count, group, members);
	d->is.groups = groups;
	d->is.group_count = count;
}
