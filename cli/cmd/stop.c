/* SPDX-License-Identifier: MIT */
/*
 * stop.c - jfrec stop: stop a recording and fetch it
 *
 * JFR.stop reports success even if the disk was full and the data is lost.  So
 * it is told to stop only when all that was recorded lies here, whole.
 */
#include <inttypes.h>

#include "common/dump_file.h"
#include "common/recordings.h"
#include "common/report.h"

enum {
	OPT_DISCARD = 256,
};

/* clang-format off */
static const struct opt opts[] = {
	OUTFILE_OPTS,
	{ 'n', "name", "NAME", "the recording's name or id, if there are several" },
	{ OPT_DISCARD, "discard", NULL, "throw away what it has recorded" },
	FOR_EACH_JVM_OPTS,
	{ 0 },
};
/* clang-format on */

struct options {
	const char *name;
	bool discard;
	struct output_opts output;
};

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
	uint64_t size;
	int status;

	snprintf(number, sizeof(number), "%" PRIu64, id);
	status = dump_file_fetch(j, &name, 1, o, &size);
	if (status != EXIT_DONE)
		return status;
	/* Also if it cannot be stopped: the file is there. */
	dump_file_report(j, o, size);
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

static int take(struct options *w, struct for_each_jvm *e, int letter, const char *value)
{
	int taken;

	if (letter == 'n')
		w->name = value;
	else if (letter == OPT_DISCARD)
		w->discard = true;
	else
		return (taken = output_opts_take_option(&w->output, e->command, letter, value))
			       ? taken
			       : for_each_jvm_take_option(e, letter, value);
	return 1;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .command = self->name, .opts = opts, .argc = argc, .argv = argv };
	struct for_each_jvm e = { .command = self };
	struct options w = { 0 };
	int letter, status;

	while ((letter = opt_next(&p)) != OPT_END) {
		if (letter == OPT_HELP)
			return command_help(self);
		if (take(&w, &e, letter, p.value) <= 0)
			return EXIT_USAGE;
	}
	if (w.discard && w.output.path)
		return report_usage(self, "--discard and --output contradict each other");
	status = outfile_check(&w.output, self, e.target.all, e.json);
	return status == EXIT_DONE ? for_each_jvm(&e, &p, stop, &w) : status;
}

const struct command cmd_stop = {
	.name = "stop",
	.args = "TARGET",
	.summary = "end a recording and bring it here",
	.about =
		"Bring a recording of a JVM into a file here, see that it is whole, and only then\n"
		"end it.  TARGET is a pid, or a part of the main class or jar.  In FILE, %p is\n"
		"the pid, %t the time, %h the host and %n the main class.  Prints the name of the\n"
		"file.",
	.opts = opts,
	.run = run,
};
