/* SPDX-License-Identifier: MIT */
/*
 * start.c - jfrec start: start a recording in a JVM
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/for_each_jvm.h"
#include "common/ignored_settings.h"
#include "common/jvm_settings.h"
#include "common/report.h"
#include "opts/jfr_opts.h"

enum {
	OPT_DELAY = 256,
	OPT_MAX_AGE,
	OPT_MAX_SIZE,
	OPT_FILENAME,
	OPT_DISK,
	OPT_NO_DISK,
	OPT_DUMP_ON_EXIT,
	OPT_FLUSH_INTERVAL,
	OPT_PATH_TO_GC_ROOTS,
	OPT_SET,
};

/* clang-format off */
static const struct opt opts[] = {
	{ 'n', "name", "NAME", "name the recording" },
	{ 's', "settings", "NAME|FILE", "a profile of ours, the JVM's, or a file" },
	{ OPT_SET, "set", "KEY=VALUE", "EVENT#SETTING=VALUE or OPTION=VALUE" },
	UNCHECKED_OPT,
	{ 'd', "duration", "TIME", "stop after that time, and write --filename" },
	{ OPT_DELAY, "delay", "TIME", "begin after that time" },
	{ OPT_MAX_AGE, "max-age", "TIME", "keep only what is younger" },
	{ OPT_MAX_SIZE, "max-size", "SIZE", "keep only so much, such as 250m" },
	{ OPT_FILENAME, "filename", "PATH", "write there at its end, as the JVM sees it" },
	{ OPT_DISK, "disk", NULL, "keep events on the JVM's disk (default)" },
	{ OPT_NO_DISK, "no-disk", NULL, "keep events in memory only" },
	{ OPT_DUMP_ON_EXIT, "dump-on-exit", NULL, "write the recording when the JVM ends" },
	{ OPT_FLUSH_INTERVAL, "flush-interval", "TIME", "write out so often (JDK 17)" },
	{ OPT_PATH_TO_GC_ROOTS, "path-to-gc-roots", NULL, "find what keeps old objects alive" },
	FOR_EACH_JVM_OPTS,
	{ 0 },
};
/* clang-format on */

static const struct jfr_opts_row rows[] = {
	{ 'n', "name", NULL },
	{ 'd', "duration", NULL },
	{ OPT_DELAY, "delay", NULL },
	{ OPT_MAX_AGE, "maxage", NULL },
	{ OPT_MAX_SIZE, "maxsize", NULL },
	{ OPT_FILENAME, "filename", NULL },
	{ OPT_DISK, "disk", "true" },
	{ OPT_NO_DISK, "disk", "false" },
	{ OPT_DUMP_ON_EXIT, "dumponexit", "true" },
	{ OPT_FLUSH_INTERVAL, "flush-interval", NULL },
	{ OPT_PATH_TO_GC_ROOTS, "path-to-gc-roots", "true" },
	{ 0 },
};

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
		fputs(", too; tell them apart by their ids\n", stderr);
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
	struct jfrec_jfr_started started;
	struct jfrec_error err;

	if (jfrec_jfr_start(j->session, &options, &started, &err) < 0)
		return for_each_jvm_fail(j, &err);
	print_started(j, &started);
	jfrec_jfr_started_fini(&started);
	return EXIT_DONE;
}

static int start(struct each_jvm *j, void *ctx)
{
	struct jvm_settings c;
	int status = jvm_settings_prepare(j, ctx, &c);

	if (status == EXIT_DONE) {
		warn_of_name(j, jfr_opts_get(ctx, "name"));
		status = start_with(j, &c);
	}
	jvm_settings_fini(&c);
	return status;
}

/* What only some letters are for. 1: taken. */
static int take(struct jfr_opts *a, struct for_each_jvm *e, int letter, const char *value)
{
	int taken;

	if (letter == 's')
		return jfr_opts_settings(a, e->command, value) < 0 ? -1 : 1;
	if (letter == OPT_SET)
		return jfr_opts_set(a, e->command, value) < 0 ? -1 : 1;
	taken = jfr_opts_take(a, e->command, JFREC_JFR_START, rows, letter, value);
	return taken ? taken : for_each_jvm_take_option(e, letter, value);
}

static int check(const struct command *self, const struct for_each_jvm *e, const struct jfr_opts *a)
{
	if (jfr_opts_get(a, "duration") && !jfr_opts_get(a, "filename"))
		return report_usage(
			self, "--duration needs --filename, a path as the JVM sees it, since "
			      "a JVM may throw the\nrecording away at its end; to get it here, "
			      "use `jfrec record`");
	if (e->target.all && jfr_opts_get(a, "filename"))
		return report_usage(self,
				    "with --all, each JVM would write to the same --filename");
	return EXIT_DONE;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .command = self->name, .opts = opts, .argc = argc, .argv = argv };
	struct for_each_jvm e = { .command = self };
	struct jfr_opts a = { 0 };
	int letter, status = EXIT_DONE;

	while (status == EXIT_DONE && (letter = opt_next(&p)) != OPT_END) {
		if (letter == OPT_HELP)
			return command_help(self);
		if (take(&a, &e, letter, p.value) <= 0)
			status = EXIT_USAGE;
	}
	if (status == EXIT_DONE)
		status = check(self, &e, &a);
	if (status == EXIT_DONE)
		status = jfr_opts_default_settings(&a, self);
	if (status == EXIT_DONE)
		status = ignored_settings_check(&a, self);
	if (status == EXIT_DONE)
		status = for_each_jvm(&e, &p, start, &a);
	jfr_opts_fini(&a);
	return status;
}

const struct command cmd_start = {
	.name = "start",
	.args = "TARGET",
	.summary = "begin a recording in a JVM",
	.about = "Begin a recording in a JVM and print its id.  TARGET is a pid, or a part of the\n"
		 "main class or jar.  To have the recording brought here, see `jfrec dump`.",
	.opts = opts,
	.run = run,
};
