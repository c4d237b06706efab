/* SPDX-License-Identifier: MIT */
/*
 * handshake.h - make a JVM listen, and connect to it
 *
 * HotSpot listens at /tmp/.java_pidN, N being its pid as it knows it, from the first time on that a
 * client asks for it: by a file .attach_pidN in its working directory or /tmp, the trigger, and
 * SIGQUIT.
 *
 * All of this is done with the user and group of the JVM (helper.h).
 */
#ifndef JFREC_ATTACH_HANDSHAKE_H
#define JFREC_ATTACH_HANDSHAKE_H

#include "attach/trace.h"
#include "process/jvm_root.h"

/*
 * Where a trigger could be made; nothing is.  0: in the working directory, 1: in /tmp;
 * -1 with *err set: nowhere.
 */
int handshake_find_place(const struct jvm_root *r, struct jfrec_error *err);

/*
 * Have the listener started, until deadline (deadline.h).  The caller has seen to ready_check();
 * of that, what may change is checked again.
 *
 * anyway: also if its limits leave no thread for it.
 *
 * 0: the socket is there.  -1 with *err set: JFREC_EATTACH, JFREC_EHARM, JFREC_EDIED,
 * JFREC_EPERMISSION, JFREC_EIO.  The trigger is gone, unless that could harm the JVM.
 */
int handshake_start_listener(struct jvm_root *r, int64_t deadline, bool anyway,
			     const struct trace *t, struct jfrec_error *err);

/*
 * Connect to the socket, if it is the JVM itself that listens.  1: *fd is a connection,
 * not blocking.  0: there is no socket.  -1 with *err set: JFREC_EATTACH,
 * JFREC_ETIMEOUT, JFREC_EDIED, JFREC_EPERMISSION, JFREC_EIO.
 */
int handshake_connect(struct jvm_root *r, int64_t deadline, const struct trace *t, int *fd,
		      struct jfrec_error *err);

#endif
