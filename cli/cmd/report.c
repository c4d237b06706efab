/* SPDX-License-Identifier: MIT */
/*
 * report.c - jfrec report: a recording on one page
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output_limit.h"
#include "base/progress.h"
#include "base/stdout.h"
#include "opts/event_opts.h"
#include "opts/jobs_opts.h"
#include "opts/output_opts.h"
#include "recording/open_recordings.h"
#include "recording/operand.h"

struct options {
	struct event_opts select;
	struct output_opts to;
	struct operand_opts from;
	const char *title, *format;
	char *made_name; /* of a page, where none was given */
	bool json, no_scrub, environment;
	char *const *operands;
	int operand_count;
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_ONCE('o', "output", "FILE", "write to FILE (default: named after RECORDING)", struct options, to.path),
	OPT_FLAG(0, "force", "replace FILE if it exists", struct options, to.force),
	MODE_ROW("permissions of FILE in octal, such as 640", struct options, to),
	OPT_ONCE(0, "format", "NAME", "html, json or markdown (default: by FILE)", struct options, format),
	OPT_FLAG('j', "json", "print all numbers as one JSON document", struct options, json),
	OPT_ONCE(0, "title", "TEXT", "the title of the page", struct options, title),
	OPT_FLAG(0, "no-scrub", "do not redact secrets", struct options, no_scrub),
	OPT_FLAG(0, "environment", "show environment variables", struct options, environment),
	OPT_GROUP(operand_rows, struct options, from),
	OPT_GROUP(event_rows, struct options, select),
	OPT_GROUP(during_rows, struct options, select),
	OPT_GROUP(time_rows, struct options, select),
	OPT_GROUP(shown_zone_rows, struct options, select),
	OPT_GROUP_ALONE(types_rows),
	OPT_GROUP_ALONE(jobs_rows),
	OPT_GROUP_ALONE(memory_rows),
	OPT_GROUP_ALONE(spool_rows),
	OPT_GROUP_ALONE(output_limit_rows),
	OPT_GROUP_ALONE(confine_rows),
	{ 0 },
};
/* clang-format on */

/* What is asked -------------------------------------------------------------------------------- */

static bool is_format(const char *name)
{
	for (size_t i = 0; i < jfrec_report_formats_count(); i++) {
		if (strcmp(jfrec_report_formats_get(i), name) == 0)
			return true;
	}
	return false;
}

/* The name of the file decides where nothing else does. */
static const char *format_of_name(const char *path)
{
	const char *dot = strrchr(path, '.');

	if (strcmp(path, "-") == 0)
		return "html";
	if (dot && strcmp(dot, ".md") == 0)
		return "markdown";
	return dot && is_format(dot + 1) ? dot + 1 : NULL;
}

static int choose_format(const struct command *self, struct options *o)
{
	if (o->json && o->format)
		return report_usage(self, "only one format can be given");
	if (o->json)
		o->format = "json";
	if (o->format && !is_format(o->format))
		return report_usage(self, "unknown format '%s'; use html, json or markdown", o->format);
	if (!o->format && !o->to.path)
		o->format = "html";
	if (!o->format)
		o->format = format_of_name(o->to.path);
	return o->format ? EXIT_DONE
			 : report_usage(self, "the suffix of %s does not select a format; use "
					      "--format html, json or markdown",
					o->to.path);
}

static int make(const struct options *o, const struct operand *in, struct jfrec_report **report,
		struct jfrec_error *err)
{
	struct jfrec_report_options how = {
		.struct_size = sizeof(how),
		.from_ns = o->select.from_ns,
		.to_ns = o->select.to_ns,
		.zone = zone_offset,
		.zone_ctx = (void *)&o->select.zone,
		.title = o->title ? o->title : in->name,
		.shows_secrets = o->no_scrub,
		.with_environment = o->environment,
		.is_live = in->is_jvm,
		.host = jfrec_host_get(in->host),
	};

	*report = jfrec_report_new(&how, err);
	for (int i = 0; *report && i < o->operand_count; i++) {
		const char *name = operand_shown(in, o->operands[i]);

		if (jfrec_report_add_recording(*report, name, err) < 0)
			return -1;
	}
	return *report ? 0 : -1;
}

/* What comes of it ----------------------------------------------------------------------------- */

static void say_written(const char *path)
{
	fputs("jfrec: wrote ", stderr);
	put_name(stderr, path);
	fputc('\n', stderr);
}

static int write_file(const struct options *o, struct jfrec_report *report)
{
	struct output_opts to = o->to;
	struct jfrec_error err = { 0 };
	int status = output_opts_open(&to);

	if (status != EXIT_DONE)
		return status;
	status = jfrec_report_write(report, o->format, jfrec_output_write, to.output, &err) == 0
			 ? output_opts_commit(&to)
			 : output_opts_failure(&to, NULL, &err);
	output_opts_close(&to);
	if (status == EXIT_DONE && o->made_name)
		say_written(o->made_name);
	return status;
}

