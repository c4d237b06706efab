/* SPDX-License-Identifier: MIT */
/*
 * dumps.h - threads at the same place in the first and the last thread dump
 *
 * A wait is recorded when it ends, so one that never does leaves no event. Thread dumps show it: a
 * thread that waits at the same place in all of them, and of which no wait ended meanwhile, has
 * stood there all the time.
 */
#ifndef JFREC_ANALYZE_DUMPS_H
#define JFREC_ANALYZE_DUMPS_H

#include "analyze/rule.h"

enum stuck_in {
	STUCK_NOT,
	STUCK_LOCK,   /* a monitor, or a lock of java.util.concurrent, without a timeout */
	STUCK_FUTURE, /* the result of work that others have to do, in a worker of an executor */
};

/* A thread of a dump. */
struct stand_in_dump {
	uint64_t stack;	     /* a hash of what it shows but for addresses */
	uint32_t name, pool; /* texts; pool: the name without its number */
	uint32_t what,
		place; /* the class of the lock, or ""; the first method that is not the JDK's */
	uint8_t in;    /* enum stuck_in */
};

/* All of them, at that time. */
struct stands {
	int64_t at_ns;
	struct stand_in_dump *threads;
	size_t count, room;
};

struct dumps {
	struct stands first, last;
	uint64_t count;
};

void dumps_take(struct dumps *d, const struct event *e, unsigned field);
void dumps_fini(struct dumps *d);

/* That thread of the last dump, where it stood in the first as well; else NULL. */
const struct stand_in_dump *dumps_standing(const struct dumps *d, size_t i);

/* Do all threads of the last dump whose names have this stem wait for futures? */
bool dumps_pool_waits(const struct dumps *d, uint32_t pool);

#endif
