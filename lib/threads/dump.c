/* SPDX-License-Identifier: MIT */
/*
 * dump.c - a thread dump while it is read
 */
#include "threads/dump.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* More virtual threads than a JVM has room for. */
#define MAX_THREADS 2000000

/* Frames and locks are found by their numbers until the arrays have stopped growing. */
struct jfrec_dumped_thread *dump_begin_thread(struct dump *d, const char *name)
{
	struct jfrec_dumped_thread t = {
		.name = name,
		.cpu_ns = -1,
		.elapsed_ns = -1,
		.site = SIZE_MAX,
		.holder = JFREC_NO_THREAD,
		.lock = { .frame = SIZE_MAX },
	};

	if (d->count == MAX_THREADS) {
		d->is.is_cut = true;
		return NULL;
	}
	if (!array_push(d->threads, d->count, d->room, t)) {
		d->no_memory = true;
		return NULL;
	}
	return &d->threads[d->count - 1];
}

void dump_add_frame(struct dump *d, const char *frame)
{
	if (array_push(d->frames, d->frame_count, d->frame_room, frame))
		d->threads[d->count - 1].frame_count++;
	else
		d->no_memory = true;
}

void dump_add_lock(struct dump *d, const struct jfrec_lock *lock)
{
	if (array_push(d->locks, d->lock_count, d->lock_room, *lock))
		d->threads[d->count - 1].held_count++;
	else
		d->no_memory = true;
}

void dump_point(struct dump *d)
{
	size_t frame = 0, lock = 0;

	for (size_t i = 0; i < d->count; i++) {
		struct jfrec_dumped_thread *t = &d->threads[i];

		t->frames = d->frames ? d->frames + frame : NULL;
		t->held = d->locks ? d->locks + lock : NULL;
		frame += t->frame_count;
		lock += t->held_count;
	}
}

void dump_fini(struct dump *d)
{
	free(d->threads);
	free(d->frames);
	free(d->locks);
	free(d->deadlocks.items);
	arena_fini(&d->arena);
}

uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
	return hash;
}

bool is_same_lock(const struct jfrec_lock *a, const struct jfrec_lock *b)
{
	return a->id && b->id && strcmp(a->id, b->id) == 0;
}

enum jfrec_wait wait_of_park(const char *class_name)
{
	static const char *const prefixes[] = {
		"java.util.concurrent.locks.ReentrantLock$",
		"java.util.concurrent.locks.ReentrantReadWriteLock$",
	};

	for (size_t i = 0; class_name && i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		if (strncmp(class_name, prefixes[i], strlen(prefixes[i])) == 0)
			return JFREC_WAIT_LOCK;
	}
	return JFREC_WAIT_PARK;
}
