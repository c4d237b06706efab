/* SPDX-License-Identifier: MIT */
/*
 * cpu_use.h - which processes used the processors between two moments
 */
#ifndef JFREC_PROCESS_CPU_USE_H
#define JFREC_PROCESS_CPU_USE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a process has used since it was started. */
struct cpu_user {
	int pid, parent;
	uint64_t start_ticks, ticks;
	char name[16];
};

/* All processes that can be seen at one moment, by pid. */
struct cpu_use {
	struct cpu_user *list;
	size_t count, room;
	int64_t at_ns;	       /* of a clock that is not set */
	uint64_t total, busy;  /* ticks of all processors since boot; total 0: not known */
	unsigned cpus;	       /* processors of the machine */
};

/* Read it.  host: cgroup.h.  What cannot be read is missing.  To be freed with cpu_use_fini(). */
void cpu_use_read(struct cpu_use *u, const char *host);

/* A zeroed one is allowed. */
void cpu_use_fini(struct cpu_use *u);

/* How many processors a process used in the mean between two readings; 0: it is not there. */
double cpu_use_of(const struct cpu_use *before, const struct cpu_use *after,
		  const struct cpu_user *u);

/* The one of a pid, or NULL. */
const struct cpu_user *cpu_use_find(const struct cpu_use *u, int pid);

/* How many processors were busy in the mean, with any process; -1: not known. */
double cpu_use_busy(const struct cpu_use *before, const struct cpu_use *after);

#endif
