/* SPDX-License-Identifier: MIT */
/*
 * verdicts.h - the worst that rules find in the last window of each JVM that records
 */
#ifndef JFREC_CLI_TOP_VERDICTS_H
#define JFREC_CLI_TOP_VERDICTS_H

#include "jfrec-tool.h"
#include "top/inquiry.h"

/* Each JVM is judged once in this time, by what it recorded in it. */
#define VERDICT_NS (30 * INT64_C(1000000000))

/* Of one JVM.  Texts may have anything in them that the JVM recorded. */
struct verdict {
	int pid;
	uint64_t start_ticks;
	int64_t due_ns; /* monotonic: it is to be judged */
	bool is_judged;
	enum jfrec_severity severity; /* OK: no rule found anything; NO_DATA: none could judge */
	char rule[48];
	char *summary, *advice; /* or NULL */
	char *error;		/* why it could not be judged; or NULL */
};

/* All zero at first, but for wait_fd: the epoll that tells of the child. */
struct verdicts {
	struct verdict *list;
	size_t count, room;
	struct inquiry at_work; /* one JVM at a time, so that it costs one processor a part */
	struct verdict of;	/* pid and start of that one */
	int wait_fd;
};

/* Free it, and end its child. */
void verdicts_fini(struct verdicts *v);

/* Take what has come, and judge the next one that is due. */
void verdicts_step(struct verdicts *v, const struct jfrec_loads *loads);

/* What is known of a JVM; NULL: nothing yet. Valid until the next step. */
const struct verdict *verdicts_find(const struct verdicts *v, const struct jfrec_jvm *jvm);

/* Has each JVM that records been judged at least once? */
bool verdicts_are_complete(const struct verdicts *v, const struct jfrec_loads *loads);

#endif
