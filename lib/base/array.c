/* SPDX-License-Identifier: MIT */
/*
 * array.c - arrays that grow
 */
#include "base/array.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_ROOM 16

void *array_grow(void *items, size_t *room, size_t most, size_t item_size)
{
	size_t wanted = *room > most / 2 ? most : *room * 2;
	void *more;

	if (wanted < FIRST_ROOM)
		wanted = FIRST_ROOM < most ? FIRST_ROOM : most;
	if (wanted <= *room) {
		errno = ENOMEM;
		return NULL;
	}
	more = reallocarray(items, wanted, item_size);
	if (more)
		*room = wanted;
	return more;
}
