/* SPDX-License-Identifier: MIT */
/*
 * coarsen.h - fewer samples, as jfrconv's --grain makes them
 *
 * The samples of a stack are divided by the grain and rounded. The remainder is carried over to
 * the next stack, so the sum is right to one sample, but which stack gets a whole one depends on
 * their order: that of jfrconv's hash table, which is built here as it builds it.
 */
#ifndef JFREC_STACKS_COARSEN_H
#define JFREC_STACKS_COARSEN_H

#include <stdbool.h>
#include <stddef.h>

#include "stacks/tree.h"

/* Samples of one stack, thread and class. Rows that have all of these in common are one group. */
struct coarse_row {
	int32_t stack;
	int32_t thread; /* 0: threads are not told apart */
	int32_t leaf;	/* a class, or a method */
	bool is_outside; /* an allocation outside of a buffer */
	/* in: what it is; out: what it becomes, all of the group in its first row */
	struct weight weight;
};

/* The rows are in the order in which they were first seen. 0, or -1 when memory is gone. */
int coarsen(struct coarse_row *rows, size_t count, double grain);

#endif
