/* SPDX-License-Identifier: MIT */
/*
 * watched.h - one JVM that is observed
 */
#ifndef JFREC_LOAD_WATCHED_H
#define JFREC_LOAD_WATCHED_H

#include "jfrec-tool.h"
#include "load/counters.h"
#include "load/quotas.h"
#include "load/stat.h"

/* Of one look. */
struct reading {
	int64_t at_ns; /* monotonic */
	struct stat_line stat;
	bool has_counters;
	struct counters counters;
};

/* A thread as it was at the last reading of all threads. */
struct thread_seen {
	int tid;
	uint64_t start_ticks, ticks;
};

struct watched {
	struct jfrec_load load; /* what is shown */
	struct jfrec_jvm jvm;	/* whose strings belong to the list of JVMs */
	struct process process;
	int counters_fd; /* of its performance data; -1 */
	unsigned counters_tries;
	struct jfrec_error counters_error; /* why there is none */
	struct quotas quotas;
	/* When what seldom changes was found, monotonic; 0: never. */
	int64_t quotas_at_ns, recording_at_ns;
	struct reading last; /* .at_ns 0: there is none */
	/* By tid. */
	struct thread_seen *threads;
	size_t thread_count;
	int64_t threads_at_ns;
};

/* To be freed; NULL with *err set: it has ended, we may not see it, or memory is gone. */
struct watched *watched_new(const struct jfrec_jvm *jvm, struct jfrec_error *err);

/* NULL is allowed. */
void watched_free(struct watched *w);

/* Take a reading. False: it has ended. */
bool watched_look(struct watched *w);

/* jfrec_loads_threads() */
size_t watched_threads(struct watched *w, struct jfrec_thread_load *list, size_t most,
		       size_t *total);

#endif
