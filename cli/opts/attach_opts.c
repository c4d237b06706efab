/* SPDX-License-Identifier: MIT */
/*
 * attach_opts.c - options of the commands that attach to a JVM
 */
#include "opts/attach_opts.h"

#include <limits.h>

#include "base/clock_now.h"
#include "base/report.h"
#include "jfrec-tool.h"

/* For a whole command: the first recording of a JVM costs it seconds, and more if it is busy. */
#define WHOLE_MS 60000

/* Less than a millisecond is not a valid time. */
static int take_timeout(const struct opt_given *g, void *to)
{
	int64_t ns;

	if (!jfrec_parse_duration(g->value, &ns) || ns < NS_PER_MS || ns / NS_PER_MS > INT_MAX)
		return report_usage(g->command, "invalid timeout %s; use for example 30s or 2m",
				    g->value);
	*(int *)to = (int)(ns / NS_PER_MS);
	return EXIT_DONE;
}

/* clang-format off */
const struct opt attach_rows[] = {
	OPT_CALL(0, "timeout", "TIME", "wait this long for each reply, such as 30s", take_timeout, struct attach_opts, timeout_ms),
	OPT_FLAG('v', "trace", "report each step on standard error", struct attach_opts, trace),
	OPT_FLAG(0, "attach-anyway", "attach also if that may end the JVM", struct attach_opts, anyway),
	{ 0 },
};

const struct opt attach_whole_rows[] = {
	OPT_CALL(0, "timeout", "TIME", "wait this long for the JVM in all, such as 2m", take_timeout, struct attach_opts, timeout_ms),
	OPT_FLAG('v', "trace", "report each step on standard error", struct attach_opts, trace),
	OPT_FLAG(0, "attach-anyway", "attach also if that may end the JVM", struct attach_opts, anyway),
	{ 0 },
};
/* clang-format on */

int attach_opts_whole_ms(const struct attach_opts *t)
{
	return t->timeout_ms ? t->timeout_ms : WHOLE_MS;
}

static void say_step(void *ctx, const char *step)
{
	const struct jfrec_jvm *jvm = ctx;

	fprintf(stderr, "jfrec: %d: ", jvm->pid);
	put_name(stderr, step);
	fputc('\n', stderr);
}

static void say_warning(void *ctx, const char *sentence)
{
	(void)ctx;
	fputs("jfrec: warning: ", stderr);
	put_name(stderr, sentence);
	fputc('\n', stderr);
}

struct jfrec_session_options attach_opts_session(const struct attach_opts *t,
						 const struct jfrec_jvm *jvm)
{
	return (struct jfrec_session_options){
		.struct_size = sizeof(struct jfrec_session_options),
		.timeout_ms = t->timeout_ms,
		.trace = t->trace ? say_step : NULL,
		.trace_ctx = (void *)jvm,
		.whole_timeout_ms = t->whole ? attach_opts_whole_ms(t) : 0,
		.attach_anyway = t->anyway,
		.warn = say_warning,
	};
}

struct jfrec_session *attach_opts_open(const struct attach_opts *t, const struct jfrec_jvm *jvm,
				       struct jfrec_error *err)
{
	struct jfrec_session_options options = attach_opts_session(t, jvm);

	return jfrec_session_open(jvm, &options, err);
}
