/* SPDX-License-Identifier: MIT */
/*
 * quotas.h - what the control groups of a process let it have
 */
#ifndef JFREC_LOAD_QUOTAS_H
#define JFREC_LOAD_QUOTAS_H

#include "process/pressure.h"

/* A group that may stop it. */
struct quota {
	struct cgroup group;
	struct throttling counted; /* so far */
};

/* What is found once, and what is read of it at an interval. All zero at first. */
struct quotas {
	uint64_t memory_limit; /* the least; UINT64_MAX: none */
	struct quota *list;
	size_t count, room;
	struct cgroup freezer;
	bool has_freezer;
};

/*
 * Find them, and the limits that they have now.  What was counted before goes on to count for
 * groups that are the same. host: cgroup.h.
 */
void quotas_find(struct quotas *g, const struct process *p, const char *host);

void quotas_fini(struct quotas *g);

/*
 * The greatest share of their periods in which one of them was stopped since the last call, or
 * since they were found; -1: none has a quota, or no period was over.
 */
double quotas_throttled(struct quotas *g);

/* Is the process frozen? */
bool quotas_is_frozen(const struct quotas *g);

#endif
