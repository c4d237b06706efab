/* SPDX-License-Identifier: MIT */
/*
 * cmd_dump.c - jfrec dump: bring what a JVM has recorded here
 */
#include <inttypes.h>

#include "bring.h"
#include "jfrargs.h"
#include "recordings.h"
#include "report.h"

enum {
	OPT_BEGIN = 256,
	OPT_END_TIME,
	OPT_MAX_AGE,
	OPT_MAX_SIZE,
	OPT_PATH_TO_GC_ROOTS,
};

/* clang-format off */
static const struct opt opts[] = {
	OUTFILE_OPTS,
	{ 'n', "name", "NAME", "only this recording, by name or id (default: all)" },
	{ OPT_BEGIN, "begin", "TIME", "from then on: 09:30, -10m, 2026-11-20T08:30:00Z" },
	{ OPT_END_TIME, "end", "TIME", "up to then" },
	{ OPT_MAX_AGE, "max-age", "TIME", "only what is younger" },
	{ OPT_MAX_SIZE, "max-size", "SIZE", "about so much at most, such as 50m" },
	{ OPT_PATH_TO_GC_ROOTS, "path-to-gc-roots", NULL, "find what keeps old objects alive" },
	EACH_OPTS,
	{ 0 },
};
/* clang-format on */

static const struct jfrargs_row rows[] = {
	{ OPT_BEGIN, "begin", NULL },
	{ OPT_END_TIME, "end", NULL },
	{ OPT_MAX_AGE, "maxage", NULL },
	{ OPT_MAX_SIZE, "maxsize", NULL },
	{ OPT_PATH_TO_GC_ROOTS, "path-to-gc-roots", "true" },
	{ 0 },
};

struct wishes {
	const char *name;
	struct writing output;
	struct jfrargs args;
};

/* The options of the command, and which recording. */
static int dump_chosen(struct each_jvm *j, const struct wishes *w, struct outfile *o)
{
	struct jfrec_jfr_option options[JFRARGS_MAX + 1];
	size_t count = w->args.count;
	char number[24];
	uint64_t id, size;
	int status;

	for (size_t i = 0; i < count; i++)
		options[i] = w->args.options[i];
	if (w->name) {
		status = choose_recording(j, w->name, &id);
		if (status != EXIT_DONE)
			return status;
		/* By its id: a name may be there twice. */
		snprintf(number, sizeof(number), "%" PRIu64, id);
		options[count++] = (struct jfrec_jfr_option){ "name", number };
	}
	status = bring_here(j, options, count, o, &size);
	if (status == EXIT_DONE)
		report_brought(j, o, size);
	return status;
}

static int dump(struct each_jvm *j, void *ctx)
{
	const struct wishes *w = ctx;
	struct outfile o;
	int status = outfile_open(&o, &w->output, j->jvm);

	if (status != EXIT_DONE)
		return status;
	status = dump_chosen(j, w, &o);
	outfile_close(&o);
	return status;
}

static int take(struct wishes *w, struct each *e, int letter, const char *value)
{
	int taken;

	if (letter == 'n') {
		w->name = value;
		return 1;
	}
	taken = writing_take_option(&w->output, e->command, letter, value);
	if (!taken)
		taken = jfrargs_take(&w->args, e->command, JFREC_JFR_DUMP, rows, letter, value);
	return taken ? taken : each_take_option(e, letter, value);
}

static int check(const struct command *self, const struct each *e, struct wishes *w)
{
	if (jfrargs_get(&w->args, "maxage") &&
	    (jfrargs_get(&w->args, "begin") || jfrargs_get(&w->args, "end")))
		return report_usage(self, "--max-age goes neither with --begin nor with --end");
	return outfile_check(&w->output, self, e->target.all, e->json);
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .command = self->name, .opts = opts, .argc = argc, .argv = argv };
	struct each e = { .command = self };
	struct wishes w = { 0 };
	int letter, status;

	while ((letter = opt_next(&p)) != OPT_END) {
		if (letter == OPT_HELP)
			return command_help(self);
		if (take(&w, &e, letter, p.value) <= 0)
			return EXIT_USAGE;
	}
	status = check(self, &e, &w);
	return status == EXIT_DONE ? each_run(&e, &p, dump, &w) : status;
}

const struct command cmd_dump = {
	.name = "dump",
	.args = "TARGET",
	.summary = "bring what a JVM has recorded here",
	.about =
		"Bring what a JVM has recorded so far into a file here; its recordings go on.\n"
		"TARGET is a pid, or a part of the main class or jar.  In FILE, %p is the pid, %t\n"
		"the time, %h the host and %n the main class.  Prints the name of the file.",
	.opts = opts,
	.run = run,
};
