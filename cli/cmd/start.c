/* SPDX-License-Identifier: MIT */
/*
 * start.c - jfrec start: start a recording in a JVM
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "jvm/for_each_jvm.h"
#include "jvm/ignored_settings.h"
#include "jvm/jvm_settings.h"
#include "jvm/read_back.h"
#include "jvm/stack_depth.h"
#include "opts/jfr_opts.h"

struct options {
	struct for_each_jvm each;
	struct jfr_opts args;
	struct stack_depth_opts depth;
};

/* clang-format off */
static const struct opt opts[] = {
	JFR_ROW('n', "name", "NAME", "name the recording", struct options, args, JFREC_JFR_START, "name"),
	OPT_GROUP(settings_rows, struct options, args),
	JFR_ROW('d', "duration", "TIME", "stop after this time and write --filename", struct options, args, JFREC_JFR_START, "duration"),
	JFR_ROW(0, "delay", "TIME", "start after this time", struct options, args, JFREC_JFR_START, "delay"),
	JFR_ROW(0, "max-age", "TIME", "keep only data younger than this", struct options, args, JFREC_JFR_START, "maxage"),
	JFR_ROW(0, "max-size", "SIZE", "keep at most this much, such as 250m", struct options, args, JFREC_JFR_START, "maxsize"),
	JFR_ROW(0, "filename", "PATH", "file the JVM writes at the end, as the JVM sees it", struct options, args, JFREC_JFR_START, "filename"),
	JFR_ROW_IS(0, "disk", "keep events on the JVM's disk (default)", struct options, args, JFREC_JFR_START, "disk", "true"),
	JFR_ROW_IS(0, "no-disk", "keep events in memory only", struct options, args, JFREC_JFR_START, "disk", "false"),
	JFR_ROW_IS(0, "dump-on-exit", "write the recording when the JVM exits", struct options, args, JFREC_JFR_START, "dumponexit", "true"),
	JFR_ROW(0, "flush-interval", "TIME", "flush at this interval (JDK 17)", struct options, args, JFREC_JFR_START, "flush-interval"),
	JFR_ROW_IS(0, "path-to-gc-roots", "find references that keep old objects alive", struct options, args, JFREC_JFR_START, "path-to-gc-roots", "true"),
	OPT_GROUP(stack_depth_rows, struct options, depth),
	OPT_GROUP(for_each_jvm_whole_rows, struct options, each),
	{ 0 },
};
/* clang-format on */

static void print_started(struct each_jvm *j, const struct jfrec_jfr_started *started)
{
	if (started->warnings) {
		fprintf(stderr, "jfrec: process %d: ", j->jvm->pid);
		put_name(stderr, started->warnings);
		fputc('\n', stderr);
	}
	if (j->result) {
		json_object_set_new(j->result, "recording", json_integer((json_int_t)started->id));
		json_object_set_new(j->result, "scheduled", json_boolean(started->scheduled));
		json_object_set_new(j->result, "path", text_json(started->path));
		json_object_set_new(j->result, "warnings", text_json(started->warnings));
		return;
	}
	for_each_jvm_begin_line(j);
	printf("%" PRIu64 "\n", started->id);
}

/* A JVM takes a name twice, and is then asked for one of them in vain. */
static void warn_of_name(const struct each_jvm *j, const char *name)
{
	struct jfrec_error err;
	struct jfrec_jfr_recordings *list = name ? jfrec_jfr_list(j->session, name, false, &err)
						 : NULL;

	if (list && jfrec_jfr_recordings_count(list)) {
		fprintf(stderr, "jfrec: process %d: recording %" PRIu64 " is called ", j->jvm->pid,
			jfrec_jfr_recordings_get(list, 0)->id);
		put_name(stderr, name);
		fputs(", too; use their ids\n", stderr);
	}
	jfrec_jfr_recordings_free(list);
}

static int start_with(struct each_jvm *j, const struct jvm_settings *c)
{
	struct jfrec_jfr_start_options options = {
		.struct_size = sizeof(options),
		.options = c->options,
		.count = c->count,
		.settings = c->files,
		.settings_count = c->file_count,
	};
	struct jfrec_jfr_started *started;
	struct jfrec_error err;
	int status;

	started = jfrec_jfr_start(j->session, &options, &err);
	if (!started)
		return for_each_jvm_fail(j, &err);
	print_started(j, started);
	status = read_back(j, c, started);
	jfrec_jfr_started_free(started);
	return status;
}

static int start(struct each_jvm *j, void *ctx)
{
	const struct options *o = ctx;
	struct jvm_settings c;
	int status = jvm_settings_prepare(j->session, j->jvm, j->each->attach.trace, &o->args, &c);

	if (status == EXIT_DONE)
		status = stack_depth_prepare(j, &o->depth);
	if (status == EXIT_DONE) {
		warn_of_name(j, jfr_opts_get(&o->args, "name"));
		status = start_with(j, &c);
	}
	jvm_settings_fini(&c);
	return status;
}

static int check(const struct command *self, const struct for_each_jvm *e, const struct jfr_opts *a)
{
	if (jfr_opts_get(a, "duration") && !jfr_opts_get(a, "filename"))
		return report_usage(
			self, "--duration needs --filename, a path as the JVM sees it, since a "
			      "JVM may\ndiscard the recording at its end; to fetch it, use "
			      "`jfrec record`");
	if (e->target.all && jfr_opts_get(a, "filename"))
		return report_usage(self,
				    "with --all, each JVM would write to the same --filename");
	return EXIT_DONE;
}

static int start_in_each(const struct command *self, struct options *o, const struct opt_parser *p)
{
	int status = check(self, &o->each, &o->args);

	if (status == EXIT_DONE)
		status = jfr_opts_default_settings(&o->args, self, NULL);
	if (status == EXIT_DONE)
		status = ignored_settings_check(&o->args, self);
	return status == EXIT_DONE ? for_each_jvm(&o->each, p, start, o) : status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options o = { .each = { .command = self, .attach.whole = true } };
	int status = opt_parse(&p, &o) ? start_in_each(self, &o, &p) : p.status;

	jfr_opts_fini(&o.args);
	return status;
}

const struct command cmd_start = {
	.name = "start",
	.args = "TARGET",
	.examples = "  jfrec start Shop\n"
		    "  jfrec start --settings profile --max-age 1h Shop\n",
	.summary = "start a recording in a JVM",
	.about =
		"Start a recording in a JVM and print its id.  TARGET is a pid, or a part of the\n"
		"main class or jar.  To fetch the recording, see `jfrec dump`.",
	.opts = opts,
	.run = run,
};
