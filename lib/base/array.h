/* SPDX-License-Identifier: MIT */
/*
 * array.h - arrays that grow
 *
 * An array is a pointer, a count, and the number of items that there is room for:
 *
 *	struct name *names;
 *	size_t count, room;
 *
 *	if (!array_push(l->names, l->count, l->room, (struct name){ text, len }))
 *		return jfrec_fail_memory(err);
 *
 * All three start as 0; free() the pointer.  count and room may be of any unsigned type: an
 * array whose next item could not be counted cannot grow, as if memory were gone.
 */
#ifndef JFREC_BASE_ARRAY_H
#define JFREC_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Twice the room, but at most `most`.  NULL: out of memory, or *room is `most` already; items
 * and *room are as they were.
 */
void *array_grow(void *items, size_t *room, size_t most, size_t item_size);

/* Make room for one more item.  False: there is none, and nothing has changed. */
#define array_reserve(items, count, room)                                                      \
	((count) < (room) || __extension__({                                                   \
		 size_t array_room = (room);                                                   \
		 void *array_items = array_grow((items), &array_room,                          \
						(__typeof__(room))-1, sizeof(*(items)));       \
                                                                                               \
		 if (array_items) {                                                            \
			 (items) = array_items;                                                \
			 (room) = (__typeof__(room))array_room;                                \
		 }                                                                             \
		 array_items != NULL;                                                          \
	 }))

/* Add an item.  False: there is no room for it, and nothing has changed. */
#define array_push(items, count, room, ...)                                                    \
	(array_reserve(items, count, room) && ((items)[(count)++] = (__VA_ARGS__), true))

#endif
