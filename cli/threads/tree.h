/* SPDX-License-Identifier: MIT */
/*
 * tree.h - who waits for whom, as a tree
 */
#ifndef JFREC_CLI_THREADS_TREE_H
#define JFREC_CLI_THREADS_TREE_H

#include "threads/seen.h"

/* Print the threads that others wait for, and these below them; nothing if there are none. */
void tree_print(const struct threads_seen *s);

/* The threads that wait for this one, and so on, `depth` deep already. */
void tree_print_below(const struct threads_seen *s, size_t thread, unsigned depth);

#endif
