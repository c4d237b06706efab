/* SPDX-License-Identifier: MIT */
/*
 * crashed.h - name the files that a crashed JVM left
 */
#ifndef JFREC_CLI_JVM_CRASHED_H
#define JFREC_CLI_JVM_CRASHED_H

#include "jfrec-tool.h"

/* What is to be known of a JVM before it may crash; zeroed is allowed. */
struct crash_watch {
	struct jfrec_crash_files *files;
	struct jfrec_host *host;
};

/* While it lives.  What cannot be seen is left out. */
void crashed_watch(struct crash_watch *w, const struct jfrec_jvm *jvm);

/*
 * It has ended: say on standard error which files it left, with the commands that read them, and
 * whether the kernel killed for want of memory meanwhile.  Says nothing where there is nothing.
 */
void crashed_say(struct crash_watch *w, int pid);

void crashed_fini(struct crash_watch *w);

/* The same of a process of which nothing was known before it ended. */
void crashed_say_gone(int pid);

#endif
