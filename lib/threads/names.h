/* SPDX-License-Identifier: MIT */
/*
 * names.h - one name for threads whose names differ by a number
 */
#ifndef JFREC_THREADS_NAMES_H
#define JFREC_THREADS_NAMES_H

#include "threads/dump.h"

/*
 * "pool-1-thread-*" for these threads; the name, if all have the same; "*", if they have nothing in
 * common.  NULL: out of memory.
 */
const char *names_pattern(struct dump *d, const size_t *threads, size_t count);

/* How long the name is without the number at its end. */
size_t name_stem(const char *name);

#endif
