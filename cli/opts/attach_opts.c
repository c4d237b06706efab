/* SPDX-License-Identifier: MIT */
/*
 * attach_opts.c - options of the commands that attach to a JVM
 */
#include "opts/attach_opts.h"

#include <limits.h>

#include "base/clock_now.h"
#include "common/report.h"

/* Shorter than a millisecond is no time. */

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
	{ 0 },
};
/* clang-format on */

static void say_step(void *ctx, const char *step)
{
	const struct jfrec_jvm *jvm = ctx;

	fprintf(stderr, "jfrec: %d: ", jvm->pid);
	put_name(stderr, step);
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
	};
}

struct jfrec_session *attach_opts_open(const struct attach_opts *t, const struct jfrec_jvm *jvm,
				       struct jfrec_error *err)
{
	struct jfrec_session_options options = attach_opts_session(t, jvm);

	return jfrec_session_open(jvm, &options, err);
}
