/* SPDX-License-Identifier: MIT */
/*
 * order.h - the orders in which the JDK's tool prints events
 *
 * Only small records are ordered, never decoded events.
 */
#ifndef JFREC_PRINT_ORDER_H
#define JFREC_PRINT_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* JSON and XML: stable by end ticks within a chunk ------------------------------------------------ */

struct sort_item {
	int64_t key;
	uint64_t value;
};

struct sort_list {
	struct sort_item *items;
	size_t count, room;
};

/* 0, or -1 when memory is gone. */
int sort_add(struct sort_list *l, int64_t key, uint64_t value);

/* Ascending by key; equal keys keep their order. 0, or -1 when memory is gone. */
int sort_items(struct sort_list *l);

void sort_fini(struct sort_list *l);

/* Text: one heap over all chunks -------------------------------------------------------------------- */

struct heap_item {
	int64_t ns;
	bool is_end;    /* at one time, contexts begin before anything ends */
	uint8_t tag;    /* the caller's */
	uint32_t chunk; /* the caller's number */
	uint64_t offset;
};

/* java.util.PriorityQueue, whose order of equal items is visible in the JDK's text. */
struct heap {
	struct heap_item *items;
	size_t count, room;
};

/* 0, or -1 when memory is gone. */
int heap_offer(struct heap *h, struct heap_item item);

/* Take the first; the heap must not be empty. */
struct heap_item heap_poll(struct heap *h);

void heap_fini(struct heap *h);

#endif
