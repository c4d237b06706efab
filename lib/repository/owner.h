/* SPDX-License-Identifier: MIT */
/*
 * owner.h - match JVMs with their repositories, without attaching
 *
 * A JVM that records keeps the chunk file open that it writes.
 */
#ifndef JFREC_REPOSITORY_OWNER_H
#define JFREC_REPOSITORY_OWNER_H

#include <limits.h>

#include "process/opener.h"

/* The repository of a JVM, as its open files show it. */
struct owned_repository {
	bool denied;	     /* we may not see its files; the rest is then not set */
	bool deleted;	     /* the file that it writes, or its directory, has been removed */
	char path[PATH_MAX]; /* in the JVM's root; "" if it records nothing to a disk */
	/* The chunk file that the JVM has open. */
	int number; /* of the descriptor */
	char name[NAME_MAX + 1];
};

void owner_find_repository(struct owned_repository *r, const struct process *p);

/*
 * Call fn(ctx, ...) for each file of its repository that the JVM has open, removed ones included.
 * fn owns the O_PATH descriptor, and must check what kind of file it is.  A negative result of fn
 * ends the loop and is returned; otherwise 0.
 */
typedef int owner_open_fn(void *ctx, int fd, const char *path, struct jfrec_error *err);
int owner_each_open_file(const struct process *p, owner_open_fn *fn, void *ctx,
			 struct jfrec_error *err);

/*
 * Open that directory as the JVM's user: O_PATH, to be used with *o.  Its path alone proves
 * nothing: it must contain the very file that the JVM has open.  -1 with errno and *err set; ENOENT
 * if it is gone, or another directory has its name by now.
 */
int owner_open_repository(struct opener *o, const struct process *p, struct owned_repository *r,
			  struct jfrec_error *err);

/*
 * Find the JVM that writes to a directory with the name of a repository.  1: *p is open; 0: no
 * process that we can see does; -1: a process whose files we may not see might.
 */
int owner_of_directory(const char *path, struct process *p);

#endif
