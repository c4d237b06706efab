/* SPDX-License-Identifier: MIT */
/*
 * within.h - when threads were in a traced method or tagged span
 */
#ifndef JFREC_STACKS_WITHIN_H
#define JFREC_STACKS_WITHIN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/idmap.h"
#include "format/clock.h"

/* A span begins or ends. */
struct span_edge {
	int64_t at_ns;
	int32_t thread;
	int32_t depth; /* 1, or -1; once they are sorted: spans that are open from here on */
};

/* All zero is an empty one. */
struct within {
	struct span_edge *edges; /* once they are sorted: by thread and time */
	size_t count, room;
	struct idmap threads; /* to the number of their first edge */
};

void within_fini(struct within *w);

/* Add a span. 0, or -1 when memory is gone. */
int within_add(struct within *w, int32_t thread, int64_t begin_ns, int64_t end_ns);

/* After the last one. 0, or -1 when memory is gone. */
int within_sort(struct within *w);

/* Was the thread in a span at that time? Their first moment counts, their last does not. */
bool within_has(const struct within *w, int32_t thread, int64_t at_ns);

/* A time of a chunk as jfrconv works it out, for spans and samples alike. */
int64_t within_time_ns(const struct chunk_header *h, int64_t ticks);

#endif
