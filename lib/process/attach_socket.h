/* SPDX-License-Identifier: MIT */
/*
 * attach_socket.h - find the socket at which a JVM takes diagnostic commands
 *
 * HotSpot listens at /tmp/.java_pidN, N being its pid in its own pid namespace.
 */
#ifndef JFREC_PROCESS_ATTACH_SOCKET_H
#define JFREC_PROCESS_ATTACH_SOCKET_H

#include "process/jvm_root.h"
#include "process/opener.h"

/* Is it what HotSpot makes?  0, or -1 with *err set (JFREC_EATTACH). */
int attach_socket_check(const struct jvm_root *r, const struct opener_file *f,
			struct jfrec_error *err);

/*
 * Is the socket there?  1 or 0, or -1 with *err set (JFREC_EATTACH): what has
 * its name is not what HotSpot makes.
 */
int attach_socket_find(struct jvm_root *r, struct jfrec_error *err);

#endif
