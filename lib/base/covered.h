/* SPDX-License-Identifier: MIT */
/*
 * covered.h - the time that spans cover, each moment of it once
 */
#ifndef JFREC_BASE_COVERED_H
#define JFREC_BASE_COVERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed: nothing is covered. */
struct covered {
	struct covered_span {
		int64_t start_ns, end_ns;
	} *list;
	size_t count, room;
};

/*
 * Spans may overlap and come in any order; one that ends before it starts covers nothing.
 * False: no memory.
 */
bool covered_add(struct covered *c, int64_t start_ns, int64_t end_ns);

/* How long all are together. */
int64_t covered_ns(struct covered *c);

void covered_fini(struct covered *c);

#endif
