/* SPDX-License-Identifier: MIT */
/*
 * temp.h - a temporary file that gets its final name at the end
 *
 * Where the file system can, it has no name at all, and goes with the process that writes it.
 * Elsewhere it is ".NAME.jfrec-XXXXXXXX" in the same directory, and locked: what a killed process
 * left has no lock any more, and is removed by temp_sweep().
 */
#ifndef JFREC_OUTPUT_TEMP_H
#define JFREC_OUTPUT_TEMP_H

#include <stdbool.h>
#include <stddef.h>

struct temp {
	int fd;	    /* -1: none */
	char *name; /* NULL: it has none, or has the one that was wished for */
};

/* Make one for a file at path that its owner alone can read and write.  0, or an errno value. */
int temp_open(struct temp *t, const char *path);

/*
 * Give it its name, which an existing file has only to give up with `force`.  0, or an errno
 * value.  Its descriptor is closed either way.
 */
int temp_commit(struct temp *t, const char *path, bool force);

/* Remove it if it still has its first name.  May be called from a signal handler. */
void temp_abandon(const struct temp *t);

void temp_close(struct temp *t);

/*
 * Remove what killed processes of the same user left beside path: regular files with such a name
 * that are not locked.  Nothing on file systems where locks of other hosts may not show. Returns
 * how many were removed.
 */
size_t temp_sweep(const char *path);

#endif
