/* SPDX-License-Identifier: MIT */
/*
 * frozen.h - is a process held by its cgroup's freezer, or deep in the kernel?
 *
 * What `docker pause` does: signals wait until it is thawed, and then all arrive.
 */
#ifndef JFREC_PROCESS_FROZEN_H
#define JFREC_PROCESS_FROZEN_H

#include "process/process.h"

/* Is it frozen, or being frozen, by its cgroup or one that this is in?  host: cgroup.h. */
bool frozen_by_cgroup(const struct process *p, const char *host);

/*
 * Has its first thread, which takes its signals, not run in three looks within 100 ms, each time in
 * an uninterruptible sleep (state D)?  Frozen in a cgroup that cannot be seen, or waiting for a
 * disk.  Takes time only where it was in that state as of the last refresh.
 */
bool frozen_in_kernel(const struct process *p);

#endif
