/* SPDX-License-Identifier: MIT */
/*
 * huge.h - huge pages for large blocks of memory
 *
 * What is written for the first time takes a page fault for each 4 KB, or one for each 2 MB of a
 * block that has asked for huge pages.
 */
#ifndef JFREC_BASE_HUGE_H
#define JFREC_BASE_HUGE_H

#include <stddef.h>

/*
 * Ask for huge pages for a block from malloc(), calloc() or realloc(), before it is written; a
 * block that is smaller than two of them stays as it is, and so does one that is NULL.
 */
void huge_pages(void *block, size_t size);

#endif
