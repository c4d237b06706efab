/* SPDX-License-Identifier: MIT */
/*
 * judge.h - judge what a JVM records, window by window, and tell which rules turn
 *
 *	stream --flush--> window is over --> read it from the repository --> analysis --> rules
 *
 * A rule turns as soon as one window has the finding, and recovers after two windows in a row
 * without it, so that it does not flap. A window without any of its events is one without it; one
 * in which they were off says nothing.
 */
#ifndef JFREC_CLI_STREAM_JUDGE_H
#define JFREC_CLI_STREAM_JUDGE_H

#include "analyze/asking.h"
#include "opts/event_opts.h"
#include "stream/turned.h"
#include "stream/sink.h"

/* What is the same for all JVMs that are judged. */
struct judging_opts {
	bool is_wanted; /* --analyze */
	struct asking_opts asking;
	int64_t window_ns;
	unsigned least, fail_on; /* enum jfrec_severity; 0: warnings, and never */
	struct turned turned;
	bool has_failed; /* a rule turned that is as severe as fail_on */
};

/* Of one JVM, directory or file. */
struct judge;

struct judge_of {
	struct judging_opts *opts;
	const char *source;	     /* the pid, or the path */
	const struct jfrec_jvm *jvm; /* NULL: a path */
	struct zone *zone;	     /* in which times are shown; NULL: of the recording */
	struct sink *sink;
	bool is_json, is_tagged;
	int64_t from_ns; /* where its windows begin; INT64_MIN: with its first chunk */
};

/* To be freed; what it is of lives longer. NULL after saying that memory is gone. */
struct judge *judge_new(const struct judge_of *of);
void judge_free(struct judge *j);

/* All up to this time has been recorded: judge the windows that are over. An exit code. */
int judge_flush(struct judge *j, int64_t ns);

/* Nothing more comes: judge what is left. An exit code. */
int judge_end(struct judge *j);

#endif
