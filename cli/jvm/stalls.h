/* SPDX-License-Identifier: MIT */
/*
 * stalls.h - leave out of a profile what a JVM's garbage collector does not bear
 */
#ifndef JFREC_CLI_JVM_STALLS_H
#define JFREC_CLI_JVM_STALLS_H

#include "jfrec.h"

/* What is left out, and its setting that would record it all the same. */
#define STALLS_EVENT   "jdk.OldObjectSample"
#define STALLS_SETTING STALLS_EVENT "#enabled"

/* The reason, for people. */
#define STALLS_REASON "generational ZGC"

/*
 * Take it out of the settings if the JVM, of that version of the JDK, is to be spared.  1: done; 0:
 * there was no need; -1: *err is set.
 */
int stalls_leave_out(struct jfrec_session *session, int jdk, struct jfrec_settings *s,
		     struct jfrec_error *err);

#endif
