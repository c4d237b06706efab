/* SPDX-License-Identifier: MIT */
/*
 * notes.c - what was found out about a stack, a thread or a text, by its number
 */
#include "analyze/notes.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

bool notes_grow(struct notes *n, uint32_t number)
{
	while (number >= n->room) {
		size_t before = n->room;

		if (!array_reserve(n->list, n->room, n->room))
			return false;
		memset(n->list + before, 0, (n->room - before) * sizeof(*n->list));
	}
	return true;
}

void notes_fini(struct notes *n)
{
	free(n->list);
}
