/* SPDX-License-Identifier: MIT */
/*
 * arena.c - allocate many small objects and free them all at once
 */
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define FIRST_BLOCK (16u << 10)

/* A huge page: an arena that has grown this far takes one page fault for 512. */
#define LARGEST_BLOCK (2u << 20)
#define ALIGN	      16u

struct arena_block {
	struct arena_block *older;
	size_t size;
	_Alignas(ALIGN) char data[];
};

#define LARGE_DATA (LARGEST_BLOCK - sizeof(struct arena_block))

static void *map(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* Twice as much has an aligned block in it; what is around that goes back. */
static void *map_around(void)
{
	char *p = map(2 * (size_t)LARGEST_BLOCK);
	size_t lead = -(uintptr_t)p % LARGEST_BLOCK;

	if (!p)
		return NULL;
	if (lead)
		munmap(p, lead);
	munmap(p + lead + LARGEST_BLOCK, LARGEST_BLOCK - lead);
	return p + lead;
}

/*
 * malloc() could not use the place of an aligned block for the next one, since it looks for one
 * that is twice as large.  Newer kernels align a mapping of that size by themselves.
 */
static void *map_large_block(void)
{
	void *p = map(LARGEST_BLOCK);

	if (p && (uintptr_t)p % LARGEST_BLOCK) {
		munmap(p, LARGEST_BLOCK);
		p = map_around();
	}
	if (p)
		madvise(p, LARGEST_BLOCK, MADV_HUGEPAGE);
	return p;
}

static struct arena_block *get_large_block(struct arena *a)
{
	struct arena_block *b = a->spare;

	if (!b)
		return map_large_block();
	a->spare = b->older;
	return b;
}

static void free_block(struct arena_block *b)
{
	if (b->size == LARGE_DATA)
		munmap(b, LARGEST_BLOCK);
	else
		free(b);
}

static void *own_block(struct arena *a, size_t size)
{
	struct arena_block *b = size == LARGE_DATA ? get_large_block(a) : malloc(sizeof(*b) + size);

	if (!b)
		return NULL;
	b->older = a->blocks;
	b->size = size;
	a->blocks = b;
	a->total += sizeof(*b) + size;
	return b->data;
}

static void *alloc_slow(struct arena *a, size_t size)
{
	size_t block = a->block_size ? a->block_size : FIRST_BLOCK;
	char *data;

	/* A large object gets a block of its own; the one in use keeps what it has left. */
	if (size > block / 4)
		return own_block(a, size);
	data = own_block(a, block);
	if (!data)
		return NULL;
	a->next = data + size;
	a->end = data + block;
	a->block_size = block * 2 < LARGE_DATA ? block * 2 : LARGE_DATA;
	return data;
}

void *arena_alloc(struct arena *a, size_t size)
{
	void *p;

	if (size > SIZE_MAX - 2 * ALIGN - sizeof(struct arena_block))
		return NULL;
	size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if (size > (size_t)(a->end - a->next))
		return alloc_slow(a, size);
	p = a->next;
	a->next += size;
	return p;
}

void *arena_zalloc(struct arena *a, size_t count, size_t size)
{
	size_t total;
	void *p;

	if (__builtin_mul_overflow(count, size, &total))
		return NULL;
	p = arena_alloc(a, total);
	return p ? memset(p, 0, total) : NULL;
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
	char *p = arena_alloc(a, len + 1);

	if (!p)
		return NULL;
	if (len)
		memcpy(p, s, len);
	p[len] = '\0';
	return p;
}

static void free_blocks(struct arena_block *b)
{
	while (b) {
		struct arena_block *older = b->older;

		free_block(b);
		b = older;
	}
}

void arena_clear(struct arena *a)
{
	struct arena_block *kept = a->blocks;

	if (!kept)
		return;
	free_blocks(kept->older);
	kept->older = NULL;
	a->total = sizeof(*kept) + kept->size;
	a->next = kept->data;
	a->end = kept->data + kept->size;
}

void arena_recycle(struct arena *a)
{
	struct arena_block *b = a->blocks, *spare = a->spare, *small = NULL;

	while (b) {
		struct arena_block *older = b->older,
				   **list = b->size == LARGE_DATA ? &spare : &small;

		b->older = *list;
		*list = b;
		b = older;
	}
	free_blocks(small);
	*a = (struct arena){ .spare = spare };
}

void arena_fini(struct arena *a)
{
	free_blocks(a->blocks);
	free_blocks(a->spare);
	*a = (struct arena){ 0 };
}
