/* SPDX-License-Identifier: MIT */
/*
 * idle_jvms.h - remember the JVMs that had nothing to collect
 *
 * Looking at a JVM takes a process that has the rights of its user.  Of JVMs that had nothing when
 * they were last looked at, a pass looks at a few of each user only: those it has not looked at for
 * the longest time.  So a user who starts hundreds of processes that only look like JVMs costs a
 * pass no more than that.
 */
#ifndef JFREC_CLI_COLLECT_IDLE_JVMS_H
#define JFREC_CLI_COLLECT_IDLE_JVMS_H

#include "jfrec.h"

/* Of each user, in a pass. */
#define QUIET_LOOKS 32

struct idle_jvm {
	int pid;
	uint64_t start_ticks;
	uint32_t uid;
	uint64_t looked; /* when: by a count of looks */
	bool is_due;	 /* it is looked at in this pass */
	bool is_seen;	 /* it is there in this pass */
};

/* All zero at first; kept from pass to pass. */
struct idle_jvms {
	struct idle_jvm *items;
	size_t count, room;
	uint64_t looks;
};

/* A pass begins. */
void idle_jvms_begin(struct idle_jvms *q);

/* Is this JVM, which is there, left out in this pass? */
bool idle_jvms_skips(struct idle_jvms *q, const struct jfrec_jvm *jvm);

/* It was looked at, and had nothing, or had something. */
void idle_jvms_note(struct idle_jvms *q, const struct jfrec_jvm *jvm, bool had_nothing);

/* A pass over all JVMs ends: those that it has not seen are forgotten. */
void idle_jvms_end(struct idle_jvms *q);

void idle_jvms_fini(struct idle_jvms *q);

#endif
