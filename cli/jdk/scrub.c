/* SPDX-License-Identifier: MIT */
/*
 * scrub.c - jfr scrub: copy a recording without excluded events
 *
 * As `jfrec filter`, and no more than that: redaction is what `jfrec scrub` adds.
 * An output that is there is replaced.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "jdk/called_as.h"
#include "opts/event_opts.h"
#include "recording/filter_report.h"
#include "recording/open_recordings.h"

/* What was done -------------------------------------------------------------------------------- */

static bool is_event(const char *path, const char *events, const char *categories)
{
	const struct jfrec_types *types = NULL;
	struct jfrec_error err;
	struct jfrec_reader *r = jfrec_reader_open(path, NULL, &err);
	bool is_open = r && jfrec_reader_select(r, events, categories, &err) == 0, found;

	if (is_open)
		types = jfrec_reader_types(r, &err);
	found = is_open && (!types || jfrec_types_count(types) > 0);
	jfrec_reader_close(r);
	return found;
}

/* Filters that match no type that the recording knows are reported. */
static void warn_of_filters(const struct event_opts *select, const char *path)
{
	for (unsigned i = 0; i < select->filter_count; i++) {
		const char *globs = select->filters[i].globs, *what = NULL;

		if (select->filters[i].by == JFREC_FILTER_EVENTS && !is_event(path, globs, NULL))
			what = "";
		if (select->filters[i].by == JFREC_FILTER_CATEGORIES &&
		    !is_event(path, NULL, globs))
			what = "category ";
		if (what)
			printf("Warning, no event type matched %sfilter: %s\n", what, globs);
	}
}

static int digits(uint64_t n)
{
	return snprintf(NULL, 0, "%" PRIu64, n);
}

static uint64_t count_all(const struct jfrec_edit_row *row)
{
	return row->kept + row->dropped + row->unreadable;
}

/* Names to the left, "removed/total" to the right. */
static void print_removed(const struct jfrec_filtered *f)
{
	int name_width = 0, width = 0;

	for (size_t i = 0; i < jfrec_filtered_row_count(f); i++) {
		const struct jfrec_edit_row *row = jfrec_filtered_row_get(f, i);
		int len = digits(row->dropped) + 1 + digits(count_all(row));

		if (row->dropped && len > width)
			width = len;
		if (row->dropped && (int)strlen(row->name) > name_width)
			name_width = (int)strlen(row->name);
	}
	puts("Removed events:");
	for (size_t i = 0; i < jfrec_filtered_row_count(f); i++) {
		const struct jfrec_edit_row *row = jfrec_filtered_row_get(f, i);

		if (!row->dropped)
			continue;
		print_name(row->name);
		printf("%*s %*" PRIu64 "/%" PRIu64 "\n", name_width - (int)strlen(row->name), "",
		       width - 1 - digits(count_all(row)), row->dropped, count_all(row));
	}
}

static int print_result(const struct event_opts *select, const struct jfrec_filtered *f,
			const char *input, const char *output)
{
	char *path = realpath(output, NULL);

	warn_of_filters(select, input);
	puts("Scrubbed recording file written to:");
	print_name(path ? path : output);
	putchar('\n');
	free(path);
	if (filter_report_total(f).dropped)
		print_removed(f);
	else
		puts("No events removed.");
	return finish_stdout();
}

/* ---------------------------------------------------------------------------------------------- */

static int scrub_into(const struct event_opts *select, struct output_opts *to,
		      struct jfrec_reader *r, const char *input)
{
	struct jfrec_filtered *f;
	struct jfrec_error err;
	int status;

	progress_begin_writing(r);
	f = jfrec_write_filtered(r, NULL, NULL, to->output, &err);
	progress_end();
	status = f ? output_opts_commit(to) : output_opts_failure(to, r, &err);
	if (status == EXIT_DONE && f)
		status = print_result(select, f, input, to->path);
	jfrec_filtered_free(f);
	return status == EXIT_DONE ? report_damage(r) : status;
}

static int scrub(const struct command *self, struct event_opts *select, char *input,
		 const char *output)
{
	struct output_opts to = {
		.path = output, .force = true, .how = JFREC_PLAIN, .is_public = true
	};
	struct jfrec_reader *r;
	struct jfrec_error err;
	int status = EXIT_FAILED;

	confine_writes(output);
	r = open_confined(CONFINE_WRITING, &input, 1);
	if (r && event_opts_select(select, r, &err) < 0)
		status = event_opts_failure(select, self, r, &err);
	else if (r && output_opts_open(&to) == EXIT_DONE)
		status = scrub_into(select, &to, r, input);
	output_opts_close(&to);
	jfrec_reader_close(r);
	return status;
}

/* app.jfr is scrubbed to app-scrubbed.jfr. */
static int scrub_beside(const struct command *self, struct event_opts *select, char *input)
{
	char *output;
	int status;

	if (asprintf(&output, "%.*s-scrubbed.jfr", (int)strlen(input) - 4, input) < 0)
		return jfr_fail("scrub", "out of memory");
	status = scrub(self, select, input, output);
	free(output);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct event_opts select = { 0 };
	char **operands;
	int count;

	if (!opt_parse(&p, &select))
		return p.status;
	operands = argv + p.first_operand;
	count = argc - p.first_operand;
	if (count < 1 || count > 2)
		return report_usage(self, "too %s arguments", count < 1 ? "few" : "many");
	return count == 2 ? scrub(self, &select, operands[0], operands[1])
			  : scrub_beside(self, &select, operands[0]);
}

const struct command jfr_scrub = {
	.name = "scrub",
	.args = "FILE [OUTPUT]",
	.summary = "copy a recording without excluded events",
	.about =
		"Copy the events of FILE that pass all filters to OUTPUT, or to FILE-scrubbed.jfr\n"
		"in the same directory.  Both names end in .jfr, and an existing file is\n"
		"replaced.  `jfrec scrub` also redacts texts in the remaining events.",
	.opts = jfr_scrub_rows,
	.run = run,
};
