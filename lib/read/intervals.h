/* SPDX-License-Identifier: MIT */
/*
 * intervals.h - when threads were busy with something: spans of time, by thread
 *
 *	intervals_add() of each span, in any order --> intervals_sort() --> intervals_touch()
 *
 * Spans of one thread that overlap, or lie in one another, are one once they are sorted.
 */
#ifndef JFREC_READ_INTERVALS_H
#define JFREC_READ_INTERVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/idmap.h"

/* From its first moment to before its end, in ns since 1970. */
struct interval {
	int64_t begin_ns, end_ns;
	uint32_t thread; /* its number here */
};

/* All zero is none at all. */
struct intervals {
	struct interval *items; /* once they are sorted: by thread and time, and apart */
	size_t count, room;
	struct idmap threads; /* the caller's id, to a number */
	size_t *first;	      /* of each thread, and where the last one's end; once sorted */
};

/* What intervals_thread() gives for a thread without any. */
#define NO_THREAD IDMAP_NONE

void intervals_fini(struct intervals *s);

/*
 * Add a span of the thread of that id, which is the caller's choice; one that ends before it begins
 * is none. 0, or -1 when memory is gone.
 */
int intervals_add(struct intervals *s, uint64_t thread, int64_t begin_ns, int64_t end_ns);

/* After the last one. 0, or -1 when memory is gone. */
int intervals_sort(struct intervals *s);

/* The thread's number, or NO_THREAD. */
static inline uint32_t intervals_thread(const struct intervals *s, uint64_t thread)
{
	return idmap_get(&s->threads, thread);
}

/*
 * Does any span of the thread of that number share a moment with this one?  One that ends when it
 * begins is that moment.
 */
bool intervals_touch(const struct intervals *s, uint32_t thread, int64_t begin_ns, int64_t end_ns);

#endif
