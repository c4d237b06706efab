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

/* In bytes. What is not known is ROOM_UNKNOWN. */
struct room {
	int64_t repository; /* free where it keeps what it records */
	int64_t recorded;   /* what lies there; 0 if unknown */
	int64_t tmp;	    /* free in its /tmp, where dumps go */
	bool same;	    /* these are one disk */
};

#define ROOM_UNKNOWN INT64_MAX

/* Find out.  0, or -1 with *err set. */
int room_look(struct jfrec_session *s, struct room *r, struct jfrec_error *err);

/*
 * The same by descriptors, of its /tmp and of its repository or (is_there: false) the
 * directory where that would be made; -1: not known.
 */
void room_look_at(struct room *r, int tmp, int repository, bool is_there);

/*
 * All that follow return 0, or -1 with *err set: JFREC_EIO with ENOSPC.
 *
 * A recording may be started that keeps limit bytes.
 */
int room_for_recording(const struct room *r, int64_t limit, struct jfrec_error *err);

/* As much as a recording may keep, if it is to be dumped as well; ROOM_UNKNOWN if that is. */
int room_limit(const struct room *r, int64_t *limit, struct jfrec_error *err);

/* A dump of limit bytes, or of all that is recorded if that is less. */
int room_for_dump(const struct room *r, int64_t limit, struct jfrec_error *err);

/* The JVM may write out what it has in memory. */
int room_for_stop(const struct room *r, struct jfrec_error *err);

#endif
