/* SPDX-License-Identifier: MIT */
/*
 * seen.h - thread dumps of one JVM or file, and what they show
 */
#ifndef JFREC_CLI_THREADS_SEEN_H
#define JFREC_CLI_THREADS_SEEN_H

#include "jfrec-tool.h"

/* The CPU that a thread took while it was looked at. */
struct hot_thread {
	size_t thread; /* of the last dump */
	int64_t cpu_ns;
};

enum finding_kind {
	FINDING_DEADLOCK,
	FINDING_STARVED_POOL,	 /* all workers wait for what only a worker would do */
	FINDING_STANDING_POOL,	 /* all workers stand in one call while others wait for results */
	FINDING_STANDING_HOLDER, /* a thread stands that has what others wait for */
};

struct thread_finding {
	enum finding_kind kind;
	size_t number; /* of the deadlock, the pool or the thread in the last dump */
};

struct threads_seen {
	struct jfrec_thread_dumps *dumps;
	const struct jfrec_thread_dump *last; /* what is answered from */
	/* From the first dump to the last; NULL: there is one only. */
	struct jfrec_thread_change *changes;
	size_t change_count;
	int64_t window_ns; /* in which the CPU was taken; 0: not told */
	struct hot_thread *hot; /* the hottest first */
	size_t hot_count;
	struct thread_finding *findings; /* deadlocks first */
	size_t finding_count;
};

/* Begin.  EXIT_DONE, or another exit code, after saying why. */
int threads_seen_init(struct threads_seen *s);

/*
 * All dumps are there: compare, and judge.  EXIT_DONE, or another exit code, after saying why.
 * s->hot may have been set already.
 */
int threads_seen_finish(struct threads_seen *s);

void threads_seen_fini(struct threads_seen *s);

bool threads_seen_deadlock(const struct threads_seen *s);

#endif
