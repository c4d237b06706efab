/* SPDX-License-Identifier: MIT */
/*
 * cmd_print.c - jfrec print: the events of a recording
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "report.h"

#define DEFAULT_STACK_DEPTH 5

enum { OPT_EXACT = 256 };

static const struct opt opts[] = {
	{ 'j', "json", NULL, "print JSON" },
	{ 'x', "xml", NULL, "print XML" },
	{ OPT_EXACT, "exact", NULL, "print text with full precision" },
	{ 'e', "events", "FILTER", "only events whose name matches, as jdk.GC*,CPULoad" },
	{ 'c', "categories", "FILTER", "only events of a category that matches" },
	{ 'd', "stack-depth", "N", "frames of a stack trace to print (default: 5)" },
	{ 0 },
};

struct settings {
	struct jfrec_print_options print;
	bool has_format;
	const char *events, *categories;
};

static int set_format(const struct command *c, struct settings *s, enum jfrec_format format)
{
	if (s->has_format)
		return report_usage(c, "only one of --json, --xml and --exact can be given");
	s->has_format = true;
	s->print.format = format;
	return EXIT_DONE;
}

static int set_filter(const struct command *c, const char **filter, const char *name,
		      const char *value)
{
	if (*filter)
		return report_usage(c, "use --%s once, with filters parted by commas", name);
	*filter = value;
	return EXIT_DONE;
}

static int set_depth(const struct command *c, struct settings *s, const char *value)
{
	char *end;
	long depth;

	errno = 0;
	depth = strtol(value, &end, 10);
	if (*end || end == value || errno || depth < 0 || depth > INT_MAX)
		return report_usage(c, "--stack-depth takes a number from 0 on, not %s", value);
	s->print.stack_depth = (unsigned)depth;
	return EXIT_DONE;
}

static int set_option(const struct command *c, struct settings *s, int letter, const char *value)
{
	switch (letter) {
	case 'j':
		return set_format(c, s, JFREC_JSON);
	case 'x':
		return set_format(c, s, JFREC_XML);
	case OPT_EXACT:
		return set_format(c, s, JFREC_EXACT);
	case 'e':
		return set_filter(c, &s->events, "events", value);
	case 'c':
		return set_filter(c, &s->categories, "categories", value);
	case 'd':
		return set_depth(c, s, value);
	default:
		return EXIT_USAGE;
	}
}

static int print(const char *path, const struct settings *s)
{
	struct jfrec_reader *r = open_recording(path);
	struct jfrec_error err;
	int status = EXIT_FAILED;

	if (!r)
		return EXIT_FAILED;
	if (jfrec_reader_select(r, s->events, s->categories, &err) < 0 ||
	    jfrec_print(r, &s->print, write_stdout, NULL, &err) < 0)
		status = report_failure(path, &err);
	else
		status = report_damage(r);
	jfrec_reader_close(r);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .command = "print", .opts = opts, .argc = argc, .argv = argv };
	struct settings s = { .print.stack_depth = DEFAULT_STACK_DEPTH };
	const char *path;
	int letter;

	while ((letter = opt_next(&p)) != OPT_END) {
		if (letter == OPT_HELP)
			return command_help(self);
		if (set_option(self, &s, letter, p.value) != EXIT_DONE)
			return EXIT_USAGE;
	}
	path = only_operand(self, &p, "the recording to print");
	return path ? print(path, &s) : EXIT_USAGE;
}

const struct command cmd_print = {
	.name = "print",
	.args = "RECORDING",
	.summary = "print the events of a recording as text, JSON or XML",
	.about = "Print the events of a recording, exactly as `jfr print` of JDK 25 does.\n"
		 "\n"
		 "A FILTER is a list of names parted by commas, in which * stands for any text\n"
		 "and ? for one character. With --events and --categories both must match.",
	.opts = opts,
	.run = run,
};
