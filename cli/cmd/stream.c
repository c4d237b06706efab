/* SPDX-License-Identifier: MIT */
/*
 * stream.c - jfrec stream: print events while JVMs record them
 */
#include "stream/stream_opts.h"

static const struct opt_choice on_slow[] = { { "drop", true }, { "wait", false }, { 0 } };

/* clang-format off */
/* Until they had commands of their own, `jfrec stream` judged and measured, too. */
static const struct opt old_rows[] = {
	OPT_FLAG(0, "analyze", "as jfrec watch", struct stream_opts, loop.all.judging.is_wanted),
	OPT_GROUP_ALONE(judging_rows),
	OPT_FLAG(0, "metrics", "as jfrec metrics", struct stream_opts, loop.all.measures),
	OPT_GROUP_ALONE(metrics_rows),
	{ 0 },
};

static const struct opt opts[] = {
	OPT_GROUP_MADE(stream_format_rows, struct stream_opts, format),
	OPT_GROUP(event_rows, struct stream_opts, loop.all.select),
	OPT_GROUP_ALONE(follow_rows),
	OPT_FLAG(0, "unordered", "do not sort the events of a flush by time", struct stream_opts, loop.all.stream.unordered),
	OPT_CHOICE(0, "on-slow", "drop|wait", "if the output is read too slowly (default: wait)", struct stream_opts, drops, on_slow),
	OPT_NUMBER('d', "stack-depth", "N", "frames of a stack trace to print (default: 5)", struct stream_opts, loop.all.print.stack_depth),
	OPT_ONCE(0, "fields", "LIST", "NDJSON with these columns, as startTime,eventThread", struct stream_opts, loop.all.print.fields),
	OPT_FLAG(0, "flat", "NDJSON without nested objects: dotted keys", struct stream_opts, loop.all.print.flat),
	OPT_GROUP(shown_zone_rows, struct stream_opts, loop.all.select),
	OPT_CALL(0, "on", "EVENT[EXPR]", "run --exec when this event occurs", stream_take_on, struct stream_opts, loop.all),
	OPT_CALL(0, "exec", "COMMAND", "command to run; gets the event as JSON", stream_take_exec, struct stream_opts, loop.all),
	OPT_CALL(0, "cooldown", "TIME", "do not run it again for this long (default: 60s)", stream_take_span, struct stream_opts, cooldown_ns),
	OPT_GROUP_HIDDEN(old_rows),
	OPT_GROUP_ALONE(memory_rows),
	OPT_GROUP(target_rows, struct stream_opts, loop.target),
	OPT_GROUP(attach_rows, struct stream_opts, loop.all.attach),
	{ 0 },
};
/* clang-format on */

static int run(const struct command *self, int argc, char **argv)
{
	struct stream_opts o = { 0 };

	return stream_run(self, argc, argv, &o);
}

const struct command cmd_stream = {
	.name = "stream",
	.args = "TARGET|DIRECTORY|FILE...",
	.examples = "  jfrec stream --events GarbageCollection Shop\n"
		    "  jfrec stream --ndjson --where 'duration > 1 s' Shop\n",
	.summary = "print events as JVMs record them",
	.about =
		"Print events while JVMs record them, about a second after they occurred, by\n"
		"reading the repository, without attaching.  TARGET is a pid, or a part of the\n"
		"main class or jar; DIRECTORY is a repository, also of a JVM that was killed.\n"
		"Ctrl-C ends the stream. `jfrec watch` judges what is recorded, `jfrec metrics`\n"
		"measures it.\n"
		"\n"
		"A FILTER is a list of names separated by commas, in which * stands for any text\n"
		"and ? for one character.  jfrec-where(7) describes what EXPR can be.",
	.opts = opts,
	.run = run,
};
