/* SPDX-License-Identifier: MIT */
/*
 * subprocess.h - work on a collected file, in a process of its own
 *
 * The collector may be root, and a recording is hostile: a process that is nobody, and confined,
 * reads it, and can only end, or say why it failed.
 */
#ifndef JFREC_CLI_COLLECT_SUBPROCESS_H
#define JFREC_CLI_COLLECT_SUBPROCESS_H

#include "jfrec.h"

struct subprocess {
	const char *failed; /* "no report was written": how a failure begins */
	int timeout_ms;
	int recording; /* open for reading: what is read */
	/* Files are written below it, which belong to the collector; NULL: to open files only. */
	const char *directory;
	uint64_t file_max; /* bytes that it may write into one file */
	/* The work: 0 to 100, which is returned, or -1 with *err set. */
	int (*work)(void *ctx, struct jfrec_error *err);
	void *ctx;
};

/*
 * Have it done.  What work() returned, or -1 with *err set: its code, or JFREC_EREFUSED if it was
 * not done in time or died.
 */
int subprocess_run(const struct subprocess *a, struct jfrec_error *err);

#endif
