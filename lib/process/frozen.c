/* SPDX-License-Identifier: MIT */
/*
 * frozen.c - is a process held by its cgroup's freezer, or deep in the kernel?
 *
 * Version 1 has freezer.state, which says FREEZING until all have stopped and which a group takes
 * over from those above; version 2 has cgroup.freeze, what is wanted, in the group or any above,
 * and "frozen 1" in cgroup.events once it is so.
 */
#include "process/frozen.h"

#include <unistd.h>

#include "process/cgroup.h"

/* Looks at a process in state D, and the time between two. */
#define LOOKS	3
#define LOOK_US 50000

static bool is_frozen_v1(const struct cgroup *g)
{
	return cgroup_says(g, "freezer.state", "FR");
}

static bool is_frozen_v2(struct cgroup *g)
{
	uint64_t n;

	do {
		if ((cgroup_number(g, "cgroup.freeze", &n) && n == 1) ||
		    (cgroup_value(g, "cgroup.events", "frozen", &n) && n == 1))
			return true;
	} while (cgroup_step_up(g));
	return false;
}

bool frozen_by_cgroup(const struct process *p, const char *host)
{
	struct cgroup g;
	bool found = cgroup_find(&g, p, host, "freezer");

	if (found && !g.is_v2) {
		if (is_frozen_v1(&g))
			return true;
		/* Beside that hierarchy there may be one of version 2, with its own. */
		found = cgroup_find(&g, p, host, "");
	}
	return found && is_frozen_v2(&g);
}

bool frozen_in_kernel(const struct process *p)
{
	struct process now = *p;

	for (int i = 1; i < LOOKS && now.status.state == 'D'; i++) {
		usleep(LOOK_US);
		if (process_refresh(&now, NULL) < 0 ||
		    now.status.switches != p->status.switches)
			return false;
	}
	return now.status.state == 'D';
}
