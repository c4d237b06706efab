/* SPDX-License-Identifier: MIT */
/*
 * source.h - one JVM, directory or file whose events are streamed
 */
#ifndef JFREC_CLI_STREAM_SOURCE_H
#define JFREC_CLI_STREAM_SOURCE_H

#include "stream/consumer.h"

struct source {
	struct streaming *all;
	struct jfrec_jvms *list; /* of the one JVM; NULL: a path */
	const struct jfrec_jvm *jvm;
	const char *name; /* the path, or the pid */
	char pid[16];
	/* For what is printed or measured, and for each trigger: those with other events. */
	struct consumer consumers[1 + MAX_TRIGGERS];
	unsigned consumer_count;
	bool has_ended;
	struct lease lease;
	int wish;	 /* the caller's */
	uint64_t damage; /* once it has ended */
};

/*
 * Open a path, which must live as long, or the JVM of that pid.  `waits`: it need not record yet.
 * 0 is EXIT_DONE; or another exit code after saying why not, and then there is nothing to close.
 */
int source_open_path(struct source *s, struct streaming *all, const char *path);
int source_open_jvm(struct source *s, struct streaming *all, const struct jfrec_jvm *jvm,
		    bool waits);

/* A zeroed one is allowed. */
void source_close(struct source *s);

/*
 * Take what has come since the last time.  1: there was something; 0: nothing; -1: it failed,
 * which was said, and *status is set.
 */
int source_pump(struct source *s, int *status);

/* Have it end with what it has. */
void source_stop(struct source *s);

/* How many ms from now on looking at it would find nothing. */
int source_pause_ms(const struct source *s);

/* What was measured of it; NULL: nothing is. */
const struct jfrec_metrics *source_metrics(const struct source *s);

#endif
