/* SPDX-License-Identifier: MIT */
/*
 * confine.h - drop every privilege that reading recordings does not need
 *
 * A recording is hostile, and reading one takes no more than files that are open or can be
 * opened. If a decoder had a hole, its maker could do little with it. What remains is written
 * down: a list of system calls, files that may be read, directories that may be written to.
 */
#ifndef JFREC_CLI_BASE_CONFINE_H
#define JFREC_CLI_BASE_CONFINE_H

#include <stdbool.h>

enum confinement {
	CONFINE_READING, /* no file is made, changed or removed, but unnamed temporary ones */
	CONFINE_WRITING, /* files may be: the output */
};

/*
 * Before confine(): this file, or what is below this directory, can be opened for reading. "-",
 * NULL, and what does not exist are ignored. The path is not copied: it is used by
 * confine() only.
 */
void confine_reads(const char *path);

/*
 * The same for making, changing and removing files: below the directory that the path is, or else
 * below the nearest one of its parents that exists.
 */
void confine_writes(const char *path);

/*
 * Before the first byte of a recording is read. From then on this process and its threads make only
 * the system calls that the sources use, by arguments where it matters: they run no program, start
 * no process, open no socket, signal and trace no process, have no capabilities but those that the
 * paths above take, and open no other files. What they try fails with EPERM or EACCES. It cannot be
 * undone. Libraries are to be loaded before.
 *
 * Of each part that the kernel, or a sandbox around us, does not have, all goes on as it would
 * without; so it does in builds with sanitizers, which do such things themselves. False if the
 * calls are not filtered. What was said before is forgotten; a second call does nothing.
 */
bool confine(enum confinement how);

/* Have confine() say on standard error what the kernel grants. */
void confine_tell(void);

#endif
