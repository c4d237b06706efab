/* SPDX-License-Identifier: MIT */
/*
 * preflight.h - has a JVM what it takes to be attached to?
 *
 * Asked before anything is sent, and again right before: a limit that is reached in between is the
 * race that is left.
 */
#ifndef JFREC_PROCESS_PREFLIGHT_H
#define JFREC_PROCESS_PREFLIGHT_H

#include "process/headroom.h"
#include "process/jvm_root.h"

/*
 * May it make its attach socket?  It is not held by a freezer, its user may make a file in its
 * temporary directory, and one has room there. 0, or -1 with *err set: JFREC_EATTACH, JFREC_EDIED.
 */
int preflight_socket(struct jvm_root *r, struct jfrec_error *err);

/*
 * Has it a thread for the listener, and descriptors for that and the first connection?  As
 * headroom_check().
 */
int preflight_listener(const struct process *p, struct jfrec_error *err);

/* The same for a connection to a listener that runs: one that finds no descriptor ends. */
int preflight_connection(const struct process *p, struct jfrec_error *err);

/* Why errno stood against a file in its temporary directory. -1. */
int preflight_fail_socket(const struct jvm_root *r, struct jfrec_error *err);

#endif
