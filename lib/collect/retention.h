/* SPDX-License-Identifier: MIT */
/*
 * retention.h - choose the old files to delete, by age and total size
 */
#ifndef JFREC_COLLECT_RETENTION_H
#define JFREC_COLLECT_RETENTION_H

#include "collect/config.h"
#include "collect/state.h"

/* What is about to come. */
struct keep_room {
	uint64_t bytes, files;
	uint64_t disk; /* bytes that are free where the files are */
	int64_t owner; /* the uid of its JVM */
};

enum keep_result {
	KEEP_FITS,
	KEEP_TOO_LARGE, /* even if all of the owner's files went, and what others have too much */
	KEEP_FULL,	/* the same, but for the disk */
	KEEP_NO_MEMORY,
};

/* Has everything in the file become too old? */
bool keep_is_old(const struct collect_limits *l, const struct state_file *f, int64_t now_ns);

/*
 * Which files have to go, so that what comes keeps the limits from its first byte on: always the
 * oldest of that owner who has most.  So nobody can push out what others have, but for what they
 * have more than himself.  drop[i] is set for each file of the state; it has room for as many.
 */
enum keep_result keep_choose(const struct state *s, const struct collect_limits *limits,
			     const struct keep_room *room, bool *drop);

#endif
