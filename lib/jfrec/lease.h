/* SPDX-License-Identifier: MIT */
/* jfrec/lease.h - a recording in a JVM that ends when this process does */
#ifndef JFREC_LEASE_H
#define JFREC_LEASE_H

#include "jfrec/jfr.h"

JFREC_BEGIN_DECLS

/*
 * The session's child ends the recording when this process ends, also by kill -9.  Should the child
 * be killed as well, it ends by its duration: so that is 10 minutes, and the next recording is begun
 * before it ends.
 */
struct jfrec_lease;

/*
 * Begin a recording; .only_for_session and a "duration" are added, and a "maxsize" of 100 MB unless
 * the options have one.  The session, and all that the options point to, must live as long as the
 * lease.
 *
 * Returns it, to be ended with jfrec_lease_end(), or NULL with *err set as jfrec_jfr_start() does.
 */
struct jfrec_lease *jfrec_lease_begin(struct jfrec_session *s,
				      const struct jfrec_jfr_start_options *options,
				      struct jfrec_error *err);

/* What the JVM had to say about the recording, a line each; NULL: nothing. */
const char *jfrec_lease_warnings(const struct jfrec_lease *l);

/* End it after so many ns from now: JDK 8 and 11 make a chunk readable only when it has ended. */
void jfrec_lease_end_after(struct jfrec_lease *l, int64_t ns);

/*
 * To be called every few seconds: if it is time, end the recording, or begin the next one and end
 * this one.  0, or -1 with *err set; beginning is tried again.
 */
int jfrec_lease_renew(struct jfrec_lease *l, struct jfrec_error *err);

/*
 * End the recording and free the lease.  0, also if the JVM has ended, or -1 with
 * *err set.
 */
int jfrec_lease_end(struct jfrec_lease *l, struct jfrec_error *err);

JFREC_END_DECLS

#endif
