/* SPDX-License-Identifier: MIT */
/*
 * print.c - jfrec print: print the events of recordings
 */
#include <string.h>

#include "base/progress.h"
#include "opts/event_opts.h"
#include "opts/format_opts.h"
#include "opts/jobs_opts.h"
#include "recording/open_recordings.h"

#define DEFAULT_STACK_DEPTH 5

struct options {
	struct format_opts format;
	struct jfrec_print_options print;
	struct event_opts select;
	bool strict;
	uint64_t printed;
};

static const struct opt_choice stack_forms[] = {
	{ "frames", JFREC_STACKS_FRAMES },
	{ "string", JFREC_STACKS_STRING },
	{ "id", JFREC_STACKS_ID },
	{ "none", JFREC_STACKS_NONE },
	{ 0 },
};

/* "time", "file", or FIELD[:asc|:desc]; with a direction it is always a field. */
static int take_sort(const struct opt_given *g, void *to)
{
	struct jfrec_print_options *o = to;
	static char field[256];
	size_t len = strlen(g->value);

	o->by_field = NULL;
	o->order = strcmp(g->value, "time") == 0   ? JFREC_BY_TIME
		   : strcmp(g->value, "file") == 0 ? JFREC_BY_FILE
						   : JFREC_AS_JDK;
	if (o->order != JFREC_AS_JDK)
		return EXIT_DONE;
	o->by_field_ascending = len > 4 && strcmp(g->value + len - 4, ":asc") == 0;
	if (o->by_field_ascending)
		len -= 4;
	else if (len > 5 && strcmp(g->value + len - 5, ":desc") == 0)
		len -= 5;
	if (!len || len >= sizeof(field) || memchr(g->value, ':', len))
		return opt_refuse(g, "time, file, or a field such as duration or bytesRead:asc");
	memcpy(field, g->value, len);
	field[len] = '\0';
	o->by_field = field;
	return EXIT_DONE;
}

/* clang-format off */
static const struct opt opts[] = {
	OPT_GROUP_MADE(format_rows, struct options, format),
	OPT_FLAG(0, "escape-formulas", "put ' before texts that spreadsheets would run", struct options, print.escape_formulas),
	OPT_GROUP_MADE(exact_format_rows, struct options, format),
	OPT_GROUP(event_rows, struct options, select),
	OPT_GROUP(during_rows, struct options, select),
	OPT_GROUP(time_rows, struct options, select),
	OPT_NUMBER('d', "stack-depth", "N", "frames of a stack trace to print (default: 5)", struct options, print.stack_depth),
	OPT_ONCE(0, "fields", "LIST", "columns of these formats, as startTime,eventThread", struct options, print.fields),
	OPT_FLAG(0, "flat", "NDJSON without nested objects: dotted keys", struct options, print.flat),
	OPT_CHOICE(0, "stack", "FORM", "stack traces as frames, string, id or none", struct options, print.stacks, stack_forms),
	OPT_FLAG(0, "raw-ticks", "NDJSON with times as recorded, in ticks", struct options, print.raw_ticks),
	OPT_COUNT(0, "limit", "N", "print N events at most", struct options, print.limit),
	OPT_CALL(0, "sort", "ORDER", "time, file, or the largest of FIELD (with --limit)", take_sort, struct options, print),
	OPT_GROUP(shown_zone_rows, struct options, select),
	OPT_FLAG(0, "strict", "stop at the first damage", struct options, strict),
	OPT_GROUP_ALONE(types_rows),
	OPT_GROUP_ALONE(memory_rows),
	OPT_GROUP_ALONE(spool_rows),
	OPT_GROUP_ALONE(confine_rows),
	OPT_GROUP_MADE(count_format_rows, struct options, format),
	OPT_GROUP_ALONE(jobs_rows),
	{ 0 },
};
/* clang-format on */

/* That option goes with formats that can this. */
static int refuse(const struct command *c, const char *option, unsigned can, const char *hint)
{
	char names[128];

	return report_usage(c, "%s needs %s%s", option, format_names(can, names, sizeof(names)),
			    hint);
}

/* Do the options go together? */
static int check(const struct command *c, const struct jfrec_print_options *o)
{
	bool is_table = format_can(o->format, JFREC_FORMAT_ONE_TYPE);

	if (o->flat && !format_can(o->format, JFREC_FORMAT_FLAT))
		return refuse(c, "--flat", JFREC_FORMAT_FLAT, is_table ? "; tables are flat" : "");
	if (o->raw_ticks && !format_can(o->format, JFREC_FORMAT_RAW_TICKS))
		return refuse(c, "--raw-ticks", JFREC_FORMAT_RAW_TICKS, "");
	if (o->raw_ticks && o->order == JFREC_BY_TIME)
		return report_usage(c, "--raw-ticks cannot be combined with --sort time");
	if (o->by_field && !o->limit)
		return report_usage(c, "--sort %s needs --limit, such as --limit 10", o->by_field);
	if (o->by_field && (o->raw_ticks || o->stacks == JFREC_STACKS_ID))
		return report_usage(c, "--sort %s cannot be combined with --raw-ticks or --stack id", o->by_field);
	if (o->escape_formulas && !format_can(o->format, JFREC_FORMAT_FORMULAS))
		return refuse(c, "--escape-formulas", JFREC_FORMAT_FORMULAS, "");
	if (o->stacks && !format_can(o->format, JFREC_FORMAT_STACKS))
		return refuse(c, "--stack", JFREC_FORMAT_STACKS, "");
	if (o->fields && !format_can(o->format, JFREC_FORMAT_FIELDS))
		return refuse(c, "--fields", JFREC_FORMAT_FIELDS, "");
	if ((o->stacks == JFREC_STACKS_FRAMES || o->stacks == JFREC_STACKS_ID) &&
	    !format_can(o->format, JFREC_FORMAT_STACK_OBJECTS))
		return report_usage(c, "with --csv and --tsv, --stack must be string or none");
	return EXIT_DONE;
}

static int run_print(struct jfrec_reader *r, struct options *s, struct jfrec_error *err)
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
	if (s->print.order != JFREC_BY_TIME)
		tell_overlaps(r);
	return jfrec_print(r, &s->print, write_stdout, NULL, err);
}

static int print(const struct command *self, struct options *s, char *const *paths, int count)
{
	struct jfrec_reader *r = open_confined(CONFINE_READING, paths, count);
	struct jfrec_error err;
	int status, printed;

	if (!r)
		return EXIT_FAILED;
	if (s->strict)
		stop_at_damage(r);
	else
		jobs_use(r);
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
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options s = { .print.struct_size = sizeof(s.print),
			     .print.stack_depth = DEFAULT_STACK_DEPTH };
	int status;

	if (!opt_parse(&p, &s))
		return p.status;
	s.print.format = format_opts_get(&s.format);
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
	.examples = "  jfrec print --events GCPhasePause app.jfr\n"
		    "  jfrec print --ndjson --where 'duration > 10 ms' app.jfr\n",
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
