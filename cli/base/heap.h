/* SPDX-License-Identifier: MIT */
/*
 * heap.h - the heap of commands that read recordings, in huge pages
 */
#ifndef JFREC_CLI_BASE_HEAP_H
#define JFREC_CLI_BASE_HEAP_H

#include <stdint.h>

/*
 * Let malloc() have its memory in large pieces, and these in huge pages where the kernel has some:
 * what is written for the first time takes one page fault for 2 MB, not 512.  Of the budget, in
 * bytes, a small part is set aside for that; it is not used before it is needed.  To be called
 * once, before there are threads.  With a libc that cannot be told, nothing happens.
 */
void heap_begin(uint64_t budget);

#endif
