/* SPDX-License-Identifier: MIT */
/*
 * cmd_print.c - jfrec print: the events of a recording
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "progress.h"
#include "report.h"
#include "timearg.h"

#define DEFAULT_STACK_DEPTH 5

enum {
	OPT_EXACT = 256,
	OPT_NDJSON,
	OPT_CSV,
	OPT_TSV,
	OPT_FLAT,
	OPT_FIELDS,
	OPT_STACK,
	OPT_RAW_TICKS,
	OPT_COUNT,
	OPT_WHERE,
	OPT_THREADS,
	OPT_EXCLUDE_THREADS,
	OPT_FROM,
	OPT_TO,
	OPT_LIMIT,
	OPT_SORT,
	OPT_UTC,
	OPT_TZ,
	OPT_STRICT,
};

static const struct opt opts[] = {
	{ 'j', "json", NULL, "print JSON" },
	{ 'x', "xml", NULL, "print XML" },
	{ OPT_NDJSON, "ndjson", NULL, "print a line of JSON for each event" },
	{ OPT_CSV, "csv", NULL, "print a table of one event type" },
	{ OPT_TSV, "tsv", NULL, "print the same, parted by tabs" },
	{ OPT_EXACT, "exact", NULL, "print text with full precision" },
	{ 'e', "events", "FILTER", "only events whose name matches, as jdk.GC*,CPULoad" },
	{ 'c', "categories", "FILTER", "only events of a category that matches" },
	{ OPT_WHERE, "where", "EXPR", "only events that fit, as 'duration > 10ms'" },
	{ OPT_THREADS, "threads", "FILTER", "only events of threads whose name matches" },
	{ OPT_EXCLUDE_THREADS, "exclude-threads", "FILTER",
	  "no events of threads whose name matches" },
	{ 'd', "stack-depth", "N", "frames of a stack trace to print (default: 5)" },
	{ OPT_FIELDS, "fields", "LIST", "columns of these formats, as startTime,eventThread" },
	{ OPT_FLAT, "flat", NULL, "NDJSON without objects in objects: dotted keys" },
	{ OPT_STACK, "stack", "FORM", "stack traces as frames, string, id or none" },
	{ OPT_RAW_TICKS, "raw-ticks", NULL, "NDJSON with times as recorded, in ticks" },
	{ OPT_FROM, "from", "TIME", "only events that ended at this time or later" },
	{ OPT_TO, "to", "TIME", "only events that began before this time" },
	{ OPT_LIMIT, "limit", "N", "print N events at most" },
	{ OPT_SORT, "sort", "time|file", "order of events, instead of the JDK's" },
	{ OPT_UTC, "utc", NULL, "show times in UTC, not in the recording's zone" },
	{ OPT_TZ, "tz", "ZONE", "show times in a zone, as Europe/Berlin or +05:30" },
	{ OPT_STRICT, "strict", NULL, "stop at the first damage" },
	{ OPT_COUNT, "count", NULL, "print only how many events there are" },
	{ 0 },
};

struct settings {
	struct jfrec_print_options print;
	bool has_format, has_from, has_to, strict;
	const char *events, *categories, *where, *threads, *not_threads;
	struct jfrec_time from, to;
	struct zone zone;
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

	for (enum jfrec_stacks i = JFREC_STACKS_FRAMES; i <= JFREC_STACKS_NONE; i++) {
		if (strcmp(value, forms[i]) == 0) {
			s->print.stacks = i;
			return EXIT_DONE;
		}
	}
	return report_usage(c, "--stack takes frames, string, id or none, not %s", value);
}

static int set_time(const struct command *c, struct jfrec_time *t, bool *is_set, const char *value)
{
	if (!jfrec_time_parse(value, t))
		return report_usage(c, "%s is no time; write 2026-11-20T09:47:05Z, +30s or -10m",
				    value);
	*is_set = true;
	return EXIT_DONE;
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

static int set_zone(const struct command *c, struct settings *s, const char *value)
{
	if (!zone_parse(value, &s->zone))
		return report_usage(c, "%s is no time zone; write UTC, +05:30 or Europe/Berlin",
				    value);
	s->print.zone = zone_offset;
	return EXIT_DONE;
}

static int set_option(const struct command *c, struct settings *s, int letter, const char *value)
{
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
	case OPT_RAW_TICKS:
		s->print.raw_ticks = true;
		return EXIT_DONE;
	case OPT_EXACT:
		return set_format(c, s, JFREC_EXACT);
	case 'e':
		return set_once(c, &s->events, "events", value);
	case 'c':
		return set_once(c, &s->categories, "categories", value);
	case OPT_WHERE:
		if (s->where)
			return report_usage(c, "use --where once, and `and` in it");
		s->where = value;
		return EXIT_DONE;
	case OPT_THREADS:
		return set_once(c, &s->threads, "threads", value);
	case OPT_EXCLUDE_THREADS:
		return set_once(c, &s->not_threads, "exclude-threads", value);
	case 'd':
		return set_depth(c, s, value);
	case OPT_COUNT:
		return set_format(c, s, JFREC_COUNT);
	case OPT_STRICT:
		s->strict = true;
		return EXIT_DONE;
	case OPT_FROM:
		return set_time(c, &s->from, &s->has_from, value);
	case OPT_TO:
		return set_time(c, &s->to, &s->has_to, value);
	case OPT_LIMIT:
		return set_limit(c, s, value);
	case OPT_SORT:
		return set_order(c, s, value);
	case OPT_UTC:
		return set_zone(c, s, "UTC");
	case OPT_TZ:
		return set_zone(c, s, value);
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
		return report_usage(c, "--raw-ticks does not go with --sort time");
	if (o->stacks && !ndjson && !table)
		return report_usage(c, "--stack goes with --ndjson, --csv and --tsv");
	if (o->fields && !ndjson && !table)
		return report_usage(c, "--fields goes with --ndjson, --csv and --tsv");
	if ((o->stacks == JFREC_STACKS_FRAMES || o->stacks == JFREC_STACKS_ID) && table)
		return report_usage(c, "in a table --stack is string or none");
	return EXIT_DONE;
}

/* Times that are relative to the recording's start or end. */
static int resolve_times(struct jfrec_reader *r, struct settings *s, struct jfrec_error *err)
{
	int64_t start_ns = 0, end_ns = 0;

	if (((s->has_from && s->from.base != JFREC_SINCE_1970) ||
	     (s->has_to && s->to.base != JFREC_SINCE_1970)) &&
	    jfrec_reader_span(r, &start_ns, &end_ns, err) < 0)
		return -1;
	s->from.ns = jfrec_time_resolve(&s->from, start_ns, end_ns);
	s->to.ns = jfrec_time_resolve(&s->to, start_ns, end_ns);
	s->print.from_ns = s->has_from ? &s->from.ns : NULL;
	s->print.to_ns = s->has_to ? &s->to.ns : NULL;
	s->print.zone_ctx = &s->zone;
	return 0;
}

