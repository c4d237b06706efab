/* SPDX-License-Identifier: MIT */
/*
 * cgroup.h - the control groups of a process, and the numbers in their files
 *
 * Of version 1 each controller has a hierarchy of its own, of version 2 all share one; a host may
 * have both. Seen is what is mounted here: of a process in another container, or above the root of
 * our cgroup namespace, nothing.
 *
 * host: "", or the root of a tree of files that is laid out like a host's (for tests).
 */
#ifndef JFREC_PROCESS_CGROUP_H
#define JFREC_PROCESS_CGROUP_H

#include "process/process.h"

/* A group that is being looked at. */
struct cgroup {
	char path[PATH_MAX]; /* its directory */
	size_t top;	     /* length of what is mounted: no group is above that */
	bool is_v2;
};

/*
 * The group of a process for a controller ("pids", "memory", "freezer"): of version 1 if that has
 * the controller, else of version 2; "" means that of version 2.  False if there is none, or it
 * cannot be seen.
 */
bool cgroup_find(struct cgroup *g, const struct process *p, const char *host,
		 const char *controller);

/* Step to the group that it is in.  False, and nothing is changed, at the uppermost. */
bool cgroup_step_up(struct cgroup *g);

/* The number in a file of the group; UINT64_MAX for "max".  False if there is none. */
bool cgroup_number(const struct cgroup *g, const char *file, uint64_t *n);

/*
 * The number after a word of a file such as memory.stat or cgroup.events.  False: it is not there.
 */
bool cgroup_value(const struct cgroup *g, const char *file, const char *word, uint64_t *n);

/* Does a file of the group begin with this word? */
bool cgroup_says(const struct cgroup *g, const char *file, const char *word);

/*
 * The parts of a line of /proc/PID/mountinfo, which is changed: where the file system is mounted,
 * what of it, its type and its own options.  False if it is not such a line.
 */
struct cgroup_mount {
	const char *root, *point, *type, *options;
};
bool cgroup_parse_mount(char *line, struct cgroup_mount *m);

#endif
