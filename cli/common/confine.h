/* SPDX-License-Identifier: MIT */
/*
 * confine.h - drop every privilege that reading recordings does not need
 *
 * A recording is hostile, and reading one takes no more than files that are open or can be
 * opened. If a decoder had a hole, its maker could do little with it.
 */
#ifndef JFREC_CLI_COMMON_CONFINE_H
#define JFREC_CLI_COMMON_CONFINE_H

#include <stdbool.h>

enum confinement {
	CONFINE_READING, /* no file is made, changed or removed, but unnamed temporary ones */
	CONFINE_WRITING, /* files may be: the output */
};

/*
 * Before the first byte of a recording is read. From then on this process and its threads run no
 * program, start no process, open no socket, signal and trace nobody, change neither identity
 * nor mounts, type nothing into a terminal; what they try fails with EPERM. It cannot be undone.
 *
 * False where the kernel or a sandbox around us has no filters, and in builds with sanitizers,
 * which do such things themselves: then all goes on as it would without.
 */
bool confine(enum confinement how);

/*
 * After that: files are made, changed and removed below this directory and nowhere else, where the
 * kernel has Landlock (Linux 5.13).  0, or the errno that says why the directory cannot be opened.
 */
int confine_writing_to(const char *directory);

#endif
