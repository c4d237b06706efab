/* SPDX-License-Identifier: MIT */
/*
 * view.c - jfrec view: answer a question about a recording with a table
 */
#include <limits.h>
#include <string.h>
#include <strings.h>

#include "view/show.h"

struct options {
	struct view_request view;
	unsigned width, cell_height, truncate;
	bool json, ndjson, csv;
};

enum { CUT_BEGINNING = 1, CUT_END };

static const struct opt_choice cuts[] = { { "beginning", CUT_BEGINNING }, { "end", CUT_END }, { 0 } };

/* clang-format off */
static const struct opt opts[] = {
	OPT_FLAG(0, "verbose", "show the fields and the query of a view, too", struct options, view.table.verbose),
	OPT_NUMBER(0, "width", "N", "characters of a line (default: as needed, up to 120)", struct options, width),
	OPT_CHOICE(0, "truncate", "beginning|end", "which part of a long text is left out", struct options, truncate, cuts),
	OPT_NUMBER(0, "cell-height", "N", "lines of a cell at most", struct options, cell_height),
	OPT_FLAG('j', "json", "print one JSON document, values in base units", struct options, json),
	OPT_FLAG(0, "ndjson", "print a JSON object for each row", struct options, ndjson),
	OPT_FLAG(0, "csv", "print comma-separated values", struct options, csv),
	OPT_STRING(0, "sort", "COLUMN", "sort by this column; COLUMN:asc, COLUMN:desc", struct options, view.sort),
	OPT_COUNT(0, "limit", "N", "show N rows at most", struct options, view.limit),
	OPT_GROUP(event_rows, struct options, view.events),
	OPT_GROUP(time_rows, struct options, view.events),
	OPT_GROUP(local_zone_rows, struct options, view.events),
	OPT_GROUP_ALONE(types_rows),
	OPT_GROUP_ALONE(memory_rows),
	{ 0 },
};
/* clang-format on */

static int finish(const struct command *self, struct options *o)
{
	struct jfrec_table_options *t = &o->view.table;

	if (o->json + o->ndjson + o->csv > 1)
		return report_usage(self, "only one format can be given");
	if (o->width > INT_MAX || o->cell_height > INT_MAX)
		return report_usage(self, "--width and --cell-height take smaller numbers");
	o->view.format = o->json ? VIEW_JSON : o->ndjson ? VIEW_NDJSON : o->csv ? VIEW_CSV : VIEW_TEXT;
	t->width = (int)o->width;
	t->cell_height = (int)o->cell_height;
	t->truncate_beginning = o->truncate == CUT_BEGINNING;
	t->truncate_end = o->truncate == CUT_END;
	return event_opts_use_config(&o->view.events);
}

/* The list of views needs no recording. */
static bool is_list(int operands, char *const *argv)
{
	return operands == 1 && strcmp(argv[0], "views") == 0;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options o = { .view.command = self };
	int status, operands;

	if (!opt_parse(&p, &o))
		return p.status;
	if (!has_operands(self, &p, "a view and the recording to show it of"))
		return EXIT_USAGE;
	status = finish(self, &o);
	if (status != EXIT_DONE)
		return status;
	argv += p.first_operand;
	operands = argc - p.first_operand;
	if (operands > 1 || is_list(operands, argv)) {
		o.view.name = argv[0];
		argv++;
		operands--;
	} else if (o.view.format != VIEW_TEXT) {
		return report_usage(self, "a format needs a view: see `jfrec view views`");
	}
	return view_show(&o.view, argv, operands);
}

const struct command cmd_view = {
	.name = "view",
	.args = "[VIEW] RECORDING...",
	.summary = "answer a question about a recording with a table",
	.about = "Show a view of a recording, exactly as `jfr view` of JDK 25 does: hot-methods,\n"
		 "gc-pauses, allocation-by-class, contention-by-site and 79 others, which\n"
		 "`jfrec view views` lists. Without VIEW, show which views have rows.\n"
		 "\n"
		 "VIEW can also be an event type, whose events are shown; types, the event types\n"
		 "of the recording; all-views; or all-events. After a type the rest of a query\n"
		 "can follow: 'ThreadPark ORDER BY duration LIMIT 9'.",
	.opts = opts,
	.run = run,
};
