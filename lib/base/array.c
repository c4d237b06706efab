/* SPDX-License-Identifier: MIT */
/*
 * array.c - arrays that grow
 */
#include "base/array.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/huge.h"

#define FIRST_ROOM 16

void *array_grow(void *items, size_t *room, size_t most, size_t item_size)
{
	size_t wanted = *room > most / 2 ? most : *room * 2, size;
	void *more;

	if (wanted < FIRST_ROOM)
		wanted = FIRST_ROOM < most ? FIRST_ROOM : most;
	/* What is too large for realloc() is not asked for: sanitizers would end the program. */
	if (wanted <= *room || __builtin_mul_overflow(wanted, item_size, &size) ||
	    size > PTRDIFF_MAX) {
		errno = ENOMEM;
		return NULL;
	}
	more = realloc(items, size);
	if (!more)
		return NULL;
	huge_pages(more, size);
	*room = wanted;
	return more;
}
