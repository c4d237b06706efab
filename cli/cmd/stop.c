/* SPDX-License-Identifier: MIT */
/*
 * stop.c - jfrec stop: stop a recording and fetch it
 *
 * JFR.stop reports success even if the disk was full and the data is lost.  So
 * the JVM stops the recording only after the whole recording has been copied here.
 */
#include <inttypes.h>

#include "base/report.h"
#include "jvm/dump_file.h"
#include "jvm/recordings.h"

struct options {
	struct for_each_jvm each;
	const char *name;
	bool discard;
	struct output_opts output;
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_GROUP(outfile_rows, struct options, output),
	OPT_STRING('n', "name", "NAME", "the recording's name or id, if there are several", struct options, name),
	OPT_FLAG(0, "discard", "discard the recorded data", struct options, discard),
	OPT_GROUP(for_each_jvm_rows, struct options, each),
	{ 0 },
};
/* clang-format on */

static int end_recording(struct each_jvm *j, uint64_t id)
{
	struct jfrec_error err;

	if (jfrec_jfr_stop(j->session, id, &err) < 0)
		return for_each_jvm_fail(j, &err);
	if (j->result)
		json_object_set_new(j->result, "recording", json_integer((json_int_t)id));
	return EXIT_DONE;
}

static int bring_and_end(struct each_jvm *j, uint64_t id, struct outfile *o)
{
	char number[24];
	struct jfrec_jfr_option name = { "name", number };
	struct dump_fetched f;
	int status;

	snprintf(number, sizeof(number), "%" PRIu64, id);
	status = dump_file_fetch(j, &name, 1, o, &f);
	if (status != EXIT_DONE)
		return status;
	/* Also if it cannot be stopped: the file is there. */
	dump_file_report(j, o, f.size);
	return end_recording(j, id);
}

static int stop(struct each_jvm *j, void *ctx)
{
	const struct options *w = ctx;
	struct outfile o;
	uint64_t id;
	int status = recordings_select(j, w->name, &id);

	if (status != EXIT_DONE)
		return status;
	if (w->discard)
		return end_recording(j, id);
	status = outfile_open(&o, &w->output, j->jvm);
	if (status != EXIT_DONE)
		return status;
	status = bring_and_end(j, id, &o);
	outfile_close(&o);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options w = { .each.command = self };
	int status;

	if (!opt_parse(&p, &w))
		return p.status;
	if (w.discard && w.output.path)
		return report_usage(self, "--discard and --output contradict each other");
	status = outfile_check(&w.output, self, w.each.target.all, w.each.json);
	return status == EXIT_DONE ? for_each_jvm(&w.each, &p, stop, &w) : status;
}

const struct command cmd_stop = {
	.name = "stop",
	.args = "TARGET",
	.examples = "  jfrec stop Shop\n"
		    "  jfrec stop -o shop.jfr Shop\n",
	.summary = "stop a recording and fetch it",
	.about =
		"Copy a recording of a JVM into a file, check that the file is complete, and only\n"
		"then stop the recording.  TARGET is a pid, or a part of the main class or jar.\n"
		"In FILE, %p is the pid, %t the time, %h the host and %n the main class.  Prints\n"
		"the name of the file.",
	.opts = opts,
	.run = run,
};