static int print(const struct options *o, struct jfrec_report *report)
{
	struct jfrec_error err = { 0 };

	progress_begin_printing(NULL);
	if (jfrec_report_write(report, o->format, write_stdout, NULL, &err) == 0)
		return progress_signal() ? 128 + progress_signal() : finish_stdout();
	if (err.code == JFREC_EOUTPUT)
		return report_write_failure(err.sys);
	say("report", failure_text(&err));
	return EXIT_FAILED;
}

struct adding {
	struct jfrec_report *report;
	struct jfrec_error *err;
};

static int add_problem(void *ctx, const struct jfrec_problem *problem)
{
	const struct adding *a = ctx;

	return jfrec_report_add_problem(a->report, problem, a->err);
}

static int write_report(const struct options *o, struct jfrec_report *report)
{
	struct jfrec_error err = { 0 };

	if (envelope_each_problem(add_problem, &(struct adding){ report, &err }) < 0) {
		say_out_of_memory();
		return EXIT_FAILED;
	}
	return o->to.path ? write_file(o, report) : print(o, report);
}

static int read_and_write(const struct command *self, const struct options *o,
			  const struct operand *in)
{
	struct jfrec_error err = { 0 };
	struct jfrec_report *report = NULL;
	int status;

	if (make(o, in, &report, &err) < 0) {
		jfrec_report_free(report);
		say(in->name, failure_text(&err));
		return EXIT_FAILED;
	}
	jobs_use(in->reader);
	progress_begin(in->reader);
	status = jfrec_report_read(report, in->reader, &err) < 0
			 ? event_opts_failure(&o->select, self, in->reader, &err)
			 : EXIT_DONE;
	progress_end();
	if (status == EXIT_DONE)
		status = write_report(o, report);
	if (status == EXIT_DONE)
		status = report_damage(in->reader);
	jfrec_report_free(report);
	return status;
}

/* A page for which no file was named: app.html in this directory, of app.jfr.gz. */
static int name_page(struct options *o, char *const *operands, int count)
{
	bool is_jvm = operand_is_jvm(&o->from, operands, count);
	char *base;

	if (o->to.path || strcmp(o->format, "html") != 0)
		return EXIT_DONE;
	base = outname_of_recording(is_jvm ? "-" : operands[0], "report");
	if (!base || asprintf(&o->made_name, "%s.html", base) < 0)
		o->made_name = NULL;
	free(base);
	o->to.path = o->made_name;
	if (o->made_name)
		return EXIT_DONE;
	say_out_of_memory();
	return EXIT_FAILED;
}

static int report(const struct command *self, struct options *o, char *const *operands, int count)
{
	struct jfrec_error err;
	struct operand in;
	int status;

	/* A JVM that has no such samples, before JDK 25, takes the others all the same. */
	o->from.cpu_time = true;
	o->from.watch = true;
	o->operands = operands;
	o->operand_count = count;
	confine_writes(o->to.path);
	status = operand_open(&in, self, &o->from, "profile",
			      o->to.path ? CONFINE_WRITING : CONFINE_READING, operands, count);
	if (status == EXIT_DONE && strcmp(o->format, "json") == 0)
		envelope_watch(in.reader);
	if (status == EXIT_DONE)
		status = operand_select(&in, self, &o->select);
	/* The report reads a pipe twice anyway, and then knows its zone. */
	if (status == EXIT_DONE && jfrec_reader_spool(in.reader, &err) < 0)
		status = report_failure(in.reader, &err);
	if (status == EXIT_DONE) {
		operand_use_zone(&in, &o->select);
		status = read_and_write(self, o, &in);
	}
	jfrec_reader_close(in.reader);
	jfrec_host_free(in.host);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options o = { .to.how = JFREC_PLAIN };
	int status;

	if (!opt_parse(&p, &o))
		return p.status;
	if (!o.from.jvm && !has_operands(self, &p, "a recording or a JVM"))
		return EXIT_USAGE;
	status = choose_format(self, &o);
	if (status == EXIT_DONE)
		status = event_opts_use_config(&o.select);
	if (status == EXIT_DONE)
		status = name_page(&o, argv + p.first_operand, argc - p.first_operand);
	if (status == EXIT_DONE)
		status = report(self, &o, argv + p.first_operand, argc - p.first_operand);
	free(o.made_name);
	return status;
}

const struct command cmd_report = {
	.name = "report",
	.args = "RECORDING...|TARGET",
	.examples = "  jfrec report app.jfr\n"
		    "  jfrec report -o shop.html Shop\n",
	.summary = "write a page: what is wrong, when, where to look",
	.about = "Write a recording as one page for any browser, which needs no network: findings\n"
		 "first, then key figures, a timeline, garbage collection, flame graphs, tables of\n"
		 "allocation, locks, exceptions, I/O and threads, settings. Secrets are redacted.\n"
		 "With --json, all numbers of the page.",
	.opts = opts,
	.run = run,
};
