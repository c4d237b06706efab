/* SPDX-License-Identifier: MIT */
/*
 * idle_repositories.h - remember the repositories of exited JVMs that had nothing new
 *
 * A user who leaves thousands of directories that look like repositories would make each pass open
 * all of them, and read their files.  One that had nothing to collect is left alone until something
 * in it is newer, but not for so long that its chunks are forgotten.
 */
#ifndef JFREC_CLI_COLLECT_IDLE_REPOSITORIES_H
#define JFREC_CLI_COLLECT_IDLE_REPOSITORIES_H

#include "jfrec-tool.h"

struct idle_repository {
	uint64_t device, inode;
	int64_t touched_ns;
	size_t files;
	int64_t looked_ns; /* by the clock that is not set */
};

/* All zero at first; kept from pass to pass. */
struct idle_repositories {
	struct idle_repository *items;
	size_t count, room;
	size_t sorted; /* of these: by inode; the rest came in this pass */
};

/* Had it nothing when it was looked at, and is as it was? */
bool idle_repositories_skips(const struct idle_repositories *d, const struct jfrec_leftover *at,
			     int64_t now_ns);

/* It was looked at, and had nothing. */
void idle_repositories_note(struct idle_repositories *d, const struct jfrec_leftover *at,
			    int64_t now_ns);

/* A pass ends: what is too old to be believed is forgotten. */
void idle_repositories_end(struct idle_repositories *d, int64_t now_ns);

void idle_repositories_fini(struct idle_repositories *d);

#endif
