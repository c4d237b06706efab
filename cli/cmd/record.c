/* SPDX-License-Identifier: MIT */
/*
 * record.c - jfrec record: record for a while and fetch the recording
 *
 * The recording in the JVM ends with this process, however that ends: it is
 * stopped by the session's child, and should that be killed as well, by a
 * duration that is somewhat longer than needed.
 */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "common/clock_now.h"
#include "common/dump_file.h"
#include "common/from_repository.h"
#include "common/ignored_settings.h"
#include "common/interrupt.h"
#include "common/jvm_settings.h"
#include "common/many_files.h"
#include "common/report.h"
#include "opts/jfr_opts.h"

/* For dumping; and for fetching by hand what could not be brought here. */
#define GRACE_S 120

enum {
	OPT_MAX_AGE = 256,
	OPT_MAX_SIZE,
	OPT_PATH_TO_GC_ROOTS,
	OPT_SET,
};

/* clang-format off */
static const struct opt opts[] = {
	{ 'd', "duration", "TIME", "record so long, such as 30s or 5m" },
	OUTFILE_OPTS,
	{ 's', "settings", "NAME|FILE", "a profile of ours, the JVM's, or a file" },
	{ OPT_SET, "set", "KEY=VALUE", "EVENT#SETTING=VALUE or OPTION=VALUE" },
	UNCHECKED_OPT,
	{ 'n', "name", "NAME", "name the recording" },
	{ OPT_MAX_AGE, "max-age", "TIME", "keep only what is younger" },
	{ OPT_MAX_SIZE, "max-size", "SIZE", "keep only so much, such as 250m" },
	{ OPT_PATH_TO_GC_ROOTS, "path-to-gc-roots", NULL, "find what keeps old objects alive" },
	TARGET_NARROW_OPTS,
	ATTACH_OPTS,
	{ 'j', "json", NULL, "print one JSON document" },
	{ 0 },
};
/* clang-format on */

static const struct jfr_opts_row rows[] = {
	{ 'n', "name", NULL },
	{ OPT_MAX_AGE, "maxage", NULL },
	{ OPT_MAX_SIZE, "maxsize", NULL },
	{ OPT_PATH_TO_GC_ROOTS, "path-to-gc-roots", "true" },
	{ 0 },
};

struct options {
	int64_t duration_ns;
	struct output_opts output;
	struct jfr_opts args;
};

static int start_with(const struct each_jvm *j, const struct options *w,
		      const struct jvm_settings *c, struct jfrec_jfr_started *started)
{
	struct jfrec_jfr_option options[JFR_OPTS_MAX + 1];
	struct jfrec_jfr_start_options o = {
		.struct_size = sizeof(o),
		.options = options,
		.count = c->count + 1,
		.settings = c->files,
		.settings_count = c->file_count,
		.only_for_session = true,
	};
	struct jfrec_error err;
	char duration[32];

	memcpy(options, c->options, c->count * sizeof(*options));
	snprintf(duration, sizeof(duration), "%" PRId64 "s",
		 w->duration_ns / NS_PER_SECOND + GRACE_S);
	options[c->count] = (struct jfrec_jfr_option){ "duration", duration };
	if (jfrec_jfr_start(j->session, &o, started, &err) < 0)
		return for_each_jvm_fail(j, &err);
	if (started->warnings) {
		fprintf(stderr, "jfrec: process %d: ", j->jvm->pid);
		put_name(stderr, started->warnings);
		fputc('\n', stderr);
	}
	return EXIT_DONE;
}

static int start(const struct each_jvm *j, const struct options *w,
		 struct jfrec_jfr_started *started)
{
	struct jvm_settings c;
	int status = jvm_settings_prepare(j, &w->args, &c);

	if (status == EXIT_DONE)
		status = start_with(j, w, &c, started);
	jvm_settings_fini(&c);
	return status;
}

/* What could not be brought here is not thrown away at once. */
static int leave(struct each_jvm *j, struct jfrec_jfr_started *started, int status)
{
	jfrec_jfr_detach(j->session, started);
	if (status != EXIT_DIED)
		fprintf(stderr,
			"jfrec: process %d: recording %" PRIu64 " goes on for up to %d s, in which "
			"`jfrec stop %d --name %" PRIu64 "` can bring it\n",
			j->jvm->pid, started->id, GRACE_S, j->jvm->pid, started->id);
	return status;
}

static int bring_and_finish(struct each_jvm *j, const struct options *w,
			    struct jfrec_jfr_started *started, struct outfile *o)
{
	struct jfrec_jfr_option options[2];
	struct jfrec_error err;
	char id[24];
	size_t count = 0;
	uint64_t size;
	int status;

	snprintf(id, sizeof(id), "%" PRIu64, started->id);
	options[count++] = (struct jfrec_jfr_option){ "name", id };
	if (jfr_opts_get(&w->args, "path-to-gc-roots"))
		options[count++] = (struct jfrec_jfr_option){ "path-to-gc-roots", "true" };
	status = dump_file_fetch(j, options, count, o, &size);
	if (status != EXIT_DONE)
		return leave(j, started, status);
	dump_file_report(j, o, size);
	return jfrec_jfr_stop_leased(j->session, started, &err) < 0 ? for_each_jvm_fail(j, &err)
							       : EXIT_DONE;
}

