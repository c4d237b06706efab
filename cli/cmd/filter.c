/* SPDX-License-Identifier: MIT */
/*
 * filter.c - jfrec filter: copy selected events into a new recording
 */
#include "base/progress.h"
#include "opts/event_opts.h"
#include "opts/jobs_opts.h"
#include "recording/filter_report.h"
#include "recording/open_recordings.h"

struct options {
	struct event_opts select;
	struct output_opts to;
	bool json;
	bool context, no_context;
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_GROUP(event_rows, struct options, select),
	OPT_GROUP(during_rows, struct options, select),
	OPT_GROUP(time_rows, struct options, select),
	OPT_GROUP(zone_rows, struct options, select),
	OPT_GROUP(scrub_rows, struct options, select),
	OPT_GROUP(output_rows, struct options, to),
	OPT_GROUP_ALONE(types_rows),
	OPT_GROUP_ALONE(jobs_rows),
	OPT_GROUP_ALONE(memory_rows),
	OPT_GROUP_ALONE(spool_rows),
	OPT_GROUP_ALONE(confine_rows),
	OPT_FLAG(0, "context", "keep events that describe the JVM, whatever else", struct options, context),
	OPT_FLAG(0, "no-context", "filter these events like all others", struct options, no_context),
	OPT_FLAG('j', "json", "print one JSON document: what was kept and removed", struct options, json),
	{ 0 },
};
/* clang-format on */

static int print_text(const struct options *s, const struct jfrec_filtered *f)
{
	FILE *to = output_opts_results(&s->to);

	filter_report_print_total(to, &s->to, f);
	filter_report_print_types(to, f);
	return finish_stdout();
}

static int failure(const struct options *s, const struct command *self,
		   const struct jfrec_reader *r, const struct jfrec_error *err)
{
	if (err->code == JFREC_EEXPRESSION)
		return event_opts_failure(&s->select, self, r, err);
	return output_opts_failure(&s->to, r, err);
}

static int filter_into(const struct command *self, struct options *s, struct jfrec_reader *r)
{
	struct jfrec_filtered *f;
	struct jfrec_error err;
	int status;

	f = jfrec_write_filtered(r, s->select.from_ns, s->select.to_ns, s->to.output, &err);
	progress_end();
	if (f && event_opts_found_nothing(&s->select, r, f->found))
		status = EXIT_FAILED;
	else
		status = f ? output_opts_commit(&s->to) : failure(s, self, r, &err);
	if (status == EXIT_DONE && f)
		status = s->json ? print_document("filter", filter_report_json(&s->to, f))
				 : print_text(s, f);
	if (status == EXIT_DONE)
		status = report_damage(r);
	jfrec_filtered_free(f);
	return status;
}

static int filter(const struct command *self, struct options *s, char *const *paths, int count)
{
	struct jfrec_reader *r;
	struct jfrec_error err;
	int status = EXIT_FAILED;

	confine_writes(s->to.path);
	r = open_confined(CONFINE_WRITING, paths, count);
	if (r && s->json)
		envelope_read(r, paths, count);
	/* Who chooses event types wants exactly these, unless --context was given. */
	if (r && !s->no_context && (s->context || !event_opts_names_types(&s->select)))
		jfrec_reader_keep_context(r);
	if (r && event_opts_select(&s->select, r, &err) < 0) {
		status = event_opts_failure(&s->select, self, r, &err);
	} else if (r && output_opts_open(&s->to) == EXIT_DONE) {
		jobs_use_with_results(r);
		progress_begin_writing(r);
		status = filter_into(self, s, r);
	}
	output_opts_close(&s->to);
	jfrec_reader_close(r);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options s = { 0 };
	int status;

	if (!opt_parse(&p, &s))
		return p.status;
	if (s.context && s.no_context)
		return report_usage(self, "--context cannot be combined with --no-context");
	if (!has_operands(self, &p, "the recording to filter") ||
	    output_opts_check(&s.to, self, s.json) != EXIT_DONE)
		return EXIT_USAGE;
	status = event_opts_use_config(&s.select);
	if (status != EXIT_DONE)
		return status;
	return filter(self, &s, argv + p.first_operand, argc - p.first_operand);
}

const struct command cmd_filter = {
	.name = "filter",
	.args = "RECORDING... -o FILE",
	.examples = "  jfrec filter --events 'jdk.GC*' app.jfr -o gc.jfr\n"
		    "  jfrec filter --from -5m app.jfr -o end.jfr\n",
	.summary = "copy selected events into a new recording",
	.about =
		"Copy the events that pass all filters, with the constants that they use, into a\n"
		"new recording.  Report the events kept and removed, by type.  The input is never\n"
		"changed.\n"
		"\n"
		"A FILTER is a list of names separated by commas, in which * stands for any text\n"
		"and ? for one character.  jfrec-where(7) describes what EXPR can be.",
	.opts = opts,
	.run = run,
};
