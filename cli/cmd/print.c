/* SPDX-License-Identifier: MIT */
/*
 * print.c - jfrec print: print the events of recordings
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/progress.h"
#include "opts/event_opts.h"

#define DEFAULT_STACK_DEPTH 5

enum {
	OPT_EXACT = 256,
	OPT_NDJSON,
	OPT_CSV,
	OPT_TSV,
	OPT_FLAT,
	OPT_FIELDS,
	OPT_STACK,
	OPT_ESCAPE_FORMULAS,
	OPT_RAW_TICKS,
	OPT_COUNT,
	OPT_LIMIT,
	OPT_SORT,
	OPT_STRICT,
};

static const struct opt opts[] = {
	{ 'j', "json", NULL, "print JSON" },
	{ 'x', "xml", NULL, "print XML" },
	{ OPT_NDJSON, "ndjson", NULL, "print a line of JSON for each event" },
	{ OPT_CSV, "csv", NULL, "print a table of one event type" },
	{ OPT_TSV, "tsv", NULL, "print the same, separated by tabs" },
	{ OPT_ESCAPE_FORMULAS, "escape-formulas", NULL,
	  "put ' before texts that spreadsheets would run" },
	{ OPT_EXACT, "exact", NULL, "print text with full precision" },
	EVENT_OPTS,
	{ 'd', "stack-depth", "N", "frames of a stack trace to print (default: 5)" },
	{ OPT_FIELDS, "fields", "LIST", "columns of these formats, as startTime,eventThread" },
	{ OPT_FLAT, "flat", NULL, "NDJSON without nested objects: dotted keys" },
	{ OPT_STACK, "stack", "FORM", "stack traces as frames, string, id or none" },
	{ OPT_RAW_TICKS, "raw-ticks", NULL, "NDJSON with times as recorded, in ticks" },
	{ OPT_LIMIT, "limit", "N", "print N events at most" },
	{ OPT_SORT, "sort", "time|file", "order of events, instead of the JDK's" },
	{ OPT_UTC, "utc", NULL, "show times in UTC, not in the recording's zone" },
	{ OPT_TZ, "tz", "ZONE", "show times in a zone: Europe/Berlin or +05:30" },
	{ OPT_STRICT, "strict", NULL, "stop at the first damage" },
	OPT_GROUP_ALONE(types_rows),
	OPT_GROUP_ALONE(memory_rows),
	{ OPT_COUNT, "count", NULL, "print only the number of events" },
	{ 0 },
};

struct settings {
	struct jfrec_print_options print;
	struct event_opts select;
	bool has_format, strict;
	uint64_t printed;
};

static int set_format(const struct command *c, struct settings *s, enum jfrec_format format)
{
	if (s->has_format)
		return report_usage(c, "only one format can be given");
	s->has_format = true;
	s->print.format = format;
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

static int set_stacks(const struct command *c, struct settings *s, const char *value)
{
	static const char *const forms[] = {
		[JFREC_STACKS_FRAMES] = "frames",
		[JFREC_STACKS_STRING] = "string",
		[JFREC_STACKS_ID] = "id",
		[JFREC_STACKS_NONE] = "none",
	};

	for (enum jfrec_stack_form i = JFREC_STACKS_FRAMES; i <= JFREC_STACKS_NONE; i++) {
		if (strcmp(value, forms[i]) == 0) {
			s->print.stacks = i;
			return EXIT_DONE;
		}
	}
	return report_usage(c, "--stack takes frames, string, id or none, not %s", value);
}

static int set_limit(const struct command *c, struct settings *s, const char *value)
{
	char *end;

	errno = 0;
	s->print.limit = strtoull(value, &end, 10);
	if (*end || end == value || errno || s->print.limit == 0 || *value == '-')
		return report_usage(c, "--limit takes a number from 1 on, not %s", value);
	return EXIT_DONE;
}

static int set_order(const struct command *c, struct settings *s, const char *value)
{
	if (strcmp(value, "time") == 0)
		s->print.order = JFREC_BY_TIME;
	else if (strcmp(value, "file") == 0)
		s->print.order = JFREC_BY_FILE;
	else
		return report_usage(c, "--sort takes time or file, not %s", value);
	return EXIT_DONE;
}

static int set_option(const struct command *c, struct settings *s, int letter, const char *value)
{
	int taken = event_opts_take_option(&s->select, c, letter, value);

	if (taken)
		return taken > 0 ? EXIT_DONE : EXIT_USAGE;
	switch (letter) {
	case 'j':
		return set_format(c, s, JFREC_JSON);
	case 'x':
		return set_format(c, s, JFREC_XML);
	case OPT_NDJSON:
		return set_format(c, s, JFREC_NDJSON);
	case OPT_CSV:
		return set_format(c, s, JFREC_CSV);
	case OPT_TSV:
		return set_format(c, s, JFREC_TSV);
	case OPT_FLAT:
		s->print.flat = true;
		return EXIT_DONE;
	case OPT_FIELDS:
		return set_once(c, &s->print.fields, "fields", value);
	case OPT_STACK:
		return set_stacks(c, s, value);
	case OPT_ESCAPE_FORMULAS:
		s->print.escape_formulas = true;
		return EXIT_DONE;
	case OPT_RAW_TICKS:
		s->print.raw_ticks = true;
		return EXIT_DONE;
	case OPT_EXACT:
		return set_format(c, s, JFREC_EXACT);
	case 'd':
		return set_depth(c, s, value);
	case OPT_COUNT:
		return set_format(c, s, JFREC_COUNT);
	case OPT_STRICT:
		s->strict = true;
		return EXIT_DONE;
	case OPT_LIMIT:
		return set_limit(c, s, value);
	case OPT_SORT:
		return set_order(c, s, value);
	default:
		return EXIT_USAGE;
	}
}

/* Do the options go together? */
static int check(const struct command *c, const struct jfrec_print_options *o)
{
	bool ndjson = o->format == JFREC_NDJSON;
	bool table = o->format == JFREC_CSV || o->format == JFREC_TSV;

	if (o->flat && !ndjson)
		return report_usage(c, "--flat goes with --ndjson%s",
				    table ? "; tables are flat" : "");
	if (o->raw_ticks && !ndjson)
		return report_usage(c, "--raw-ticks goes with --ndjson");
	if (o->raw_ticks && o->order == JFREC_BY_TIME)
		return report_usage(c, "--raw-ticks cannot be combined with --sort time");
	if (o->escape_formulas && !table)
		return report_usage(c, "--escape-formulas goes with --csv and --tsv");
	if (o->stacks && !ndjson && !table)
		return report_usage(c, "--stack goes with --ndjson, --csv and --tsv");
	if (o->fields && !ndjson && !table)
		return report_usage(c, "--fields goes with --ndjson, --csv and --tsv");
	if ((o->stacks == JFREC_STACKS_FRAMES || o->stacks == JFREC_STACKS_ID) && table)
		return report_usage(c, "in a table --stack is string or none");
	return EXIT_DONE;
}

