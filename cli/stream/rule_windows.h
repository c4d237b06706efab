/* SPDX-License-Identifier: MIT */
/*
 * rule_windows.h - judge what a JVM records, window by window, and tell which rules turn
 *
 *	stream --flush--> window is over --> read it from the repository --> analysis --> rules
 *
 * A rule turns as soon as one window has the finding, and recovers after two windows in a row
 * without it, so that it does not flap. A window without any of its events is one without it; one
 * in which they were off says nothing.
 */
#ifndef JFREC_CLI_STREAM_RULE_WINDOWS_H
#define JFREC_CLI_STREAM_RULE_WINDOWS_H

#include "analyze/asking.h"
#include "opts/event_opts.h"
#include "stream/sink.h"
#include "stream/turned.h"

/* What is the same for all JVMs that are judged. */
struct rule_opts {
	bool is_wanted; /* --analyze */
	struct asking_opts asking;
	int64_t window_ns;
	unsigned least, fail_on; /* enum jfrec_severity; 0: warnings, and never */
	struct turned turned;
	bool has_failed; /* a rule turned that is as severe as fail_on */
};

/* Of one JVM, directory or file. */
struct rule_windows;

struct rule_windows_of {
	struct rule_opts *opts;
	const char *source;	     /* the pid, or the path */
	const struct jfrec_jvm *jvm; /* NULL: a path */
	struct zone *zone;	     /* in which times are shown; NULL: of the recording */
	struct sink *sink;
	bool is_json, is_tagged;
	int64_t from_ns; /* where its windows begin; INT64_MIN: with its first chunk */
};

/* To be freed; what it is of lives longer. NULL after saying that memory is gone. */
struct rule_windows *rule_windows_new(const struct rule_windows_of *of);
void rule_windows_free(struct rule_windows *j);

/* All up to this time has been recorded: judge the windows that are over. An exit code. */
int rule_windows_flush(struct rule_windows *j, int64_t ns);

/* Nothing more comes: judge what is left. An exit code. */
int rule_windows_end(struct rule_windows *j);

#endif
