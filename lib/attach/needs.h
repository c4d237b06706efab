/* SPDX-License-Identifier: MIT */
/*
 * needs.h - what a command makes a JVM create
 */
#ifndef JFREC_ATTACH_NEEDS_H
#define JFREC_ATTACH_NEEDS_H

#include "process/headroom.h"

/*
 * At most, of an operation of the attach protocol and its first argument, which may be NULL: "jcmd"
 * and "JFR.start name=7".  With the descriptor of the connection.
 */
void needs_of(const char *operation, const char *argument, struct headroom_need *need);

/*
 * The same, of a JVM that has some of the threads already.  It looks at each thread, so it is asked
 * only where the first answer is too much.
 */
void needs_of_jvm(const struct process *p, const char *operation, const char *argument,
		  struct headroom_need *need);

#endif
