/* SPDX-License-Identifier: MIT */
/*
 * idle_jvms.c - remember the JVMs that had nothing to collect
 */
#include "collect/idle_jvms.h"

#include <stdlib.h>

#include "base/array.h"

static struct idle_jvm *find(struct idle_jvms *q, const struct jfrec_jvm *jvm)
{
	for (size_t i = 0; i < q->count; i++) {
		if (q->items[i].pid == jvm->pid && q->items[i].start_ticks == jvm->start_ticks)
			return &q->items[i];
	}
	return NULL;
}

/* Users together, and of each first the one that has waited longest. */
static int by_user(const void *x, const void *y)
{
	const struct idle_jvm *a = x, *b = y;

	if (a->uid != b->uid)
		return a->uid < b->uid ? -1 : 1;
	return a->looked < b->looked ? -1 : a->looked > b->looked;
}

void idle_jvms_begin(struct idle_jvms *q)
{
	size_t of_user = 0;

	if (q->count)
		qsort(q->items, q->count, sizeof(*q->items), by_user);
	for (size_t i = 0; i < q->count; i++) {
		of_user = i && q->items[i].uid == q->items[i - 1].uid ? of_user + 1 : 0;
		q->items[i].is_due = of_user < QUIET_LOOKS;
		q->items[i].is_seen = false;
	}
}

bool idle_jvms_skips(struct idle_jvms *q, const struct jfrec_jvm *jvm)
{
	struct idle_jvm *known = find(q, jvm);

	if (!known)
		return false;
	known->is_seen = true;
	return !known->is_due;
}

/* Best effort: without memory it is looked at in each pass. */
void idle_jvms_note(struct idle_jvms *q, const struct jfrec_jvm *jvm, bool had_nothing)
{
	struct idle_jvm *known = find(q, jvm);

	if (!had_nothing) {
		if (known)
			*known = q->items[--q->count];
	} else if (known) {
		known->looked = ++q->looks;
	} else if (array_reserve(q->items, q->count, q->room)) {
		q->items[q->count++] = (struct idle_jvm){ .pid = jvm->pid,
							  .start_ticks = jvm->start_ticks,
							  .uid = jvm->uid,
							  .looked = ++q->looks,
							  .is_seen = true };
	}
}

void idle_jvms_end(struct idle_jvms *q)
{
	size_t kept = 0;

	for (size_t i = 0; i < q->count; i++) {
		if (q->items[i].is_seen)
			q->items[kept++] = q->items[i];
	}
	q->count = kept;
}

void idle_jvms_fini(struct idle_jvms *q)
{
	free(q->items);
	*q = (struct idle_jvms){ 0 };
}
