/* SPDX-License-Identifier: MIT */
/*
 * view_opts.c - options of the commands that answer with tables
 */
#include "view/view_opts.h"

#include <limits.h>

#include "recording/open_recordings.h"
#include "view/every.h"

#define LEAST_EVERY_NS 100000000

enum { CUT_BEGINNING = 1, CUT_END };

static const struct opt_choice cuts[] = { { "beginning", CUT_BEGINNING }, { "end", CUT_END }, { 0 } };

/* clang-format off */
const struct opt view_rows[] = {
	OPT_FLAG(0, "verbose", "also show the columns' fields and the time it took", struct view_opts, view.table.verbose),
	OPT_NUMBER(0, "width", "N", "width of a line (default: as needed, up to 120)", struct view_opts, width),
	OPT_CHOICE(0, "truncate", "beginning|end", "which end of long texts to omit", struct view_opts, truncate, cuts),
	OPT_NUMBER(0, "cell-height", "N", "show N lines of a cell at most", struct view_opts, cell_height),
	OPT_FLAG('j', "json", "print one JSON document, values in base units", struct view_opts, json),
	OPT_FLAG(0, "ndjson", "print a JSON object for each row", struct view_opts, ndjson),
	OPT_FLAG(0, "csv", "print comma-separated values", struct view_opts, csv),
	OPT_STRING(0, "sort", "COLUMN", "sort by this column; COLUMN:asc, COLUMN:desc", struct view_opts, view.sort),
	OPT_COUNT(0, "limit", "N", "show N rows at most", struct view_opts, view.limit),
	OPT_GROUP(operand_rows, struct view_opts, view.from),
	OPT_DURATION(0, "every", "TIME", "of a JVM: show it again after each TIME, such as 2s", struct view_opts, view.every_ns),
	OPT_GROUP(event_rows, struct view_opts, view.events),
	OPT_GROUP(during_rows, struct view_opts, view.events),
	OPT_GROUP(time_rows, struct view_opts, view.events),
	OPT_GROUP(local_zone_rows, struct view_opts, view.events),
	OPT_GROUP_ALONE(types_rows),
	OPT_GROUP_ALONE(jobs_rows),
	OPT_GROUP_ALONE(memory_rows),
	OPT_GROUP_ALONE(spool_rows),
	OPT_GROUP_ALONE(confine_rows),
	{ 0 },
};
/* clang-format on */

int view_opts_finish(struct view_opts *o)
{
	const struct command *self = o->view.command;
	struct jfrec_answer_options *t = &o->view.table;

	if (o->json + o->ndjson + o->csv > 1)
		return report_usage(self, "only one format can be given");
	if (o->width > INT_MAX || o->cell_height > INT_MAX)
		return report_usage(self, "--width and --cell-height take smaller numbers");
	if (o->view.every_ns && o->view.every_ns < LEAST_EVERY_NS)
		return report_usage(self, "--every takes 100ms or more");
	o->view.format = o->json     ? VIEW_JSON
			 : o->ndjson ? VIEW_NDJSON
			 : o->csv    ? VIEW_CSV
				     : VIEW_TEXT;
	t->width = (int)o->width;
	t->cell_height = (int)o->cell_height;
	t->truncate_beginning = o->truncate == CUT_BEGINNING;
	t->truncate_end = o->truncate == CUT_END;
	return event_opts_use_config(&o->view.events);
}

int view_opts_show(struct view_opts *o, char *const *operands, int count)
{
	return o->view.every_ns ? view_every(&o->view, operands, count)
				: view_show(&o->view, operands, count);
}
