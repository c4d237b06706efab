/* SPDX-License-Identifier: MIT */
/* jfrec/tool/texts.h - dumps, flags, logs and other texts without their secrets */
#ifndef JFREC_TOOL_TEXTS_H
#define JFREC_TOOL_TEXTS_H

#include <stdbool.h>

#include "jfrec/scrub.h"

/* What the lines of a text are. */
enum jfrec_text_kind {
	JFREC_TEXT_PLAIN = 0,	    /* anything: thread dumps, logs */
	JFREC_TEXT_ENVIRONMENT = 1, /* NAME=VALUE */
	JFREC_TEXT_PROPERTIES = 2,  /* name=value, escaped as in a .properties file */
	JFREC_TEXT_FLAGS = 3,	    /* as VM.flags and VM.command_line print them */
	JFREC_TEXT_COUNTERS = 4,    /* name="value", as PerfCounter.print prints them */
	JFREC_TEXT_CRASH = 5,	    /* hs_err_pid4711.log, with an environment in it */
};

struct jfrec_secret_text {
	enum jfrec_text_kind kind;
	const char *bytes; /* need not end in NUL */
	size_t len;
	jfrec_write_fn *write; /* gets what is left */
	/* Called when all of it was written: lines that were changed.  0, or an errno value. */
	int (*done)(void *ctx, uint64_t redacted);
	void *ctx;
};

/*
 * Write texts without what the rules take away, line by line; a private key is one text however
 * many lines it has.  First the values of environments, properties, flags and counters are learned
 * from all texts: what is secret there is taken away wherever it is.  A line of more than 64 KiB is
 * left out, and says so.
 *
 * 0, or -1 with *err set: JFREC_ENOMEM; JFREC_EOUTPUT if a function of a text failed, which ends
 * all.
 */
int jfrec_scrub_texts(const struct jfrec_scrub_rules *rules, const struct jfrec_secret_text *texts,
		      size_t count, struct jfrec_error *err);

/*
 * Do rules that name no event leave the name and label of that event type as they are, whatever
 * else is in the recording?  So it is with the JDK's own types, which every JVM has.
 */
bool jfrec_scrub_keeps_type(const char *name);

#endif
