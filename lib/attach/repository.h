/* SPDX-License-Identifier: MIT */
/*
 * repository.h - where a JVM keeps what it records, without asking it
 *
 * While it records it has a file open, DIRECTORY/2026_11_20_09_47_05.jfr (up to 11 also
 * .part), whose directory is named for a time and its pid: 2026_11_20_09_46_59_4711.
 */
#ifndef JFREC_ATTACH_REPOSITORY_H
#define JFREC_ATTACH_REPOSITORY_H

#include <limits.h>

#include "attach/process.h"

struct repository {
	bool denied;	     /* we may not see it; the rest means nothing then */
	bool deleted;	     /* of what it writes, file or directory have been removed */
	char path[PATH_MAX]; /* in the JVM's root; "" if it records nothing to a disk */
};

void repository_find(struct repository *r, const struct process *p);

/* The pid that a directory of this name is for, in the pid namespace of its JVM; 0: it is none. */
int repository_pid(const char *path);

/*
 * Call fn(ctx, ...) for each file of its repository that the JVM has open, with a descriptor that
 * is then fn's.  It works for files that have been removed, too.  A negative result ends it, and
 * is returned; else 0.
 */
typedef int repository_open_fn(void *ctx, int fd, const char *path, struct jfrec_error *err);
int repository_each_open(const struct process *p, repository_open_fn *fn, void *ctx,
			 struct jfrec_error *err);

/*
 * Is that a file of the repository of a JVM whose pid in its namespace that is?  Cuts the path
 * behind the directory, and tells whether the kernel says it is deleted.
 */
bool repository_parse(char *path, int ns_pid, bool *deleted);

#endif
