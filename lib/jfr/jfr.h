/* SPDX-License-Identifier: MIT */
/*
 * jfr.h - what the commands of Flight Recorder share
 */
#ifndef JFREC_JFR_JFR_H
#define JFREC_JFR_JFR_H

#include "attach/session.h"
#include "jfr/quote.h"
#include "jfr/reply.h"

/* The answer to a command, and what it means. */
struct jfr_answer {
	struct session_reply reply;
	struct reply r; /* points into reply */
};

/* A zeroed one is allowed. */
void jfr_answer_fini(struct jfr_answer *a);

/* jfrec_session_version(), without allocating.  0, or -1 with *err set. */
int jfr_version(struct jfrec_session *s, struct jfrec_jvm_version *version,
		struct jfrec_error *err);

/*
 * Check the options, for the JVM that it is where that matters, and put the command
 * together.  0, or -1 with *err set and nothing to end.
 */
int jfr_compose(struct jfrec_session *s, enum jfrec_jfr_command command,
		const struct jfrec_jfr_option *options, size_t count, struct command_text *text,
		struct jfrec_error *err);

/*
 * Send the command, unless it would do harm, and find out what the answer means,
 * which may be a failure.  0 with *a to be ended, or -1 with *err set.
 */
int jfr_ask(struct jfrec_session *s, enum jfrec_jfr_command command, const char *text,
	    struct jfr_answer *a, struct jfrec_error *err);

/* The same, but an answer that means a failure, or is not known, is one. */
int jfr_run(struct jfrec_session *s, enum jfrec_jfr_command command, const char *text,
	    struct jfr_answer *a, struct jfrec_error *err);

/*
 * Has there been a recording in this JVM?  Found out without doing to it what a first
 * command of Flight Recorder does.  0 with *used set, or -1 with *err set.
 */
int jfr_is_in_use(struct jfrec_session *s, bool *used, struct jfrec_error *err);

/*
 * In a working directory that has been removed, the first command breaks Flight
 * Recorder for the life of the JVM; if it is in use already, it works.  0, or -1 with
 * *err set.
 */
int jfr_refuse_harm(struct jfrec_session *s, struct jfrec_error *err);

/* The value of an option in a list, or NULL. */
const char *jfr_option_value(const struct jfrec_jfr_option *options, size_t count, const char *key);

/* A copy that ends in NUL, or NULL with *err set. */
char *jfr_copy_text(struct reply_text text, struct jfrec_error *err);

#endif
