/* SPDX-License-Identifier: MIT */
/*
 * listening.h - find out who listens at a JVM's attach socket, without connecting
 *
 * The kernel lists the sockets of a network namespace, with the names they were bound
 * to, and each process's descriptors.  A JVM binds ".java_pid1.tmp" and then renames the
 * file, so that name stays even when the file has been deleted.
 */
#ifndef JFREC_PROCESS_LISTENING_H
#define JFREC_PROCESS_LISTENING_H

#include <limits.h>

#include "process/process.h"

enum listening {
	LISTENING_UNKNOWN, /* we may not see it */
	LISTENING_NOBODY,
	LISTENING_OTHER, /* another process, by the same name */
	LISTENING_SELF,
};

/*
 * name: ".java_pid1".  directory, which may be NULL, gets where the process itself listens, as it
 * knows it; "" if it does not, or that cannot be seen.
 */
enum listening listening_find(const struct process *p, const char *name, char directory[PATH_MAX]);

/*
 * Does a line of /proc/PID/net/unix tell of a socket of that name that listens?
 * *inode is its number, and *path a piece of the line.
 */
bool listening_parse(const char *line, const char *name, uint64_t *inode, const char **path);

#endif
