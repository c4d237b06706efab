/* SPDX-License-Identifier: MIT */
/*
 * filter.c - jfrec filter: copy selected events into a new recording
 */
#include "common/filter_report.h"
#include "common/progress.h"
#include "opts/event_opts.h"

enum { OPT_CONTEXT = 256, OPT_NO_CONTEXT };

static const struct opt opts[] = {
	EVENT_OPTS,
	EVENT_ZONE_OPTS,
	SCRUB_OPTS,
	OUTPUT_OPTS,
	OPT_GROUP_ALONE(types_rows),
	OPT_GROUP_ALONE(memory_rows),
	{ OPT_CONTEXT, "context", NULL, "keep what describes the JVM, whatever is chosen" },
	{ OPT_NO_CONTEXT, "no-context", NULL, "keep them only if they are chosen" },
	{ 'j', "json", NULL, "print one JSON object: what was kept and removed" },
	{ 0 },
};

struct settings {
	struct event_opts select;
	struct output_opts to;
	bool json;
	bool context, no_context;
};

static int print_text(const struct settings *s, const struct jfrec_filtered *f)
{
	FILE *to = output_opts_results(&s->to);

	filter_report_print_total(to, &s->to, f);
	filter_report_print_types(to, f);
	return finish_stdout();
}

static int failure(const struct settings *s, const struct command *self,
		   const struct jfrec_reader *r, const struct jfrec_error *err)
{
	if (err->code == JFREC_EEXPRESSION)
		return event_opts_failure(&s->select, self, r, err);
	return output_opts_failure(&s->to, r, err);
}

static int filter_into(const struct command *self, struct settings *s, struct jfrec_reader *r)
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
		status = s->json ? print_json(filter_report_json(&s->to, f)) : print_text(s, f);
	if (status == EXIT_DONE)
		status = report_damage(r);
	jfrec_filtered_free(f);
	return status;
}

static int filter(const struct command *self, struct settings *s, char *const *paths, int count)
{
	struct jfrec_reader *r = open_confined(CONFINE_WRITING, paths, count);
	struct jfrec_error err;
	int status = EXIT_FAILED;

	/* Who chooses event types wants exactly these, unless --context was given. */
	if (r && !s->no_context && (s->context || !event_opts_names_types(&s->select)))
		jfrec_reader_keep_context(r);
	if (r && event_opts_select(&s->select, r, &err) < 0) {
		status = event_opts_failure(&s->select, self, r, &err);
	} else if (r && output_opts_open(&s->to) == EXIT_DONE) {
		progress_begin_writing(r);
		status = filter_into(self, s, r);
	}
	output_opts_close(&s->to);
	jfrec_reader_close(r);
	return status;
}

/* Keep an option, whosever it is.  As event_opts_take_option(). */
static int take_option(struct settings *s, const struct command *self, int letter,
		       const char *value)
{
	int taken = event_opts_take_option(&s->select, self, letter, value);

	return taken ? taken : output_opts_take_option(&s->to, self, letter, value);
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .command = "filter", .opts = opts, .argc = argc, .argv = argv };
	struct settings s = { 0 };
	int letter, status;

	while ((letter = opt_next(&p)) != OPT_END) {
		if (letter == OPT_HELP)
			return command_help(self);
		if (letter == 'j')
			s.json = true;
		else if (letter == OPT_CONTEXT)
			s.context = true;
		else if (letter == OPT_NO_CONTEXT)
			s.no_context = true;
		else if (take_option(&s, self, letter, p.value) <= 0)
			return EXIT_USAGE;
	}
	if (s.context && s.no_context)
		return report_usage(self, "--context does not go with --no-context");
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
	.summary = "copy selected events into a new recording",
	.about = "Write a recording of the events that pass all filters, with the constants they\n"
		 "refer to and nothing else. Says what was kept and removed of each event type.\n"
		 "The input is never changed.\n"
		 "\n"
		 "A FILTER is a list of names separated by commas, in which * stands for any text\n"
		 "and ? for one character. jfrec-where(7) describes what EXPR can be.",
	.opts = opts,
	.run = run,
};
