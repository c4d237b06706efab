/* SPDX-License-Identifier: MIT */
/*
 * source.h - one JVM, directory or file whose events are streamed
 */
#ifndef JFREC_CLI_SOURCE_H
#define JFREC_CLI_SOURCE_H

#include "choice.h"
#include "lease.h"
#include "sink.h"

/* What is the same for all of them. */
struct streaming {
	const struct command *command;
	struct choice choice;
	struct jfrec_print_options print;
	struct jfrec_stream_options stream;
	int64_t for_ns; /* how long each is followed, from when it can be; 0: for ever */
	struct talk talk;
	struct jfrargs args; /* of recordings that are begun for it */
	bool records;	     /* begin one in each JVM */
	bool is_tagged;	     /* each line says whose it is */
	struct sink sink;
};

struct source {
	struct streaming *all;
	struct jfrec_jvms *list; /* of the one JVM; NULL: a path */
	const struct jfrec_jvm *jvm;
	const char *name; /* the path, or the pid */
	char pid[16];
	char *tag; /* in front of each line; NULL: nothing is */
	size_t tag_len;
	struct jfrec_stream *stream; /* NULL: it has ended */
	struct jfrec_printer *printer;
	struct lease lease;
	bool is_inside_line;
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

/* A zeroed one, and one that has ended, is allowed. */
void source_close(struct source *s);

/*
 * Print what has come since the last time.  1: there was something; 0: nothing; -1: it failed,
 * which was said, and *status is set.  When it has ended, s->stream is NULL afterwards.
 */
int source_pump(struct source *s, int *status);

#endif
