/* SPDX-License-Identifier: MIT */
/*
 * list.h - lists that grow in an arena
 */
#ifndef JFREC_QUERY_LIST_H
#define JFREC_QUERY_LIST_H

#include <string.h>

#include "base/arena.h"

/*
 * The items with room for one more after `count`: a list has room for 4, 8, 16..., so the
 * count says when it is full.  NULL when memory is gone; the old items then remain.
 */
static inline void *list_more(struct arena *a, void *items, size_t count, size_t size)
{
	size_t room = count ? count * 2 : 4;
	void *more;

	if (count && (count < 4 || (count & (count - 1)) != 0))
		return items;
	more = room > SIZE_MAX / 2 / size ? NULL : arena_alloc(a, room * size);
	if (more && count)
		memcpy(more, items, count * size);
	return more;
}

#endif
