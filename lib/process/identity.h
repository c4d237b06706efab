/* SPDX-License-Identifier: MIT */
/*
 * identity.h - switch a child process to another user for good
 */
#ifndef JFREC_PROCESS_IDENTITY_H
#define JFREC_PROCESS_IDENTITY_H

#include <stddef.h>
#include <sys/types.h>

#include "process/process.h"

struct identity {
	uid_t uid;
	gid_t gid;
	size_t group_count;
	gid_t *groups; /* supplementary ones; the identity's own */
	/* Only root has some, and only where the process is in our own namespaces and root. */
	uint64_t capabilities;
};

/*
 * Who that process is: effective ids, groups, and those of its capabilities that have to do with
 * files and processes.  0, to be ended with identity_fini(), or -1 with *err set.
 */
int identity_of_process(struct identity *id, const struct process *p, struct jfrec_error *err);

/* Do paths, ids and capabilities mean the same to that process as to us? */
bool identity_is_at_home(const struct process *p);

/* May this process take on the ids of others at all? */
bool identity_is_free(void);

/* A zeroed identity is allowed. */
void identity_fini(struct identity *id);

/*
 * Become that user.  There is no way back, neither by a saved id, nor by a capability, nor by a
 * program that is run (no_new_privs).  0, or -1 with *err set (JFREC_EPERMISSION): then the process
 * must end.
 *
 * The user, who may be hostile, can neither trace nor stop this process: its real and saved ids are
 * numbers of no user, and it cannot be dumped.  Where we may not change our ids, we are that user
 * already, and there is nothing to protect.
 */
int identity_take(const struct identity *id, struct jfrec_error *err);

#endif
