/* SPDX-License-Identifier: MIT */
/*
 * cycles.c - threads that wait for each other, and how many wait for each
 *
 * The JVM's own deadlocks are in the list before. Each thread waits for one other at most, so a
 * walk along the arrows ends, or comes back to where it has been: that is a circle.
 */
#include <string.h>

#include "base/array.h"
#include "threads/dump.h"

static struct jfrec_deadlocked member_of(const struct dump *d, size_t thread)
{
	const struct jfrec_dumped_thread *t = &d->threads[thread];

	return (struct jfrec_deadlocked){
		.name = t->name,
		.wait = t->wait,
		.lock = t->lock,
		.holder = t->holder == JFREC_NO_THREAD ? NULL : d->threads[t->holder].name,
		.thread = thread,
		.frames = t->frames,
		.frame_count = t->frame_count,
	};
}

static void add(struct dump *d, struct jfrec_deadlock of)
{
	if (!of.threads ||
	    !array_push(d->deadlocks.items, d->deadlocks.count, d->deadlocks.room, of))
		d->no_memory = true;
}

/* The circle that this thread is in, unless the JVM reports it. */
static void add_circle(struct dump *d, size_t first)
{
	struct jfrec_deadlocked *members;
	size_t count = 0, at = first;

	do {
		if (d->threads[at].in_deadlock)
			return;
		count++;
		at = d->threads[at].holder;
	} while (at != first);
	members = arena_alloc(&d->arena, count * sizeof(*members));
	for (size_t i = 0; members && i < count; i++, at = d->threads[at].holder)
		members[i] = member_of(d, at);
	add(d, (struct jfrec_deadlock){ members, count, false, false });
}

static void find_circles(struct dump *d)
{
	/* In which walk each was met first; 0: in none. */
	uint32_t *walk = arena_zalloc(&d->arena, d->count, sizeof(*walk));

	if (!walk) {
		d->no_memory = d->count > 0;
		return;
	}
	for (size_t i = 0; i < d->count; i++) {
		uint32_t now = (uint32_t)i + 1;
		size_t at = i;

		while (at != JFREC_NO_THREAD && !walk[at]) {
			walk[at] = now;
			at = d->threads[at].holder;
		}
		if (at != JFREC_NO_THREAD && walk[at] == now)
			add_circle(d, at);
	}
}

/* Where the JVM does not write for which class a thread waits -----------------------------------
 */

static bool has_initializer(const struct jfrec_dumped_thread *t)
{
	for (size_t i = 0; i < t->frame_count; i++) {
		if (strstr(t->frames[i], ".<clinit>("))
			return true;
	}
	return false;
}

/*
 * Each of them waits for a thread that initializes a class: one of these.  If all of these wait,
 * none will go on.
 */
static void infer_of_classes(struct dump *d)
{
	struct jfrec_deadlocked *members;
	size_t waiting = 0, count = 0;

	for (size_t i = 0; i < d->count; i++)
		waiting += d->threads[i].wait == JFREC_WAIT_CLASS && !d->threads[i].lock.class_name;
	if (waiting < 2)
		return;
	members = arena_alloc(&d->arena, waiting * sizeof(*members));
	for (size_t i = 0; members && i < d->count; i++) {
		const struct jfrec_dumped_thread *t = &d->threads[i];

		if (!has_initializer(t))
			continue;
		if (t->wait != JFREC_WAIT_CLASS || t->lock.class_name)
			return;
		members[count++] = member_of(d, i);
	}
	if (count > 1 || !members)
		add(d, (struct jfrec_deadlock){ members, count, false, true });
}

/* How many wait for each -------------------------------------------------------------------------
 */

/* From those for whom nobody waits; threads of a circle never become one. */
static void count_waiters(struct dump *d)
{
	uint32_t *left = arena_zalloc(&d->arena, d->count, sizeof(*left));

	if (!left) {
		d->no_memory = d->count > 0;
		return;
	}
	for (size_t i = 0; i < d->count; i++) {
		if (d->threads[i].holder != JFREC_NO_THREAD)
			left[d->threads[i].holder]++;
	}
	for (size_t i = 0; i < d->count; i++) {
		/* Each thread that has been counted may leave its holder as the next one. */
		for (size_t at = i; at != JFREC_NO_THREAD && left[at] == 0;) {
			size_t holder = d->threads[at].holder;

			left[at] = UINT32_MAX;
			if (holder == JFREC_NO_THREAD)
				break;
			d->threads[holder].waiters += d->threads[at].waiters + 1;
			left[holder]--;
			at = holder;
		}
	}
}

static void mark_members(struct dump *d)
{
	for (size_t i = 0; i < d->deadlocks.count; i++) {
		const struct jfrec_deadlock *l = &d->deadlocks.items[i];

		for (size_t k = 0; k < l->count; k++) {
			if (l->threads[k].thread != JFREC_NO_THREAD)
				d->threads[l->threads[k].thread].in_deadlock = true;
		}
	}
}

void dump_find_deadlocks(struct dump *d)
{
	mark_members(d);
	find_circles(d);
	infer_of_classes(d);
	mark_members(d);
	count_waiters(d);
}
