/* SPDX-License-Identifier: MIT */
/*
 * perform.h - do a part of a snapshot in a process of its own, within its time
 *
 * So nothing that hangs or fails in it keeps the rest from being taken: a file of /proc of a
 * process whose memory is locked, a JVM that does not reply, a recording that is hostile.
 */
#ifndef JFREC_CLI_SNAPSHOT_PERFORM_H
#define JFREC_CLI_SNAPSHOT_PERFORM_H

#include "base/command.h"

/* What the work returns when there is nothing to take, which is no failure. */
#define EXIT_NOTHING 40

/* What it says, a sentence or two. */
#define SAID_MAX 512

struct job {
	/* Its standard error is what it has to say.  Returns an exit code. */
	int (*work)(void *ctx);
	void *ctx;
	int directory; /* in which it is done */
	int64_t limit_ns;
	bool ends_on_signal; /* it ends early by SIGINT, and is killed only if it does not */
};

struct performed {
	int status; /* an exit code; EXIT_TIMEOUT if it was killed for its time */
	bool interrupted; /* by a signal to this process */
	bool is_late;	  /* its time was over before it ended */
	char said[SAID_MAX]; /* its first lines without "jfrec: "; or why it has none */
};

/* Between interrupt_hold() and interrupt_release(). */
void perform(const struct job *j, struct performed *p);

#endif
