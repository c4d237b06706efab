/* SPDX-License-Identifier: MIT */
/*
 * root.h - open a process's files by the names it has for them
 *
 * A process may have another root directory than ours.  Its links must be
 * followed there: /tmp being a link to /var/tmp means the /var/tmp of that root.
 */
#ifndef JFREC_PROCESS_ROOT_H
#define JFREC_PROCESS_ROOT_H

#include "process/process.h"

/* Its root directory, O_PATH, or -1 with errno set (EACCES: not ours to see). */
int root_open(const struct process *p);

/*
 * The kernel names files by our root, if the process's is a directory in ours; in another
 * mount namespace both are named by its own.  The name by which root_open_at() finds it: a piece
 * of path.
 */
const char *root_name(const struct process *p, const char *path);

/*
 * As openat(root, path, flags), with O_CLOEXEC, but absolute paths and links mean
 * places in that root, and `..` does not lead out of it.  -1 with errno set.
 *
 * Kernels before 5.6 cannot promise that; there, paths with links or `..` fail.
 */
int root_open_at(int root, const char *path, int flags);

/*
 * The same for a path that must have neither links nor `..`, whatever the kernel: ELOOP or ENOTDIR.
 * With O_PATH | O_NOFOLLOW the last name may be a link, which is then opened itself.
 */
int root_walk(int dir, const char *path, int flags);

#endif
