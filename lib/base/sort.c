/* SPDX-License-Identifier: MIT */
/*
 * sort.c - a stable radix sort of events by time
 */
#include "base/sort.h"

#include <stdlib.h>

#define DIGIT_BITS 11
#define DIGITS	   (1u << DIGIT_BITS)

static void *grow(void *items, size_t count, size_t *room, size_t item_size)
{
	size_t more = *room ? *room * 2 : 1024;
	void *bigger;

	if (count < *room)
		return items;
	bigger = reallocarray(items, more, item_size);
	if (bigger)
		*room = more;
	return bigger;
}

int sort_add(struct sort_list *l, int64_t key, uint64_t value)
{
	struct sort_item *items = grow(l->items, l->count, &l->room, sizeof(*items));

	if (!items)
		return -1;
	l->items = items;
	items[l->count++] = (struct sort_item){ key, value };
	return 0;
}

void sort_fini(struct sort_list *l)
{
	free(l->items);
	*l = (struct sort_list){ 0 };
}

static uint64_t unsigned_key(int64_t key, int64_t least)
{
	return (uint64_t)key - (uint64_t)least;
}

/* One pass of a radix sort, which is stable: by the digit at `shift`. */
static void sort_by_digit(const struct sort_item *from, struct sort_item *to, size_t n,
			  int64_t least, unsigned shift)
{
	size_t starts[DIGITS] = { 0 }, sum = 0;

	for (size_t i = 0; i < n; i++)
		starts[unsigned_key(from[i].key, least) >> shift & (DIGITS - 1)]++;
	for (size_t d = 0; d < DIGITS; d++) {
		size_t count = starts[d];

		starts[d] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++)
		to[starts[unsigned_key(from[i].key, least) >> shift & (DIGITS - 1)]++] = from[i];
}

static void insertion_sort(struct sort_item *items, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct sort_item item = items[i];
		size_t k = i;

		for (; k && items[k - 1].key > item.key; k--)
			items[k] = items[k - 1];
		items[k] = item;
	}
}

int sort_items(struct sort_list *l)
{
	struct sort_item *from = l->items, *to;
	int64_t least = INT64_MAX, most = INT64_MIN;
	unsigned shift;

	if (l->count < 64) {
		insertion_sort(l->items, l->count);
		return 0;
	}
	to = malloc(l->count * sizeof(*to));
	if (!to)
		return -1;
	for (size_t i = 0; i < l->count; i++) {
		least = from[i].key < least ? from[i].key : least;
		most = from[i].key > most ? from[i].key : most;
	}
	for (shift = 0; shift < 64 && unsigned_key(most, least) >> shift; shift += DIGIT_BITS) {
		struct sort_item *sorted = to;

		sort_by_digit(from, to, l->count, least, shift);
		to = from;
		from = sorted;
	}
	l->items = from;
	l->room = l->count;
	free(to);
	return 0;
}
