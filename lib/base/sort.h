/* SPDX-License-Identifier: MIT */
/*
 * sort.h - a stable radix sort of events by time
 *
 * Only records of a key and a place are sorted, never decoded events.
 */
#ifndef JFREC_BASE_SORT_H
#define JFREC_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

struct sort_item {
	int64_t key;
	uint64_t value;
};

/* All zero is an empty list. */
struct sort_list {
	struct sort_item *items;
	size_t count, room;
};

/* Make room for one more. 0, or -1 when memory is gone. */
int sort_grow(struct sort_list *l);

/* 0, or -1 when memory is gone. */
static inline int sort_add(struct sort_list *l, int64_t key, uint64_t value)
{
	if (l->count == l->room && sort_grow(l) < 0)
		return -1;
	l->items[l->count++] = (struct sort_item){ key, value };
	return 0;
}

/* Ascending by key; equal keys keep their order. 0, or -1 when memory is gone. */
int sort_items(struct sort_list *l);

void sort_fini(struct sort_list *l);

#endif
