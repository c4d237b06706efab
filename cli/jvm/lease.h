/* SPDX-License-Identifier: MIT */
/*
 * lease.h - have a JVM record with the caller's settings until this process ends
 */
#ifndef JFREC_CLI_JVM_LEASE_H
#define JFREC_CLI_JVM_LEASE_H

#include "jfrec-tool.h"
#include "jvm/jvm_settings.h"

struct lease {
	int pid;
	struct jvm_settings settings;
	struct jfrec_session *session;
	struct jfrec_lease *recording; /* NULL: none was begun */
};

/*
 * Begin a recording.  args must live as long.  Returns an exit code, after saying why it could not
 * be begun; lease_end() in any case.
 */
int lease_begin(struct lease *l, const struct jfrec_jvm *jvm, const struct attach_opts *attach,
		const struct jfr_opts *args);

/* End it after so many ns: a chunk of JDK 8 or 11 can be read only when it has ended. */
void lease_end_after(struct lease *l, int64_t ns);

/* jfrec_lease_renew(); what goes wrong is reported. */
void lease_renew(struct lease *l);

/* End it.  All zero is allowed, and so is a JVM that has ended. */
void lease_end(struct lease *l);

#endif
