/* SPDX-License-Identifier: MIT */
/*
 * turns.c - let users take turns, so that none delays all others
 */
#include "collect/turns.h"

#include <stdlib.h>

static struct turns_owner *owner_of(struct turns *t, uint32_t uid)
{
	for (size_t i = 0; i < t->owner_count; i++) {
		if (t->owners[i].uid == uid)
			return &t->owners[i];
	}
	if (t->owner_count == t->owner_room) {
		size_t room = t->owner_room ? t->owner_room * 2 : 16;
		struct turns_owner *owners = reallocarray(t->owners, room, sizeof(*owners));

		if (!owners)
			return NULL;
		t->owners = owners;
		t->owner_room = room;
	}
	t->owners[t->owner_count] = (struct turns_owner){ .uid = uid, .first = TURNS_END };
	return &t->owners[t->owner_count++];
}

bool turns_add(struct turns *t, uint32_t uid, const void *what, size_t number)
{
	struct turns_owner *owner = owner_of(t, uid);
	size_t i = t->count;

	if (owner && t->count == t->room) {
		size_t room = t->room ? t->room * 2 : 32;
		struct turn *items = reallocarray(t->items, room, sizeof(*items));

		if (!items)
			return false;
		t->items = items;
		t->room = room;
	}
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

const struct turn *turns_next(struct turns *t)
{
	struct turns_owner *least = NULL;
	const struct turn *turn;

	for (size_t i = 0; i < t->owner_count; i++) {
		if (t->owners[i].waiting && (!least || t->owners[i].spent_ns < least->spent_ns))
			least = &t->owners[i];
	}
	if (!least)
		return NULL;
	turn = &t->items[least->first];
	least->first = turn->next;
	least->waiting--;
	return turn;
}

void turns_charge(struct turns *t, const struct turn *turn, int64_t ns)
{
	t->owners[turn->owner].spent_ns += ns;
}

bool turns_cut(struct turns *t, int64_t budget_ns, uint32_t *uid, size_t *count)
{
	for (size_t i = 0; i < t->owner_count; i++) {
		struct turns_owner *owner = &t->owners[i];

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

void turns_fini(struct turns *t)
{
	free(t->items);
	free(t->owners);
	*t = (struct turns){ 0 };
}
