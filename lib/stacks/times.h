/* SPDX-License-Identifier: MIT */
/*
 * times.h - when stacks were seen, in little memory
 *
 * An entry says that something (a number) weighed so much in a span of time. Spans are 10 ms long
 * and grow when the entries take more than TIMES_MAX bytes, or when there are more spans than the
 * caller wants: so memory is bounded however long the recording is. Entries are kept sorted and
 * packed, in pieces of some ten thousand. What follows an entry of the same span and number is
 * mostly added to it at once.
 */
#ifndef JFREC_STACKS_TIMES_H
#define JFREC_STACKS_TIMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

#define TIMES_MAX (32u << 20)

/* What is added before all that is new is packed. */
#define TIMES_RECENT (1u << 16)

/* Numbers whose latest entries are found again: a power of two. */
#define TIMES_LATEST 4096

struct time_entry {
	int64_t at; /* in spans since 1970 */
	int64_t weight;
	uint32_t id;
};

/* Some entries, in the order of their time and number. */
struct time_piece {
	size_t first, len;   /* of `packed` */
	int64_t begin, last; /* spans */
};

struct times {
	struct time_entry *recent; /* not packed yet */
	uint32_t recent_count, recent_room, added;
	uint32_t *latest; /* by the last bits of a number: where in `recent` it may be; or NULL */
	/* The span of the entry before, when it began, and how long it is; 0: there is none. */
	int64_t at, at_ns;
	uint64_t length_ns;
	struct buffer packed;
	struct time_piece *pieces;
	uint32_t piece_count, piece_room;
	unsigned width; /* number of times_width_ns() */
	int64_t begin, last; /* spans of all pieces */
	uint32_t most_spans; /* longer ones, if there would be more; 0: any number */
};

/* All zero is an empty one. */
void times_fini(struct times *t);

/* The lengths that spans may have: each divides the next. 0 after the last. */
int64_t times_width_ns(unsigned width);

/* times_add() where there may be no entry to add it to, or it is time to pack. */
int times_add_new(struct times *t, int64_t at_ns, uint32_t id, int64_t weight);

/*
 * Add a weight at a time; nothing if it is not above 0, or the time out of all bounds. 0, or -1
 * when memory is gone. Most are added to the latest entry of the number.
 */
static inline int times_add(struct times *t, int64_t at_ns, uint32_t id, int64_t weight)
{
	uint32_t latest = t->latest ? t->latest[id % TIMES_LATEST] : UINT32_MAX;
	struct time_entry *e = latest < t->recent_count ? &t->recent[latest] : NULL;

	if (!e || e->id != id || e->at != t->at || weight <= 0 ||
	    (uint64_t)at_ns - (uint64_t)t->at_ns >= t->length_ns || t->added + 1 >= TIMES_RECENT)
		return times_add_new(t, at_ns, id, weight);
	t->added++;
	e->weight = (int64_t)((uint64_t)e->weight + (uint64_t)weight);
	return 0;
}

/*
 * Call fn with each entry, its time in ns; its result, if not 0, ends it. Entries of one span and
 * number may come several times. 0, what fn returned, or -1 when memory is gone.
 */
typedef int times_fn(void *ctx, int64_t at_ns, uint32_t id, int64_t weight);
int times_each(struct times *t, times_fn *fn, void *ctx);

/* The same of those that may be of a time from begin_ns on and before end_ns, and of some more. */
int times_between(struct times *t, int64_t begin_ns, int64_t end_ns, times_fn *fn, void *ctx);

#endif
