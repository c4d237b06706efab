/* SPDX-License-Identifier: MIT */
/*
 * bounds.h - where the stacks of threads lie, so that they can be copied
 */
#ifndef JFREC_RECORDER_STACK_BOUNDS_H
#define JFREC_RECORDER_STACK_BOUNDS_H

#include <stddef.h>
#include <stdint.h>

/* A stack: from low to high there is memory as long as its thread lives.  high is given. */
struct bounds {
	uint64_t low, high; /* low: 0 is not known */
};

/* Find low for each.  Those of threads have to end with a page that must not be touched. */
void bounds_find(struct bounds *b, size_t count);

#endif
