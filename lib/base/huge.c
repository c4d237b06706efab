/* SPDX-License-Identifier: MIT */
/*
 * huge.c - huge pages for large blocks of memory
 */
#include "base/huge.h"

#include <stdint.h>
#include <sys/mman.h>

#define HUGE_PAGE (2u << 20)
#define PAGE	  4096u

void huge_pages(void *block, size_t size)
{
	uintptr_t start = (uintptr_t)block & ~(uintptr_t)(PAGE - 1);
	uintptr_t end = ((uintptr_t)block + size + PAGE - 1) & ~(uintptr_t)(PAGE - 1);

	/*
	 * From the first page to the last: a mapping of which a part has been advised is two to the
	 * kernel, and realloc() can move only one.
	 */
	if (block && size >= 2 * HUGE_PAGE)
		madvise((void *)start, end - start, MADV_HUGEPAGE);
}
