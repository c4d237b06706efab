/* SPDX-License-Identifier: MIT */
/* jfrec/tool/lease.h - a recording in a JVM that ends when this process does */
#ifndef JFREC_TOOL_LEASE_H
#define JFREC_TOOL_LEASE_H

#include "jfrec/jfr.h"

/*
 * The session's child ends the recording when this process ends, even by kill -9.  If the child is
 * killed as well, the recording ends by its duration, which is 10 minutes; a new recording is
 * started before that.
 */
struct jfrec_lease;

/*
 * Start a recording, with .only_for_session, a "duration", and a "maxsize" of 100 MiB unless the
 * options have one.  The session, and everything that the options point to, must live as long as
 * the lease.
 *
 * Returns the lease, to be ended with jfrec_lease_end(), or NULL with *err set as by
 * jfrec_jfr_start().
 */
struct jfrec_lease *jfrec_lease_begin(struct jfrec_session *s,
				      const struct jfrec_jfr_start_options *options,
				      struct jfrec_error *err);

/* The JVM's warnings about the recording, one per line; NULL: none. */
const char *jfrec_lease_warnings(const struct jfrec_lease *l);

/* End the recording `ns` from now: JDK 8 and 11 make a chunk readable only at its end. */
void jfrec_lease_end_after(struct jfrec_lease *l, int64_t ns);

/*
 * Call this every few seconds: when it is time, it ends the recording, or starts the next one and
 * ends this one.  0, or -1 with *err set; the next call tries again.
 */
int jfrec_lease_renew(struct jfrec_lease *l, struct jfrec_error *err);

/*
 * End the recording and free the lease.  0, also if the JVM has ended, or -1 with
 * *err set.
 */
int jfrec_lease_end(struct jfrec_lease *l, struct jfrec_error *err);

#endif
