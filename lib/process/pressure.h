/* SPDX-License-Identifier: MIT */
/*
 * pressure.h - how often the kernel stopped or killed what a control group holds
 *
 * Counters run since a group was made, so they are read twice.  A group that is made again in
 * between counts for nothing.
 */
#ifndef JFREC_PROCESS_PRESSURE_H
#define JFREC_PROCESS_PRESSURE_H

#include "process/cgroup.h"

/* Groups around a process that are looked at, its own included. */
#define PRESSURE_DEPTH 16

/* Of cpu.stat; -1: not known. */
struct throttling {
	int64_t periods, throttled, ns;
};

/* What the group has counted so far. */
struct throttling throttling_of(const struct cgroup *g);

/* From one reading to the next; all -1 if a counter is missing, or has begun anew. */
struct throttling throttling_between(const struct throttling *a, const struct throttling *b);

struct pressure {
	struct cgroup cpu, memory;
	bool has_cpu, has_memory, has_two;
	struct throttling first[PRESSURE_DEPTH], last[PRESSURE_DEPTH]; /* its own group first */
	int64_t first_kills, last_kills; /* of its own group; -1: not known */
};

/* Read for the first time, and again.  host: cgroup.h. */
void pressure_begin(struct pressure *p, const struct process *of, const char *host);
void pressure_again(struct pressure *p);

/*
 * The group that was throttled in the greatest share of its periods, between the readings or, if
 * there was one, since it was made; *file: its cpu.stat, PATH_MAX bytes.  False: none had a period.
 */
bool pressure_worst(const struct pressure *p, struct throttling *worst, char *file);

/* Those that were killed between the readings, and before; *file as above.  False: not known. */
bool pressure_kills(const struct pressure *p, int64_t *kills, int64_t *before, char *file);

#endif
