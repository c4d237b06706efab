/* SPDX-License-Identifier: MIT */
/*
 * retention.h - choose the old files to delete, by age and total size
 */
#ifndef JFREC_CLI_COLLECT_RETENTION_H
#define JFREC_CLI_COLLECT_RETENTION_H

#include "collect/config.h"
#include "collect/state.h"

/* What is about to come. */
struct retention_room {
	uint64_t bytes, files;
	uint64_t disk; /* bytes that are free where the files are */
	int64_t owner; /* the uid of its JVM */
};

enum retention_result {
	RETENTION_FITS,
	RETENTION_TOO_LARGE, /* even if all of the owner's files went, and what others have too much
			      */
	RETENTION_FULL,	     /* the same, but for the disk */
	RETENTION_NO_MEMORY,
};

/* Has everything in the file become too old? */
bool retention_is_old(const struct collect_limits *l, const struct state_file *f, int64_t now_ns);

/*
 * Which files have to go, so that what comes keeps the limits from its first byte on: always the
 * oldest of that owner who has most.  So no user can push out files of another who has fewer.
 * drop[i] is set for each file of the state; it has room for as many.
 */
enum retention_result retention_choose(const struct state *s, const struct collect_limits *limits,
				       const struct retention_room *room, bool *drop);

#endif
