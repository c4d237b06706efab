/* SPDX-License-Identifier: MIT */
/*
 * tape.h - decoded events of a chunk that wait for their turn
 *
 * Rules take events in the order of the chunks. So a thread that is ahead keeps what it has decoded
 * on a tape. The tapes of all chunks share one stock: who finds it empty stops there, and the rest
 * of the chunk is read when its turn has come.
 */
#ifndef JFREC_ANALYZE_TAPE_H
#define JFREC_ANALYZE_TAPE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct tape_block;

/* Blocks that may still be filled. */
struct tape_stock {
	atomic_long left;
};

/* For so many threads; none is needed for one alone. */
void tape_stock_init(struct tape_stock *s, unsigned jobs);

struct taped {
	uint32_t type; /* its index */
	uint16_t slot_count;
	bool only_always; /* it did not pass the filter */
	int64_t start_ns, end_ns;
	const uint8_t *at; /* where it lies in the chunk */
	uint64_t slots[];
};

/* All zero is an empty one. */
struct tape {
	struct tape_block *first, *last;
	struct tape_stock *stock;
	uint32_t at; /* in words of the first, when it is read */
};

/* Is there room for one more event? It stays until the next tape_add(). */
bool tape_reserve(struct tape *t);

/* The next place to be written, with so many slots; after tape_reserve(). */
struct taped *tape_add(struct tape *t, unsigned slot_count);

/* The next to be read, until the next call; NULL: there are no more. */
const struct taped *tape_next(struct tape *t);

void tape_fini(struct tape *t);

#endif