/* Which events are to be printed. */
static int choose(struct jfrec_reader *r, const struct settings *s, struct jfrec_error *err)
{
	const enum jfrec_filter by = JFREC_FILTER_THREADS;

	if (jfrec_reader_select(r, s->events, s->categories, err) < 0 ||
	    (s->threads && jfrec_reader_filter(r, by, false, s->threads, err) < 0) ||
	    (s->not_threads && jfrec_reader_filter(r, by, true, s->not_threads, err) < 0))
		return -1;
	return s->where ? jfrec_reader_where(r, s->where, err) : 0;
}

static int run_print(struct jfrec_reader *r, struct settings *s, struct jfrec_error *err)
{
	if (choose(r, s, err) < 0 || resolve_times(r, s, err) < 0)
		return -1;
	widen_stdout();
	return jfrec_print(r, &s->print, write_stdout, NULL, err);
}

static int print(const struct command *self, struct settings *s, char *const *paths, int count)
{
	struct jfrec_reader *r = open_recordings(paths, count);
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
	else if (printed < 0 && err.code == JFREC_EEXPRESSION)
		status = report_expression(self, s->where, &err);
	else
		status = printed < 0 ? report_failure(r, &err) : report_damage(r);
	jfrec_reader_close(r);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .command = "print", .opts = opts, .argc = argc, .argv = argv };
	struct settings s = { .print.stack_depth = DEFAULT_STACK_DEPTH };
	int letter;

	while ((letter = opt_next(&p)) != OPT_END) {
		if (letter == OPT_HELP)
			return command_help(self);
		if (set_option(self, &s, letter, p.value) != EXIT_DONE)
			return EXIT_USAGE;
	}
	if (check(self, &s.print) != EXIT_DONE || !has_operands(self, &p, "the recording to print"))
		return EXIT_USAGE;
	return print(self, &s, argv + p.first_operand, argc - p.first_operand);
}

const struct command cmd_print = {
	.name = "print",
	.args = "RECORDING...",
	.summary = "print the events of a recording as text, JSON, XML or CSV",
	.about = "Print the events of a recording: as text, JSON and XML exactly as `jfr print`\n"
		 "of JDK 25 does; as a line of JSON for each, or as a table, for other tools.\n"
		 "\n"
		 "A FILTER is a list of names parted by commas, in which * stands for any text\n"
		 "and ? for one character. With --events and --categories both must match.\n"
		 "jfrec-where(7) describes what EXPR can be.",
	.opts = opts,
	.run = run,
};
