/* SPDX-License-Identifier: MIT */
/*
 * quotas.c - what the control groups of a process let it have
 *
 *	version 2	cpu.max: "QUOTA PERIOD" or "max PERIOD"; memory.max; cgroup.events: frozen
 *	version 1	cpu.cfs_quota_us, -1 without a quota; memory.limit_in_bytes; freezer.state
 *
 * A limit of a group is one of all that is below it.  Which groups there are changes seldom, so
 * that is found at long intervals, and only cpu.stat of those with a quota is read at short ones.
 */
#include "load/quotas.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Version 1 says "no limit" as nearly 2^63, rounded to pages. */
#define NO_LIMIT (UINT64_C(1) << 62)

static uint64_t least_memory(const struct process *p, const char *host)
{
	uint64_t least = UINT64_MAX, n;
	struct cgroup g;

	if (!cgroup_find(&g, p, host, "memory"))
		return UINT64_MAX;
	do {
		if (cgroup_number(&g, g.is_v2 ? "memory.max" : "memory.limit_in_bytes", &n) &&
		    n < least)
			least = n;
	} while (cgroup_step_up(&g));
	return least < NO_LIMIT ? least : UINT64_MAX;
}

/* "-1", no quota of version 1, is no number. */
static bool has_quota(const struct cgroup *g)
{
	uint64_t n;

	return cgroup_number(g, g->is_v2 ? "cpu.max" : "cpu.cfs_quota_us", &n) && n != UINT64_MAX;
}

static struct throttling counted_of(const struct quotas *g, const struct cgroup *one)
{
	for (size_t i = 0; i < g->count; i++) {
		if (strcmp(g->list[i].group.path, one->path) == 0)
			return g->list[i].counted;
	}
	return throttling_of(one);
}

static void find_quotas(struct quotas *g, const struct quotas *before, const struct process *p,
			const char *host)
{
	struct cgroup one;

	if (!cgroup_find(&one, p, host, "cpu"))
		return;
	do {
		const struct quota quota = { one, counted_of(before, &one) };

		if (has_quota(&one) && !array_push(g->list, g->count, g->room, quota))
			return;
	} while (g->count < PRESSURE_DEPTH && cgroup_step_up(&one));
}

void quotas_find(struct quotas *g, const struct process *p, const char *host)
{
	struct quotas now = { .memory_limit = least_memory(p, host) };

	find_quotas(&now, g, p, host);
	now.has_freezer = cgroup_find(&now.freezer, p, host, "freezer");
	quotas_fini(g);
	*g = now;
}

void quotas_fini(struct quotas *g)
{
	free(g->list);
	*g = (struct quotas){ 0 };
}

double quotas_throttled(struct quotas *g)
{
	double most = -1;

	for (size_t i = 0; i < g->count; i++) {
		struct quota *q = &g->list[i];
		struct throttling now = throttling_of(&q->group);
		struct throttling t = throttling_between(&q->counted, &now);

		q->counted = now;
		if (t.periods > 0 && (double)t.throttled / (double)t.periods > most)
			most = (double)t.throttled / (double)t.periods;
	}
	return most;
}

/* What the groups around it do to it, its own group tells, too. */
bool quotas_is_frozen(const struct quotas *g)
{
	uint64_t n;

	if (!g->has_freezer)
		return false;
	if (!g->freezer.is_v2)
		return cgroup_says(&g->freezer, "freezer.state", "FR");
	return cgroup_value(&g->freezer, "cgroup.events", "frozen", &n) && n == 1;
}
