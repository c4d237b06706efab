/* SPDX-License-Identifier: MIT */
/*
 * graph.c - which thread has what another waits for
 *
 * A thread waits for one thing, which one thread has, so each has one arrow at most. It is drawn
 * where the dump tells: a monitor is held by the thread whose stack says "- locked"; a lock of
 * java.util.concurrent by the one that lists it as its own, or that the JVM names in its section on
 * deadlocks; a class is initialized by the one in whose stack is its <clinit>. Ids and names are
 * compared by their hashes: who makes two of them equal lies about its own threads only.
 */
#include <string.h>

#include "base/idmap.h"
#include "threads/dump.h"
#include "threads/frames.h"

#define CLINIT ".<clinit>("

static void put(struct dump *d, struct idmap *map, uint64_t key, size_t thread)
{
	if (!idmap_put(map, key, (uint32_t)thread))
		d->no_memory = true;
}

/* Monitors and locks ----------------------------------------------------------------------------
 */

static void draw_locks(struct dump *d, const struct idmap *holders)
{
	for (size_t i = 0; i < d->count; i++) {
		struct jfrec_dumped_thread *t = &d->threads[i];
		uint32_t holder;

		if (!t->lock.id || (t->wait != JFREC_WAIT_MONITOR && t->wait != JFREC_WAIT_LOCK))
			continue;
		holder = idmap_get(holders, hash_text(HASH_START, t->lock.id));
		if (holder != IDMAP_NONE && holder != i)
			t->holder = holder;
	}
}

static void find_lock_holders(struct dump *d)
{
	struct idmap holders = { 0 };

	for (size_t i = 0; i < d->count; i++) {
		const struct jfrec_dumped_thread *t = &d->threads[i];

		for (size_t k = 0; k < t->held_count; k++)
			put(d, &holders, hash_text(HASH_START, t->held[k].id), i);
	}
	draw_locks(d, &holders);
	idmap_fini(&holders);
}

/* Classes ---------------------------------------------------------------------------------------
 */

static bool waits_for_class(const struct dump *d)
{
	for (size_t i = 0; i < d->count; i++) {
		if (d->threads[i].wait == JFREC_WAIT_CLASS && d->threads[i].lock.class_name)
			return true;
	}
	return false;
}

static void note_classes(struct dump *d, struct idmap *makers, size_t i)
{
	const struct jfrec_dumped_thread *t = &d->threads[i];
	char method[METHOD_MAX];

	for (size_t k = 0; k < t->frame_count; k++) {
		size_t len;

		if (!strstr(t->frames[k], CLINIT))
			continue;
		len = frame_method(method, t->frames[k]);
		if (len < strlen(".<clinit>"))
			continue;
		method[len - strlen(".<clinit>")] = '\0';
		put(d, makers, hash_text(HASH_START, method), i);
	}
}

static void find_class_makers(struct dump *d)
{
	struct idmap makers = { 0 };

	for (size_t i = 0; i < d->count; i++)
		note_classes(d, &makers, i);
	for (size_t i = 0; i < d->count; i++) {
		struct jfrec_dumped_thread *t = &d->threads[i];
		uint32_t maker;

		if (t->wait != JFREC_WAIT_CLASS || !t->lock.class_name)
			continue;
		maker = idmap_get(&makers, hash_text(HASH_START, t->lock.class_name));
		if (maker != IDMAP_NONE && maker != i)
			t->holder = maker;
	}
	idmap_fini(&makers);
}

/* What the JVM reports --------------------------------------------------------------------------
 */

/* Threads are known by their name, which others may have, and by what they wait for. */
static uint64_t key_of(const char *name, const char *id)
{
	return hash_text(hash_text(hash_text(HASH_START, name), "\n"), id ? id : "");
}

static void number_threads(struct dump *d, struct idmap *numbers)
{
	for (size_t i = 0; i < d->count; i++) {
		const struct jfrec_dumped_thread *t = &d->threads[i];

		put(d, numbers, key_of(t->name, t->lock.id), i);
		put(d, numbers, key_of(t->name, NULL), i);
	}
}

static size_t find_thread(const struct idmap *numbers, const struct jfrec_deadlocked *of)
{
	uint32_t number = idmap_get(numbers, key_of(of->name, of->lock.id));

	return number == IDMAP_NONE ? JFREC_NO_THREAD : number;
}

static void draw_circle(struct dump *d, const struct idmap *numbers, struct jfrec_deadlocked *of,
			size_t count)
{
	for (size_t i = 0; i < count; i++)
		of[i].thread = find_thread(numbers, &of[i]);
	for (size_t i = 0; i < count; i++) {
		const struct jfrec_deadlocked *next = &of[(i + 1) % count];

		if (of[i].thread == JFREC_NO_THREAD || next->thread == JFREC_NO_THREAD ||
		    of[i].thread == next->thread || !of[i].holder ||
		    strcmp(of[i].holder, next->name) != 0)
			continue;
		if (d->threads[of[i].thread].holder == JFREC_NO_THREAD)
			d->threads[of[i].thread].holder = next->thread;
	}
}

static void draw_reported(struct dump *d)
{
	struct idmap numbers = { 0 };

	if (d->deadlocks.count)
		number_threads(d, &numbers);
	for (size_t i = 0; i < d->deadlocks.count; i++)
		draw_circle(d, &numbers, (struct jfrec_deadlocked *)d->deadlocks.items[i].threads,
			    d->deadlocks.items[i].count);
	idmap_fini(&numbers);
}

void dump_find_holders(struct dump *d)
{
	find_lock_holders(d);
	if (waits_for_class(d))
		find_class_makers(d);
	draw_reported(d);
}
