/* SPDX-License-Identifier: MIT */
/*
 * jdk_heap.h - reproduce the order in which the JDK's tool prints events
 */
#ifndef JFREC_PRINT_JDK_HEAP_H
#define JFREC_PRINT_JDK_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Text: one heap over all chunks. */
struct heap_item {
	int64_t ns;
	struct heap_ref {
		uint64_t is_end : 1; /* at one time, contexts begin before anything ends */
		uint64_t tag : 2;    /* the caller's */
		uint64_t chunk : 20; /* the caller's number */
		uint64_t offset : 41;
	} ref;
};

/* What the bit fields hold. */
#define HEAP_MAX_CHUNK	((1u << 20) - 1)
#define HEAP_MAX_OFFSET ((UINT64_C(1) << 41) - 1)

/*
 * java.util.PriorityQueue, whose order of equal items is visible in the JDK's text.
 *
 * A million items are waiting, and taking one out goes through twenty of them,
 * each of which must be there before the next one is known.  So what is
 * compared lies by itself, and the root is item 1: two siblings are then never
 * in different cache lines.
 */
struct heap {
	int64_t *ns;
	struct heap_ref *refs;
	size_t count, room;
};

/* The item that would be taken i-th if no others moved up; i < count. */
static inline const struct heap_ref *heap_peek(const struct heap *h, size_t i)
{
	return &h->refs[1 + i];
}

/* 0, or -1 when memory is gone. */
int heap_offer(struct heap *h, struct heap_item item);

/* Take the first; the heap must not be empty. */
struct heap_item heap_poll(struct heap *h);

void heap_fini(struct heap *h);

#endif
