/* SPDX-License-Identifier: MIT */
/*
 * order.c - the orders in which the JDK's tool prints events
 */
#include "print/order.h"

#include <stdlib.h>
#include <string.h>

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

/* The heap ---------------------------------------------------------------------------------------
 */

static int heap_grow(struct heap *h)
{
	size_t room = h->room ? h->room * 2 : 1024;
	int64_t *ns = reallocarray(h->ns, room, sizeof(*ns));
	struct heap_ref *refs;

	if (!ns)
		return -1;
	h->ns = ns;
	refs = reallocarray(h->refs, room, sizeof(*refs));
	if (!refs)
		return -1;
	h->refs = refs;
	h->room = room;
	return 0;
}

/* Where two times are the same, which is rare, the bit decides. */
static inline bool is_before(int64_t ns, struct heap_ref ref, int64_t other_ns,
			     const struct heap_ref *other)
{
	return __builtin_expect(ns == other_ns, 0) ? ref.is_end < other->is_end : ns < other_ns;
}

static inline void heap_move(struct heap *h, size_t to, size_t from)
{
	h->ns[to] = h->ns[from];
	h->refs[to] = h->refs[from];
}

int heap_offer(struct heap *h, struct heap_item item)
{
	size_t k;

	if (h->count + 1 >= h->room && heap_grow(h) < 0)
		return -1;
	for (k = ++h->count; k > 1; k /= 2) {
		if (!is_before(item.ns, item.ref, h->ns[k / 2], &h->refs[k / 2]))
			break;
		heap_move(h, k, k / 2);
	}
	h->ns[k] = item.ns;
	h->refs[k] = item.ref;
	return 0;
}

/*
 * The lesser of the children of k: the left one, unless the right one is before
 * it.  No predictor knows which, so there is no branch, and since then nothing
 * fetches ahead, this asks for the fourth generation.
 */
static inline size_t lesser_child(const struct heap *h, size_t k)
{
	const int64_t *children = &h->ns[2 * k];
	bool right = children[1] < children[0];

	__builtin_prefetch(&h->ns[16 * k]);
	__builtin_prefetch(&h->ns[16 * k + 8]);
	__builtin_prefetch(&h->refs[16 * k]);
	__builtin_prefetch(&h->refs[16 * k + 8]);
	if (__builtin_expect(children[1] == children[0], 0))
		right = h->refs[2 * k + 1].is_end < h->refs[2 * k].is_end;
	return 2 * k + right;
}

/*
 * PriorityQueue moves the last item to the root and sifts it down until no
 * child is before it.  It nearly always ends at a leaf.  So the hole goes down
 * to a leaf first, along the lesser children, and the item climbs up from
 * there: over whatever is not before it, which is where the JDK puts it.
 */
struct heap_item heap_poll(struct heap *h)
{
	struct heap_item first = { h->ns[1], h->refs[1] };
	struct heap_item last = { h->ns[h->count], h->refs[h->count] };
	size_t k = 1;

	h->count--;
	while (2 * k + 1 <= h->count) {
		size_t child = lesser_child(h, k);

		heap_move(h, k, child);
		k = child;
	}
	if (2 * k <= h->count) {
		heap_move(h, k, 2 * k);
		k = 2 * k;
	}
	for (; k > 1 && !is_before(h->ns[k / 2], h->refs[k / 2], last.ns, &last.ref); k /= 2)
		heap_move(h, k, k / 2);
	h->ns[k] = last.ns;
	h->refs[k] = last.ref;
	return first;
}

void heap_fini(struct heap *h)
{
	free(h->ns);
	free(h->refs);
	*h = (struct heap){ 0 };
}