/* What its repository had, held for the case that it ends. */
struct held {
	const struct jfrec_jvm *jvm;
	struct jfrec_repository *repository;
	struct repository_part part;
};

static void look(void *ctx)
{
	struct held *h = ctx;

	/* What was held before counts if it cannot be seen now. */
	jfrec_repository_again(&h->repository, h->jvm, NULL);
}

static int bring_held(const struct each_jvm *j, struct held *h, struct outfile *o)
{
	if (h->repository && from_repository_copy_held(j, h->repository, &h->part, o) != EXIT_DIED)
		return EXIT_DONE;
	if (!h->repository || !o->committed)
		fprintf(stderr,
			"jfrec: process %d ended while it was being recorded; nothing could be "
			"brought here\n",
			j->jvm->pid);
	return EXIT_DIED;
}

static int record_into(struct each_jvm *j, const struct options *w, struct outfile *o)
{
	struct held held = { .jvm = j->jvm, .part = { real_now_ns(), INT64_MAX, 0 } };
	struct jfrec_jfr_started started = { 0 };
	struct interrupt before;
	enum wait_end end = WAIT_DIED;
	int status;

	allow_many_files();
	/* Held from before the start on, so that it is never left without an end. */
	interrupt_hold(&before);
	status = start(j, w, &started);
	if (status == EXIT_DONE)
		end = interrupt_wait(j->jvm->pid, w->duration_ns, look, &held);
	interrupt_release(&before);
	if (status == EXIT_DONE)
		status = end == WAIT_DIED ? bring_held(j, &held, o)
					  : bring_and_finish(j, w, &started, o);
	/* Just then. */
	if ((status == EXIT_DIED || status == EXIT_NO_JVM) && end != WAIT_DIED && !o->committed)
		status = bring_held(j, &held, o);
	if (status == EXIT_DONE && end == WAIT_INTERRUPTED)
		status = EXIT_INTERRUPTED - SIGINT + interrupt_noted();
	jfrec_repository_close(held.repository);
	jfrec_jfr_started_fini(&started);
	return status;
}

static int record(struct each_jvm *j, void *ctx)
{
	const struct options *w = ctx;
	struct outfile o;
	int status = outfile_open(&o, &w->output, j->jvm);

	if (status != EXIT_DONE)
		return status;
	status = record_into(j, w, &o);
	outfile_close(&o);
	return status;
}

static int take_duration(struct options *w, const struct command *c, const char *value)
{
	if (jfrec_jfr_parse_time(value, &w->duration_ns) && w->duration_ns >= NS_PER_SECOND &&
	    w->duration_ns < INT64_MAX / 2)
		return 1;
	report_usage(c, "--duration is at least a second: 30s, 5m, 2h%s",
		     value[0] && value[strspn(value, "0123456789")] == '\0' ? "; it needs a unit" : "");
	return -1;
}

static int take(struct options *w, struct for_each_jvm *e, int letter, const char *value)
{
	int taken;

	if (letter == 'd')
		return take_duration(w, e->command, value);
	if (letter == 's')
		return jfr_opts_settings(&w->args, e->command, value) < 0 ? -1 : 1;
	if (letter == OPT_SET)
		return jfr_opts_set(&w->args, e->command, value) < 0 ? -1 : 1;
	taken = output_opts_take_option(&w->output, e->command, letter, value);
	if (!taken)
		taken = jfr_opts_take(&w->args, e->command, JFREC_JFR_START, rows, letter, value);
	return taken ? taken : for_each_jvm_take_option(e, letter, value);
}

/* What this command says itself cannot be --set. */
static int check(const struct command *self, const struct for_each_jvm *e, struct options *w)
{
	static const char *const ours[] = { "duration", "delay", "filename", "dumponexit" };

	if (!w->duration_ns)
		return report_usage(self, "say how long, by --duration");
	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++) {
		if (jfr_opts_get(&w->args, ours[i]))
			return report_usage(self, "%s cannot be set here; see `jfrec start`",
					    ours[i]);
	}
	return outfile_check(&w->output, self, false, e->json);
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .command = self->name, .opts = opts, .argc = argc, .argv = argv };
	struct for_each_jvm e = { .command = self };
	struct options w = { 0 };
	int letter, status = EXIT_DONE;

	while (status == EXIT_DONE && (letter = opt_next(&p)) != OPT_END) {
		if (letter == OPT_HELP)
			return command_help(self);
		if (take(&w, &e, letter, p.value) <= 0)
			status = EXIT_USAGE;
	}
	if (status == EXIT_DONE)
		status = check(self, &e, &w);
	if (status == EXIT_DONE)
		status = jfr_opts_default_settings(&w.args, self);
	if (status == EXIT_DONE)
		status = ignored_settings_check(&w.args, self);
	if (status == EXIT_DONE)
		status = for_each_jvm(&e, &p, record, &w);
	jfr_opts_fini(&w.args);
	return status;
}

const struct command cmd_record = {
	.name = "record",
	.args = "TARGET",
	.summary = "record a JVM for some time",
	.about = "Record a JVM for some time and bring the recording into a file here.  Ctrl-C\n"
		 "ends it early.  TARGET is a pid, or a part of the main class or jar.  In FILE,\n"
		 "%p is the pid, %t the time, %h the host and %n the main class.  Prints the name\n"
		 "of the file.",
	.opts = opts,
	.run = run,
};
