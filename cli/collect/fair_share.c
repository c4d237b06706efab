/* SPDX-License-Identifier: MIT */
/*
 * fair_share.c - let users take turns, so that none delays all others
 */
#include "base/array.h"
#include "collect/fair_share.h"

#include <stdlib.h>

static struct fair_share_owner *owner_of(struct fair_share *t, uint32_t uid)
{
	for (size_t i = 0; i < t->owner_count; i++) {
		if (t->owners[i].uid == uid)
			return &t->owners[i];
	}
	if (!array_reserve(t->owners, t->owner_count, t->owner_room))
		return NULL;
	t->owners[t->owner_count] = (struct fair_share_owner){ .uid = uid, .first = TURNS_END };
	return &t->owners[t->owner_count++];
}

bool fair_share_add(struct fair_share *t, uint32_t uid, const void *what, size_t number)
{
	struct fair_share_owner *owner = owner_of(t, uid);
	size_t i = t->count;

	if (owner && !array_reserve(t->items, t->count, t->room))
		return false;
	if (!owner)
		return false;
	t->items[t->count++] =
		(struct turn){ what, number, (size_t)(owner - t->owners), TURNS_END };
	if (owner->first == TURNS_END)
		owner->first = i;
	else
		t->items[owner->last].next = i;
	owner->last = i;
	owner->waiting++;
	return true;
}

/* The one whose slice has not ended, or the user who has had the least time. */
static size_t choose(const struct fair_share *t)
{
	size_t least = TURNS_END;

	if (t->owner_count && t->owners[t->last].waiting &&
	    t->owners[t->last].spent_ns < t->until_ns)
		return t->last;
	for (size_t i = 0; i < t->owner_count; i++) {
		if (t->owners[i].waiting &&
		    (least == TURNS_END || t->owners[i].spent_ns < t->owners[least].spent_ns))
			least = i;
	}
	return least;
}

const struct turn *fair_share_next(struct fair_share *t)
{
	size_t i = choose(t);
	const struct turn *turn;

	if (i == TURNS_END)
		return NULL;
	if (i != t->last || t->owners[i].spent_ns >= t->until_ns)
		t->until_ns = t->owners[i].spent_ns + TURNS_SLICE_NS;
	t->last = i;
	turn = &t->items[t->owners[i].first];
	t->owners[i].first = turn->next;
	t->owners[i].waiting--;
	return turn;
}

void fair_share_charge(struct fair_share *t, const struct turn *turn, int64_t ns)
{
	t->owners[turn->owner].spent_ns += ns;
}

bool fair_share_cut(struct fair_share *t, int64_t budget_ns, uint32_t *uid, size_t *count)
{
	for (size_t i = 0; i < t->owner_count; i++) {
		struct fair_share_owner *owner = &t->owners[i];

		if (!owner->waiting || owner->spent_ns <= budget_ns)
			continue;
		*uid = owner->uid;
		*count = owner->waiting;
		owner->waiting = 0;
		owner->first = TURNS_END;
		return true;
	}
	return false;
}

void fair_share_fini(struct fair_share *t)
{
	free(t->items);
	free(t->owners);
	*t = (struct fair_share){ 0 };
}
