/* SPDX-License-Identifier: MIT */
/*
 * stack_depth.c - let stack traces be deeper than the JDK's 64 frames
 *
 * Frameworks need more, and what is cut is the end that says who asked.  It can be set only before
 * Flight Recorder is used (checked on JDK 17 and 25: the first recording then has deep traces, and
 * no restart is needed); later JDK 17 claims to have set it and JDK 25 shows what there is.
 *
 * What it costs: 96 more frames are 3 KB for each thread of which stack traces are taken (JDK 17,
 * 1000 threads: 3.0 MB more; JDK 25: none to be seen), and time and room in the recording only for
 * stacks that are that deep.
 */
#include "jfr/stack_depth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jfr/jfr.h"
#include "jfr/option.h"

/* What every JDK has, and a native program does not say. */
#define USUAL_DEPTH "64"

/* A 64 that was set on the command line is deliberate. */
bool stack_depth_is_unset(const char *flags, const char *configuration)
{
	struct reply_text depth = reply_value(configuration, "Stack depth: ");
	const char *options = strstr(flags, "FlightRecorderOptions");

	if (depth.len != strlen(USUAL_DEPTH) || strncmp(depth.at, USUAL_DEPTH, depth.len) != 0)
		return false;
	return !options || !strstr(options, "stackdepth");
}

static int ask(struct jfrec_session *s, bool *unset, struct jfrec_error *err)
{
	struct session_reply flags = { 0 }, configuration = { 0 };
	int ret = -1;

	if (session_jcmd(s, "VM.flags", SESSION_TIMEOUT_MS, &flags, err) == 0 &&
	    session_jcmd(s, jfr_command_name(JFREC_JFR_CONFIGURE), SESSION_TIMEOUT_MS,
			 &configuration, err) == 0) {
		*unset = stack_depth_is_unset(flags.text, configuration.text);
		ret = 0;
	}
	session_reply_fini(&flags);
	session_reply_fini(&configuration);
	return ret;
}

int jfrec_jfr_deepen_stacks(struct jfrec_session *s, unsigned depth, struct jfrec_error *err)
{
	char value[16];
	const struct jfrec_jfr_option option = { "stackdepth", value };
	bool used, unset = false;
	char *said;

	if (jfr_refuse_harm(s, err) < 0 || jfr_is_in_use(s, &used, err) < 0)
		return -1;
	if (used)
		return 0;
	if (ask(s, &unset, err) < 0)
		return -1;
	if (!unset)
		return 0;
	snprintf(value, sizeof(value), "%u", depth);
	said = jfrec_jfr_configure(s, &option, 1, err);
	/* A program has made use of it without a recording. */
	if (!said)
		return !err || err->code == JFREC_EREFUSED ? 0 : -1;
	free(said);
	return 1;
}
