/* SPDX-License-Identifier: MIT */
/*
 * source.h - what takes the events of one JVM, directory or file
 */
#ifndef JFREC_CLI_STREAM_SOURCE_H
#define JFREC_CLI_STREAM_SOURCE_H

#include "stream/consumer.h"

struct source {
	struct streaming *all;
	struct jfrec_source *followed; /* whose ctx this is */
	const struct jfrec_jvm *jvm;   /* NULL: a path */
	const char *name;	       /* the path, or the pid */
	/*
	 * For what is printed, measured or judged, and for each trigger: those with other events.
	 */
	struct consumer consumers[2 + MAX_TRIGGERS];
	unsigned consumer_count;
	struct lease lease;
};

/*
 * Open the streams of a source of the library.  `waits`: a JVM need not record yet.
 *
 * EXIT_DONE; or another exit code after saying why not.  source_close() in any case.
 */
int source_open(struct jfrec_source *followed, struct streaming *all, bool waits);

/*
 * Close what belongs to it here, and end the recording that was begun for it.  Returns how much
 * was damaged.  What has no source of the tool is allowed.
 */
uint64_t source_close(struct jfrec_source *followed);

/*
 * A step of the source: take it.  EXIT_DONE; or another exit code after saying what failed, and
 * then the source is to be removed.
 */
int source_handle(const struct jfrec_streams_step *step, const struct jfrec_error *err);

/* To be called every few seconds: its recording goes on. */
void source_renew(struct source *s);

/* What was measured of it; NULL: nothing is. */
const struct jfrec_metrics *source_metrics(const struct source *s);

#endif
