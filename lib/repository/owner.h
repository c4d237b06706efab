/* SPDX-License-Identifier: MIT */
/*
 * owner.h - match JVMs with their repositories, without attaching
 *
 * While it records it has the chunk file open that it writes; names are its own (name.h).
 */
#ifndef JFREC_REPOSITORY_OWNER_H
#define JFREC_REPOSITORY_OWNER_H

#include <limits.h>

#include "process/own.h"

struct repository {
	bool denied;	     /* we may not see it; the rest means nothing then */
	bool deleted;	     /* of what it writes, file or directory have been removed */
	char path[PATH_MAX]; /* in the JVM's root; "" if it records nothing to a disk */
	/* The file of it that the JVM has open. */
	int number; /* of the descriptor */
	char name[NAME_MAX + 1];
};

void repository_find(struct repository *r, const struct process *p);

/*
 * Call fn(ctx, ...) for each file of its repository that the JVM has open, with an O_PATH descriptor
 * that is then fn's: it may be anything.  It works for files that have been removed, too.  A
 * negative result ends it, and is returned; else 0.
 */
typedef int repository_open_fn(void *ctx, int fd, const char *path, struct jfrec_error *err);
int repository_each_open(const struct process *p, repository_open_fn *fn, void *ctx,
			 struct jfrec_error *err);

/*
 * Open that directory as the JVM's user: O_PATH, to be used with *o.  Its path alone proves nothing:
 * there must be the very file in it that the JVM has open.  -1 with errno and *err set; ENOENT if it
 * is gone, or another has its name by now.
 */
int repository_open(struct own *o, const struct process *p, struct repository *r,
		    struct jfrec_error *err);

/*
 * The JVM that writes to a directory with a name of a repository.  1: *p is open; 0: nobody does,
 * as far as can be seen; -1: somebody might whose files are not ours to see.
 */
int repository_writer(const char *path, struct process *p);

#endif
