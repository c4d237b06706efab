/* SPDX-License-Identifier: MIT */
/*
 * directory.h - a directory that appears under its name when it is complete
 *
 * Until then it is ".NAME.jfrec-XXXXXXXX" beside it, readable by its owner only, and locked: what a
 * killed process left has no lock any more and is removed by the next one.  Everything in it is
 * reached by its descriptor, so the owner of the directory around it can only remove it.
 */
#ifndef JFREC_CLI_SNAPSHOT_DIRECTORY_H
#define JFREC_CLI_SNAPSHOT_DIRECTORY_H

#include <limits.h>
#include <sys/types.h>

#include "base/command.h"
#include "base/outname.h"

struct snapshot_directory {
	char path[OUTNAME_MAX]; /* that it gets, for messages */
	char name[NAME_MAX + 1], temporary[NAME_MAX + 1]; /* in the directory around it */
	int around, fd; /* -1: not open */
	dev_t dev;
	ino_t ino;
	bool replaces; /* a snapshot of that name */
};

/*
 * Make it, for that path; of one that is there already only a snapshot is replaced, with force.
 * is_packed: the path is an archive's, and nothing but the temporary directory is made.  Returns an
 * exit code, after saying what failed; to be closed with EXIT_DONE.
 */
int snapshot_directory_open(struct snapshot_directory *d, const char *path, bool force,
			    bool is_packed);

/* Remove what has a hidden name: a process that was killed may have left it. */
void snapshot_directory_tidy(const struct snapshot_directory *d);

/* Give it its name.  Returns an exit code, after saying what failed. */
int snapshot_directory_commit(struct snapshot_directory *d);

/* Close it; what was not committed is removed. */
void snapshot_directory_close(struct snapshot_directory *d);

#endif
