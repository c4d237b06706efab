/* SPDX-License-Identifier: MIT */
/*
 * keep.h - how much is kept: which old files have to go
 */
#ifndef JFREC_COLLECT_KEEP_H
#define JFREC_COLLECT_KEEP_H

#include "collect/config.h"
#include "collect/state.h"

/* What is about to come. */
struct keep_room {
	uint64_t bytes, files;
	uint64_t disk; /* bytes that are free where the files are */
};

/* Has everything in the file become too old? */
bool keep_is_old(const struct collect_limits *l, const struct state_file *f, int64_t now_ns);

/*
 * How many of the oldest files have to go, so that what comes keeps the limits from its
 * first byte on.  False if it would not even without any of them; *full then says whether that
 * is for the disk.
 */
bool keep_choose(const struct state *s, const struct collect_limits *limits,
		 const struct keep_room *room, size_t *drop, bool *full);

#endif
