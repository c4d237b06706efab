/* SPDX-License-Identifier: MIT */
/*
 * headroom.h - how many threads, descriptors and bytes a process may still take
 *
 * A JVM that is asked for something and cannot start a thread for it ends: HotSpot takes a listener
 * that does not start for an error in its own initialisation.  So what a command makes it create is
 * held against its limits before it is asked.
 *
 * Read from /proc and the cgroups; what cannot be seen does not count.
 */
#ifndef JFREC_PROCESS_HEADROOM_H
#define JFREC_PROCESS_HEADROOM_H

#include "process/process.h"

/* Left where no limit is known. */
#define HEADROOM_ANY UINT64_MAX

/* The limit that leaves least. */
struct headroom {
	uint64_t left, used, limit; /* left: HEADROOM_ANY, and then nothing else is set */
	char what[120];		    /* "pids.max of its cgroup /app" */
};

/*
 * Threads: pids.max of its cgroup and all that this is in, RLIMIT_NPROC against the threads of its
 * user where that binds it, pid_max and threads-max of the host.  host: cgroup.h.
 */
void headroom_threads(const struct process *p, const char *host, struct headroom *h);

/* Descriptors: RLIMIT_NOFILE against what it has open. */
void headroom_descriptors(const struct process *p, struct headroom *h);

/* Bytes of memory: of its cgroups less the cache that the kernel can take back, and of the host. */
void headroom_memory(const struct process *p, const char *host, struct headroom *h);

/* What a command makes a JVM create. 0: nothing, and then that limit does not matter. */
struct headroom_need {
	unsigned threads, descriptors;
	uint64_t memory; /* bytes */
	bool is_memory_vital; /* without it the command is refused, else only warned of */
};

/* Threads that are kept free beside those that are needed: the JVM's own work goes on. */
#define HEADROOM_SPARE_THREADS 3

/*
 * 1: there is room. 0: there is, but *err is a warning of memory. -1: there is not, and *err
 * (JFREC_EHARM) says what, how much and what works instead.
 */
int headroom_check(const struct process *p, const struct headroom_need *need,
		   struct jfrec_error *err);

/* The sentence of that for "threads" or "descriptors". -1. */
int headroom_fail(const struct process *p, const char *noun, const struct headroom *h,
		  struct jfrec_error *err);

#endif
