/* SPDX-License-Identifier: MIT */
/*
 * lease.h - a recording in a JVM that ends when this process does
 *
 * The session's child ends it when this process does, also by kill -9.  Should the child be
 * killed as well, it ends by its duration: so it is one of some minutes, and the next one is
 * begun before it ends.
 */
#ifndef JFREC_CLI_COMMON_LEASE_H
#define JFREC_CLI_COMMON_LEASE_H

#include "common/jvm_settings.h"

struct lease {
	int pid;
	struct jvm_settings settings;
	bool has_size;		       /* the arguments say how much the JVM keeps */
	struct jfrec_session *session; /* NULL: none was begun */
	struct jfrec_jfr_started started;
	int64_t renew_at_ns; /* monotonic */
	int64_t end_at_ns;   /* the same; 0: with this process */
};

/*
 * Begin a recording.  jvm and attach are copied as far as needed, args must live as long.  Returns
 * an exit code, after saying why it could not be begun; lease_end() in any case.
 */
int lease_begin(struct lease *l, const struct jfrec_jvm *jvm, const struct attach_opts *attach,
		const struct jfr_opts *args);

/* From now on so long, and no longer: a chunk of JDK 8 or 11 can be read only when it has ended. */
void lease_end_after(struct lease *l, int64_t ns);

/*
 * If it is time, end it, or begin the next one and end this one; what goes wrong is said, and
 * beginning is tried again.
 */
void lease_renew(struct lease *l);

/* End it.  All zero is allowed, and so is a JVM that has ended. */
void lease_end(struct lease *l);

#endif
