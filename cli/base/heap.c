/* SPDX-License-Identifier: MIT */
/*
 * heap.c - the heap of commands that read recordings, in huge pages
 */
#include "base/heap.h"

#ifdef __GLIBC__
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define MB (UINT64_C(1) << 20)

#define HUGE_PAGE (2 * MB)

/* What small commands take stays in pages of 4 KB, which cost less for so little. */
#define SMALL (1 * MB)

/*
 * Most answers fit. What needs more gets it as any program does. What is freed in here is used
 * again, but not given back.
 */
#define LARGEST (48 * MB)

/* Libc has less than that in hand at first. */
#define FIRST_BLOCK (256 << 10)

/* From then on larger blocks are mappings of their own. */
#define LARGE_BLOCK (2 * MB)

/* The heap grows by so much when that is used up. */
#define LATER_PIECE (1 * MB)

/* Have the heap grow by so much, for a first block, and not shrink while it is little larger. */
static void *grow(uint64_t piece)
{
	void *first;

	mallopt(M_MMAP_THRESHOLD, (int)LARGE_BLOCK);
	mallopt(M_TRIM_THRESHOLD, (int)(piece + piece / 8));
	mallopt(M_TOP_PAD, (int)piece);
	first = malloc(FIRST_BLOCK);
	/* The heap of each thread would begin as large. */
	mallopt(M_TOP_PAD, (int)LATER_PIECE);
	return first;
}

void heap_begin(uint64_t budget)
{
	uint64_t piece = budget / 4 < LARGEST ? budget / 4 : LARGEST;
	void *first = grow(piece);
	uintptr_t start = ((uintptr_t)first + SMALL + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
	uintptr_t end = (uintptr_t)sbrk(0) / HUGE_PAGE * HUGE_PAGE;

	/* Where the heap could not grow in its place, the block is elsewhere. */
	if (first && start < end && end - start <= piece)
		madvise((void *)start, end - start, MADV_HUGEPAGE);
	free(first);
}
#else
void heap_begin(uint64_t budget)
{
	(void)budget;
}
#endif
