/* SPDX-License-Identifier: MIT */
/*
 * leaks.h - blocks of native memory that were not freed
 *
 * A chunk's calls of malloc and free are sorted by time; what they come to is a block for each
 * address: allocated at last, or freed at last. Chunk after chunk that is carried on to a list of
 * all addresses. At the end, what is still there has leaked, unless it is so young that it may
 * yet be freed.
 */
#ifndef JFREC_STACKS_LEAKS_H
#define JFREC_STACKS_LEAKS_H

#include <stddef.h>

#include "base/idmap.h"
#include "stacks/tree.h"

/* Of the time, the last part whose blocks may yet be freed, if the caller does not say so. */
#define LEAK_TAIL 0.1

/* What became of an address in a chunk. */
struct block {
	uint64_t address;
	int64_t size;
	int64_t at;    /* as ages are compared: in ns, or in ticks for jfrconv */
	int64_t at_ns; /* since 1970 */
	int32_t stack, thread; /* keys, as jfrconv cuts them */
	uint32_t row;  /* of the stack; NODE_NONE: its call is left out */
	bool is_live;
	bool was_freed; /* before it was allocated at last */
};

/* Calls of one chunk. All zero is an empty list. */
struct block_list {
	struct block *list;
	size_t count, room;
	int64_t first, last; /* `at` of all calls */
};

/* Add a call: of free, unless is_live. 0, or -1 when memory is gone. */
int block_list_add(struct block_list *l, struct block b);

/* Have one block of each address: what became of it. 0, or -1 when memory is gone. */
int block_list_settle(struct block_list *l);

void block_list_fini(struct block_list *l);

/* An address, over all chunks. */
struct leak {
	struct block block; /* its row is not used */
	uint32_t path;	    /* node of `paths` */
	bool is_stackless;
	uint64_t order; /* by which jfrconv tells them apart when it adds them up */
};

/* All of one profile. All zero is an empty one. */
struct leaks {
	struct leak *list;
	size_t count, room, live, most_live;
	uint64_t orders;
	struct idmap by_address;
	struct tree paths; /* the stacks, with the kinds of frames told apart */
	bool has_calls;
	int64_t first, last;
};

void leaks_fini(struct leaks *l);

/* Note when the first and the last call was. */
void leaks_span(struct leaks *l, const struct block_list *calls);

/* Carry a block on, whose stack is that path. 0, or -1 when memory is gone. */
int leaks_carry(struct leaks *l, const struct block *b, uint32_t path, bool is_stackless);

/* The path of those frames, the root first. NODE_NONE when memory is gone. */
uint32_t leaks_path(struct leaks *l, const uint32_t *frames, uint32_t count);

/* The frames of a path, the root first, to `frames`, which has room for STACKS_MAX_DEPTH. */
uint32_t leaks_frames(const struct leaks *l, uint32_t path, uint32_t *frames);

/*
 * Keep those that are still there, and no younger than all but the last part (`tail`) of the time;
 * in the order in which jfrconv would add them up. An address is known no more then.
 */
void leaks_settle(struct leaks *l, double tail);

#endif
