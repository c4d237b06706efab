/* SPDX-License-Identifier: MIT */
/*
 * trace.c - jfrec trace: the slowest requests, and what they waited for
 */
#include <string.h>

#include "base/progress.h"
#include "opts/event_opts.h"
#include "opts/jobs_opts.h"
#include "recording/open_recordings.h"
#include "recording/operand.h"
#include "trace/document.h"
#include "trace/text.h"

#define DEFAULT_TOP 10

struct options {
	struct event_opts select; /* times and their zone */
	struct operand_opts from;
	struct during_text of;
	unsigned top;
	bool json;
};

static int take_of(const struct opt_given *g, void *to)
{
	struct during_text *of = to;
	const char *fault;

	if (of->memory)
		return report_usage(g->command, "--of can be given only once");
	fault = during_parse(of, g->value);
	if (!fault && (of->parts.by || of->parts.all_threads))
		fault = "a request is of one thread: `by` is for --during";
	return fault ? report_usage(g->command, "--of %s: %s", g->value, fault) : EXIT_DONE;
}

/* clang-format off */
static const struct opt opts[] = {
	OPT_CALL(0, "of", "EVENT", "events that are requests, such as app.Request", take_of, struct options, of),
	OPT_NUMBER(0, "top", "N", "show the slowest N requests (default: 10)", struct options, top),
	OPT_GROUP(operand_rows, struct options, from),
	OPT_GROUP(time_rows, struct options, select),
	OPT_GROUP(shown_zone_rows, struct options, select),
	OPT_FLAG('j', "json", "print one JSON document", struct options, json),
	OPT_GROUP_ALONE(types_rows),
	OPT_GROUP_ALONE(jobs_rows),
	OPT_GROUP_ALONE(memory_rows),
	OPT_GROUP_ALONE(spool_rows),
	OPT_GROUP_ALONE(confine_rows),
	{ 0 },
};
/* clang-format on */

/* The expression of --of is shown with a mark under the place. */
static int failure(struct options *o, const struct command *self, struct jfrec_reader *r,
		   const struct jfrec_error *err)
{
	o->select.where = o->of.parts.where;
	o->select.where_name = "--of";
	return event_opts_failure(&o->select, self, r, err);
}

static int show(struct options *o, const struct operand *in, const struct jfrec_trace *t)
{
	int status;

	operand_use_zone(in, &o->select);
	if (o->json) {
		status = print_document("trace", trace_json(t));
	} else {
		trace_print(t, &o->select.zone);
		status = finish_stdout();
	}
	return status == EXIT_DONE ? report_damage(in->reader) : status;
}

static int read_and_show(struct options *o, const struct command *self, const struct operand *in)
{
	struct jfrec_trace_options how = {
		.events = o->of.parts.events,
		.where = o->of.parts.where,
		.top = o->top ? o->top : DEFAULT_TOP,
		.from_ns = o->select.from_ns,
		.to_ns = o->select.to_ns,
	};
	struct jfrec_error err = { 0 };
	struct jfrec_trace *t;
	int status;

	jobs_use(in->reader);
	progress_begin(in->reader);
	t = jfrec_trace_read(in->reader, &how, &err);
	progress_end();
	status = t ? show(o, in, t) : failure(o, self, in->reader, &err);
	jfrec_trace_free(t);
	return status;
}

static int trace(struct options *o, const struct command *self, char *const *operands, int count)
{
	struct operand in;
	int status = operand_open(&in, self, &o->from, "profile", CONFINE_READING, operands, count);

	if (status != EXIT_DONE)
		return status;
	if (o->json)
		operand_in_envelope(&in, operands, count);
	status = operand_select(&in, self, &o->select);
	if (status == EXIT_DONE)
		status = read_and_show(o, self, &in);
	jfrec_reader_close(in.reader);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options o = { 0 };
	int status;

	if (!opt_parse(&p, &o))
		status = p.status;
	else if (!o.from.jvm && !has_operands(self, &p, "a recording or a JVM"))
		status = EXIT_USAGE;
	else if (o.top > JFREC_TRACE_TOP)
		status = report_usage(self, "--top is at most %d", JFREC_TRACE_TOP);
	else if ((status = event_opts_use_config(&o.select)) == EXIT_DONE)
		status = trace(&o, self, argv + p.first_operand, argc - p.first_operand);
	during_text_fini(&o.of);
	return status;
}

const struct command cmd_trace = {
	.name = "trace",
	.args = "RECORDING...|TARGET",
	.examples = "  jfrec trace app.jfr\n"
		    "  jfrec trace --of 'shop.Request[duration > 50ms]' --top 3 app.jfr\n",
	.summary = "show the slowest requests, and what they waited for",
	.about = "Show the slowest requests of a recording: what is in them, and what their\n"
		 "threads did meanwhile. They waited for a lock, a socket, a file, a collection,\n"
		 "or ran, as samples say; the rest is unexplained. Requests are events with a\n"
		 "duration: those that --of names, or what looks like requests among those of the\n"
		 "application.",
	.opts = opts,
	.run = run,
};
