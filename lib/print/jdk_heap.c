/* SPDX-License-Identifier: MIT */
/*
 * jdk_heap.c - reproduce the order in which the JDK's tool prints events
 */
#include "print/jdk_heap.h"

#include <stdlib.h>

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
