/* SPDX-License-Identifier: MIT */
/*
 * needs.h - what a command makes a JVM create
 */
#ifndef JFREC_ATTACH_NEEDS_H
#define JFREC_ATTACH_NEEDS_H

#include "process/headroom.h"

/*
 * Of an operation of the attach protocol and its first argument, which may be NULL: "jcmd" and
 * "JFR.start name=7".  With the descriptor of the connection.
 */
void needs_of(const struct process *p, const char *operation, const char *argument,
	      struct headroom_need *need);

#endif
