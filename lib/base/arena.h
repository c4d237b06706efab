/* SPDX-License-Identifier: MIT */
/*
 * arena.h - allocate many small objects and free them all at once
 */
#ifndef JFREC_BASE_ARENA_H
#define JFREC_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct arena_block;

/* All zero is an empty arena. */
struct arena {
	struct arena_block *blocks; /* newest first */
	char *next, *end;	    /* what is left of the newest */
	size_t total;		    /* bytes got from the system */
	size_t block_size;	    /* of the next block; grows */
	struct arena_block *spare;  /* large blocks for later, see arena_recycle() */
};

/* Aligned for any object, not zeroed; NULL when memory is gone. */
void *arena_alloc(struct arena *a, size_t size);

/* Zeroed memory for count objects; NULL when memory is gone or the product overflows. */
void *arena_zalloc(struct arena *a, size_t count, size_t size);

/* A copy that ends in NUL. */
char *arena_strndup(struct arena *a, const char *s, size_t len);

/* Forget everything, but keep the newest block for what comes next. */
void arena_clear(struct arena *a);

/*
 * Forget everything, but keep the large blocks: for arenas that are filled and
 * emptied again and again, where the system's zeroing of pages would show.
 */
void arena_recycle(struct arena *a);

/* Free everything; the arena is empty again. */
void arena_fini(struct arena *a);

#endif
