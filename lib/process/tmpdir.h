/* SPDX-License-Identifier: MIT */
/*
 * tmpdir.h - the directory in which a JVM has its attach socket and its performance data
 *
 * /tmp, whatever TMPDIR and java.io.tmpdir say; since JDK 28 that of -XX:AltTempDir, if given.
 */
#ifndef JFREC_PROCESS_TMPDIR_H
#define JFREC_PROCESS_TMPDIR_H

#include "process/loaded.h"

/*
 * As the JVM knows it: an absolute path in its root.  By the performance data that it has mapped;
 * where it maps none, by its options and by the socket at which it listens.  l: what it has loaded,
 * or NULL, and then it is looked for.
 */
void tmpdir_find(const struct process *p, const struct loaded *l, char path[PATH_MAX]);

#endif
