/* SPDX-License-Identifier: MIT */
/*
 * collect.h - collecting the recordings of many JVMs
 */
#ifndef JFREC_CLI_COLLECT_COLLECT_H
#define JFREC_CLI_COLLECT_COLLECT_H

#include "jfrec.h"

/*
 * Brings the finished chunks of many JVMs into one directory, each exactly once, as
 * jfrec-collect(5) configures it: across restarts of them and of this process, and also if
 * either is killed.
 */
struct collector;

/* Is the configuration well-formed?  0, or -1 with *err set: JFREC_EINVAL (line, column), _EIO. */
int collector_check(const char *path, struct jfrec_error *err);

/*
 * Open a collector by the configuration at path, for the only one at work in its directory, and
 * finish what one that was killed there did not.  With dry_run nothing is changed anywhere, now and
 * later.
 *
 * Returns it, to be closed with collector_close(), or NULL with *err set: JFREC_EINVAL (the
 * configuration, or its state is damaged), JFREC_EREFUSED (another one is at work), JFREC_EIO.
 */
struct collector *collector_open(const char *path, bool dry_run, struct jfrec_error *err);

/* NULL is allowed. */
void collector_close(struct collector *c);

/* Where the files go. Lives as long as the collector. */
const char *collector_directory(const struct collector *c);

enum collected {
	COLLECTED_FILE,	    /* a new file is there */
	COLLECTED_STARTED,  /* a recording was started in a JVM */
	COLLECTED_DROPPED,  /* an old file was removed, to keep the limits */
	COLLECTED_REPORTED, /* a report on one was written */
	COLLECTED_EXPORTED, /* the tables of one were written */
	COLLECTED_RAN,	    /* the command was run for a file */
	COLLECTED_REAPED,   /* the repository of a dead JVM was removed */
	COLLECTED_FAILED,   /* .text says what; the rest went on */
	COLLECTED_EMPTY, /* .text says whose files had nothing readable, besides one told before */
};

/* Something that a pass has done, or (dry_run) would do. What has no meaning is 0 or NULL. */
struct collected_news {
	enum collected what;
	const char *path;	/* the file, or the repository */
	int pid;		/* the JVM; of a dead one as it saw it itself */
	const char *main;	/* its main class or jar */
	bool is_leftover;	/* it is dead */
	uint64_t recording;	/* that was started */
	uint64_t bytes;		/* of the file */
	size_t chunks;		/* in it */
	size_t completed;	/* of them that their JVM had not finished */
	size_t unreadable;	/* of its chunks that nothing could be got out of */
	int64_t start_ns, end_ns; /* of what is in it, since 1970 */
	enum jfrec_code code;	/* what failed */
	bool is_known; /* the pass before has told of the same failure */
	const char *text;
};

typedef void collected_fn(void *ctx, const struct collected_news *news);

struct collector_options {
	bool reap;    /* remove repositories of dead JVMs of which all has been collected */
	bool is_last; /* JVMs that take long to answer are waited for; no pass after it asks on */
	collected_fn *fn;
	void *ctx;
};

/*
 * One pass over all JVMs.  0: all went well; 1: something failed, which was reported, and the rest
 * was done; -1 with *err set: it had to end early, such as for JFREC_EIO with ENOSPC if the disk is
 * full or would be.  What was not collected is left for the next pass in any case.
 *
 * Between passes of one collector the chunks that JVMs are writing are kept open, so that
 * what a JVM removes when it ends is not lost.
 */
int collector_pass(struct collector *c, const struct collector_options *options,
		   struct jfrec_error *err);

/* Have a pass end after the file at hand, and return 0.  May be called from a signal handler. */
void collector_stop(struct collector *c);

#endif
