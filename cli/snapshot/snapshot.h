/* SPDX-License-Identifier: MIT */
/*
 * snapshot.h - take what an incident needs of a JVM, before it is restarted
 */
#ifndef JFREC_CLI_SNAPSHOT_SNAPSHOT_H
#define JFREC_CLI_SNAPSHOT_SNAPSHOT_H

#include "jvm/for_each_jvm.h"
#include "snapshot/steps.h"

/* Where it goes. */
struct snapshot_output {
	const char *path; /* a directory that is made, or an archive (tarball.h) */
	bool force;
};

/*
 * Take it; what could not be taken is said on standard error.  Returns an exit code, EXIT_FAILED if
 * a step failed, 128 and the signal if one ended it early: it is there all the same.
 */
int snapshot_take(struct each_jvm *j, const struct snapshot_opts *o,
		  const struct snapshot_output *to);

#endif