static int run_print(struct jfrec_reader *r, struct settings *s, struct jfrec_error *err)
{
	if (s->select.has_zone) {
		s->print.zone = zone_offset;
		s->print.zone_ctx = &s->select.zone;
	}
	if (event_opts_select(&s->select, r, err) < 0)
		return -1;
	s->print.from_ns = s->select.from_ns;
	s->print.to_ns = s->select.to_ns;
	s->print.printed = &s->printed;
	widen_stdout();
	return jfrec_print(r, &s->print, write_stdout, NULL, err);
}

static int print(const struct command *self, struct settings *s, char *const *paths, int count)
{
	struct jfrec_reader *r = open_confined(CONFINE_READING, paths, count);
	struct jfrec_error err;
	int status, printed;

	if (!r)
		return EXIT_FAILED;
	if (s->strict)
		stop_at_damage(r);
	progress_begin(r);
	printed = run_print(r, s, &err);
	if (progress_end())
		status = EXIT_INTERRUPTED;
	else
		status = printed < 0 ? event_opts_failure(&s->select, self, r, &err)
				     : report_damage(r);
	if (printed == 0 && status == EXIT_DONE)
		event_opts_found_nothing(&s->select, r, s->printed);
	jfrec_reader_close(r);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .command = "print", .opts = opts, .argc = argc, .argv = argv };
	struct settings s = { .print.struct_size = sizeof(s.print),
			      .print.stack_depth = DEFAULT_STACK_DEPTH };
	int letter, status;

	while ((letter = opt_next(&p)) != OPT_END) {
		if (letter == OPT_HELP)
			return command_help(self);
		if (set_option(self, &s, letter, p.value) != EXIT_DONE)
			return EXIT_USAGE;
	}
	if (check(self, &s.print) != EXIT_DONE || !has_operands(self, &p, "the recording to print"))
		return EXIT_USAGE;
	status = event_opts_use_config(&s.select);
	if (status != EXIT_DONE)
		return status;
	return print(self, &s, argv + p.first_operand, argc - p.first_operand);
}

const struct command cmd_print = {
	.name = "print",
	.args = "RECORDING...",
	.summary = "print the events of a recording as text, JSON, XML or CSV",
	.about = "Print the events of a recording: as text, JSON and XML exactly as `jfr print`\n"
		 "of JDK 25 does; as a line of JSON for each, or as a table, for other tools.\n"
		 "\n"
		 "A FILTER is a list of names separated by commas, in which * stands for any text\n"
		 "and ? for one character. With --events and --categories both must match.\n"
		 "jfrec-where(7) describes what EXPR can be.",
	.opts = opts,
	.run = run,
};
