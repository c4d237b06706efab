/* SPDX-License-Identifier: MIT */
/*
 * disk_space.h - check that the JVM's disks have room for a dump
 *
 * JDK 11 and later end the whole JVM when they cannot write to their repository
 * ("An irrecoverable error in Jfr. Shutting down VM"): by themselves within a second or
 * so of recording, and at once when told to start, dump or stop a recording.  So
 * none of these is sent unless there is room.
 */
#ifndef JFREC_JFR_DISK_SPACE_H
#define JFREC_JFR_DISK_SPACE_H

#include "attach/session.h"

/* In bytes. What is not known is DISK_SPACE_UNKNOWN. */
struct disk_space {
	int64_t repository; /* free where it keeps what it records */
	int64_t recorded;   /* what lies there; 0 if unknown */
	int64_t tmp;	    /* free in its /tmp, where dumps go */
	bool same;	    /* these are one disk */
};

#define DISK_SPACE_UNKNOWN INT64_MAX

/* Find out.  0, or -1 with *err set. */
int disk_space_look(struct jfrec_session *s, struct disk_space *r, struct jfrec_error *err);

/*
 * The same by descriptors, of its /tmp and of its repository or (is_there: false) the
 * directory where that would be made; -1: not known.
 */
void disk_space_look_at(struct disk_space *r, int tmp, int repository, bool is_there);

/*
 * All that follow return 0, or -1 with *err set: JFREC_EIO with ENOSPC.
 *
 * A recording may be started that keeps limit bytes.
 */
int disk_space_for_recording(const struct disk_space *r, int64_t limit, struct jfrec_error *err);

/* As much as a recording may keep, if it is to be dumped as well; DISK_SPACE_UNKNOWN if that is. */
int disk_space_limit(const struct disk_space *r, int64_t *limit, struct jfrec_error *err);

/* A dump of limit bytes, or of all that is recorded if that is less. */
int disk_space_for_dump(const struct disk_space *r, int64_t limit, struct jfrec_error *err);

/* The JVM may write out what it has in memory. */
int disk_space_for_stop(const struct disk_space *r, struct jfrec_error *err);

#endif
