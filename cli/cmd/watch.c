/* SPDX-License-Identifier: MIT */
/*
 * watch.c - jfrec watch: report findings in JVMs as they begin and end
 */
#include "stream/stream_opts.h"

/* clang-format off */
static const struct opt opts[] = {
	OPT_GROUP_MADE(line_format_rows, struct stream_opts, format),
	OPT_GROUP_ALONE(judging_rows),
	OPT_CALL(0, "exec", "COMMAND", "command to run for each change; gets it as JSON", stream_take_exec, struct stream_opts, loop.all),
	OPT_GROUP_ALONE(follow_rows),
	OPT_GROUP(shown_zone_rows, struct stream_opts, loop.all.select),
	OPT_GROUP_ALONE(memory_rows),
	OPT_GROUP(target_rows, struct stream_opts, loop.target),
	OPT_GROUP(attach_rows, struct stream_opts, loop.all.attach),
	{ 0 },
};
/* clang-format on */

static int run(const struct command *self, int argc, char **argv)
{
	struct stream_opts o = { .loop.all.judging.is_wanted = true };

	return stream_run(self, argc, argv, &o);
}

const struct command cmd_watch = {
	.name = "watch",
	.args = "TARGET|DIRECTORY|FILE...",
	.examples = "  jfrec watch Shop\n"
		    "  jfrec watch --exec 'mail -s \"jfrec: $JFREC_RULE\" ops' Shop\n",
	.summary = "report findings in JVMs as they begin and end",
	.about =
		"Judge JVMs by the rules of `jfrec analyze`, a minute at a time, and report when\n"
		"a finding begins and when it is over. This reads the repositories on disk:\n"
		"nothing is asked of the JVMs.  TARGET is a pid, or a part of the main class or\n"
		"jar.  Ctrl-C ends the command.",
	.opts = opts,
	.run = run,
};
