/* SPDX-License-Identifier: MIT */
/*
 * array.h - arrays that grow
 *
 * A pointer, a count, and the number of items that there is room for.
 *
 * The same as the library's base/array.h, which is not public.
 */
#ifndef JFREC_CLI_COMMON_ARRAY_H
#define JFREC_CLI_COMMON_ARRAY_H

#include <stdbool.h>
#include <stdlib.h>

/* Twice the room.  NULL: out of memory; items and *room are as they were. */
static inline void *array_grow(void *items, size_t *room, size_t item_size)
{
	size_t wanted = *room > SIZE_MAX / 2 ? SIZE_MAX : *room * 2;
	void *more = reallocarray(items, wanted ? wanted : 16, item_size);

	if (more)
		*room = wanted ? wanted : 16;
	return more;
}

/* Make room for one more item.  False: there is none, and nothing has changed. */
#define array_reserve(items, count, room)                                            \
	((count) < (room) || __extension__({                                         \
		 void *array_items = array_grow((items), &(room), sizeof(*(items))); \
                                                                                     \
		 if (array_items)                                                    \
			 (items) = array_items;                                      \
		 array_items != NULL;                                                \
	 }))

/* Add an item.  False: there is no room for it, and nothing has changed. */
#define array_push(items, count, room, ...) \
	(array_reserve(items, count, room) && ((items)[(count)++] = (__VA_ARGS__), true))

#endif
