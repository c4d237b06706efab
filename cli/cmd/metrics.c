/* SPDX-License-Identifier: MIT */
/*
 * metrics.c - jfrec metrics: measure what JVMs record, as OpenMetrics
 */
#include "stream/stream_opts.h"

/* clang-format off */
static const struct opt opts[] = {
	OPT_GROUP_ALONE(metrics_rows),
	OPT_GROUP(event_rows, struct stream_opts, loop.all.select),
	OPT_GROUP_ALONE(follow_rows),
	OPT_GROUP_ALONE(memory_rows),
	OPT_GROUP(target_rows, struct stream_opts, loop.target),
	OPT_GROUP(attach_rows, struct stream_opts, loop.all.attach),
	{ 0 },
};
/* clang-format on */

static int run(const struct command *self, int argc, char **argv)
{
	struct stream_opts o = { .loop.all.measures = true };

	return stream_run(self, argc, argv, &o);
}

const struct command cmd_metrics = {
	.name = "metrics",
	.args = "TARGET|DIRECTORY|FILE...",
	.examples = "  jfrec metrics Shop\n"
		    "  jfrec metrics --listen 127.0.0.1:9464 Shop\n",
	.summary = "measure what JVMs record, for Prometheus and others",
	.about =
		"Print metrics of JVMs as OpenMetrics text: heap, pauses, CPU, allocation and\n"
		"more, of the last minute. With --listen, serve them; with -o, write them to\n"
		"a file, once or at an interval. This reads the repositories: nothing is\n"
		"asked of the JVMs.  TARGET is a pid, or a part of the main class or jar.",
	.opts = opts,
	.run = run,
};
