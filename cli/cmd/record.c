/* SPDX-License-Identifier: MIT */
/*
 * record.c - jfrec record: record for a while and fetch the recording
 *
 * The recording in the JVM ends with this process, however that ends: it is
 * stopped by the session's child, and should that be killed as well, by a
 * duration that is somewhat longer than needed.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock_now.h"
#include "base/interrupt.h"
#include "base/many_files.h"
#include "base/report.h"
#include "jfrec-tool.h"
#include "jvm/crashed.h"
#include "jvm/dump_file.h"
#include "jvm/from_repository.h"
#include "jvm/ignored_settings.h"
#include "jvm/jvm_settings.h"
#include "jvm/read_back.h"
#include "jvm/stack_depth.h"
#include "opts/jfr_opts.h"

/* For dumping; and for fetching by hand what could not be brought here. */
#define GRACE_S 120

/* For a JVM that does not answer, to end. */
#define LAST_WAIT_NS (2 * NS_PER_SECOND)

/* The default; long enough for what comes once a minute. */
#define DEFAULT_S 60

struct options {
	struct for_each_jvm each; /* one of them */
	int64_t duration_ns;
	bool is_default; /* nobody said so */
	struct output_opts output;
	struct jfr_opts args;
	struct stack_depth_opts depth;
};

/* A recording on its way. */
struct recording {
	struct jfrec_jfr_started *started;
	int read_back; /* EXIT_FAILED if the JVM does not record all that was asked for */
};

static int take_duration(const struct opt_given *g, void *to)
{
	int64_t *ns = to;

	if (jfrec_parse_duration(g->value, ns) && *ns >= NS_PER_SECOND && *ns < INT64_MAX / 2)
		return EXIT_DONE;
	return opt_refuse(g, "a number and a unit, at least 1s, such as 30s or 1.5h");
}

/* clang-format off */
static const struct opt opts[] = {
	OPT_CALL('d', "duration", "TIME", "record for this long, such as 30s (default: 60s)", take_duration, struct options, duration_ns),
	OPT_GROUP(outfile_rows, struct options, output),
	OPT_GROUP(settings_rows, struct options, args),
	JFR_ROW('n', "name", "NAME", "name the recording", struct options, args, JFREC_JFR_START, "name"),
	JFR_ROW(0, "max-age", "TIME", "keep only data younger than this", struct options, args, JFREC_JFR_START, "maxage"),
	JFR_ROW(0, "max-size", "SIZE", "keep at most this much, such as 250m", struct options, args, JFREC_JFR_START, "maxsize"),
	JFR_ROW_IS(0, "path-to-gc-roots", "find references that keep old objects alive", struct options, args, JFREC_JFR_START, "path-to-gc-roots", "true"),
	OPT_GROUP(stack_depth_rows, struct options, depth),
	OPT_GROUP(narrow_rows, struct options, each.target),
	OPT_GROUP(attach_whole_rows, struct options, each.attach),
	OPT_FLAG('j', "json", "print one JSON document", struct options, each.json),
	{ 0 },
};
/* clang-format on */

static int start_with(const struct each_jvm *j, const struct options *w,
		      const struct jvm_settings *c, struct recording *r)
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
	r->started = jfrec_jfr_start(j->session, &o, &err);
	if (!r->started)
		return for_each_jvm_fail(j, &err);
	if (r->started->warnings) {
		fprintf(stderr, "jfrec: process %d: ", j->jvm->pid);
		put_name(stderr, r->started->warnings);
		fputc('\n', stderr);
	}
	r->read_back = read_back(j, c, r->started);
	return EXIT_DONE;
}

/* A native program has none of a JVM's events, and records its own by default. */
static void take_settings(const struct each_jvm *j, const struct options *w, struct jfr_opts *args)
{
	*args = w->args;
	if (args->is_default && j->jvm->kind == JFREC_JVM_NATIVE)
		args->file_count = 0;
}

static int start(const struct each_jvm *j, const struct options *w, struct recording *r)
{
	struct jvm_settings c;
	struct jfr_opts args;
	int status;

	take_settings(j, w, &args);
	status = jvm_settings_prepare(j->session, j->jvm, j->each->attach.trace, &args, &c);
	if (status == EXIT_DONE)
		status = stack_depth_prepare(j, &w->depth);
	if (status == EXIT_DONE)
		status = start_with(j, w, &c, r);
	jvm_settings_fini(&c);
	return status;
}

/* What could not be brought here is not thrown away at once. */
static int leave(struct each_jvm *j, struct jfrec_jfr_started *started, int status)
{
	jfrec_jfr_detach(j->session, started);
	if (status != EXIT_DIED)
		fprintf(stderr,
			"jfrec: process %d: recording %" PRIu64 " continues for up to %d s, "
								"during which `jfrec stop %d "
								"--name %" PRIu64 "` can fetch "
										  "it\n",
			j->jvm->pid, started->id, GRACE_S, j->jvm->pid, started->id);
	return status;
}

/* What its repository had, held for the case that it ends. */
struct held {
	const struct each_jvm *j;
	struct jfrec_repository *repository;
	struct repository_part part;
	bool is_stopped, was_told; /* at the last look; on standard error */
};

/* The JVM may continue in time; until then the user should know why nothing happens. */
static void look_at_process(struct held *h)
{
	struct jfrec_error err;
	bool is_stopped = jfrec_session_look(h->j->session, &err) < 0 && err.code == JFREC_EATTACH;

	if (is_stopped && h->is_stopped && !h->was_told) {
		fputs(isatty(STDERR_FILENO) ? "\r\033[K" : "", stderr);
		for_each_jvm_fail(h->j, &err);
		h->was_told = true;
	}
	h->is_stopped = is_stopped;
}

static void look(void *ctx)
{
	struct held *h = ctx;

	/* What was held before counts if it cannot be seen now. */
	jfrec_repository_again(&h->repository, h->j->jvm, NULL);
	look_at_process(h);
}

/* A JVM on its way out may be slow to answer, or not answer any more. */
static int status_of_end(const struct each_jvm *j, struct held *h, int status)
{
	int pid = j->jvm->pid;

	if (status != EXIT_ATTACH && status != EXIT_TIMEOUT && status != EXIT_RESULT)
		return status;
	look(h);
	if (h->is_stopped)
		return status;
	if (interrupt_wait(pid, LAST_WAIT_NS, look, h) == WAIT_DIED ||
	    (kill(pid, 0) < 0 && errno == ESRCH))
		return EXIT_DIED;
	return status;
}

/* It did not dump what it recorded, which was reported; but most of that is on its disk. */
static bool bring_instead(const struct each_jvm *j, struct held *h, struct outfile *o)
{
	look(h);
	if (!h->repository)
		return false;
	fprintf(stderr, "jfrec: process %d: copying its files on disk instead\n", j->jvm->pid);
	from_repository_copy_instead(j, h->repository, &h->part, o);
	return o->committed;
}

/* What the JVM could not dump for want of memory is stopped with the session, without a word. */
static int rescue(struct each_jvm *j, struct jfrec_jfr_started *started,
		  const struct dump_fetched *f, struct held *h, struct outfile *o, int status)
{
	bool has_file = status != EXIT_DIED && !f->size && bring_instead(j, h, o);

	if (has_file && f->no_memory)
		return EXIT_FAILED;
	status = leave(j, started, status);
	return has_file ? EXIT_FAILED : status;
}

static int bring_and_finish(struct each_jvm *j, const struct options *w,
			    struct jfrec_jfr_started *started, struct outfile *o, struct held *h)
{
	struct jfrec_jfr_option options[2];
	struct jfrec_error err;
	char id[24];
	struct dump_fetched f;
	size_t count = 0;
	int status;

	snprintf(id, sizeof(id), "%" PRIu64, started->id);
	options[count++] = (struct jfrec_jfr_option){ "name", id };
	if (jfr_opts_get(&w->args, "path-to-gc-roots"))
		options[count++] = (struct jfrec_jfr_option){ "path-to-gc-roots", "true" };
	jfrec_session_allow(j->session, attach_opts_whole_ms(&j->each->attach));
	status = dump_file_fetch(j, options, count, o, &f);
	if (status != EXIT_DONE)
		return rescue(j, started, &f, h, o, status_of_end(j, h, status));
	dump_file_report(j, o, f.size);
	return jfrec_jfr_stop_leased(j->session, started, &err) < 0 ? for_each_jvm_fail(j, &err)
							       : EXIT_DONE;
}

static int bring_held(const struct each_jvm *j, struct held *h, struct outfile *o)
{
	if (h->repository && from_repository_copy_held(j, h->repository, &h->part, o) != EXIT_DIED)
		return EXIT_DONE;
	if (!h->repository || !o->committed)
		fprintf(stderr,
			"jfrec: process %d exited while it was being recorded; nothing could be "
			"fetched\n",
			j->jvm->pid);
	return EXIT_DIED;
}

static int record_into(struct each_jvm *j, const struct options *w, struct outfile *o)
{
	struct held held = { .j = j, .part = { real_now_ns(), INT64_MAX, 0, false } };
	struct recording r = { .read_back = EXIT_DONE };
	struct crash_watch crash;
	struct interrupt before;
	enum wait_end end = WAIT_DIED;
	int status;

	allow_many_files();
	crashed_watch(&crash, j->jvm);
	/* Held from before the start on, so that it is never left without an end. */
	interrupt_hold(&before);
	status = start(j, w, &r);
	if (status == EXIT_DONE && w->is_default)
		fprintf(stderr,
			"jfrec: process %d: recording for %d s; --duration sets another time, and "
			"Ctrl-C ends it and keeps what is there\n",
			j->jvm->pid, DEFAULT_S);
	if (status == EXIT_DONE)
		end = interrupt_wait(j->jvm->pid, w->duration_ns, look, &held);
	interrupt_release(&before);
	if (status == EXIT_DONE)
		status = end == WAIT_DIED ? bring_held(j, &held, o)
					  : bring_and_finish(j, w, r.started, o, &held);
	/* Just then. */
	if ((status == EXIT_DIED || status == EXIT_NO_JVM) && end != WAIT_DIED && !o->committed)
		status = bring_held(j, &held, o);
	if (status == EXIT_DIED || end == WAIT_DIED)
		crashed_say(&crash, j->jvm->pid);
	crashed_fini(&crash);
	if (status == EXIT_DONE)
		status = r.read_back;
	if (status == EXIT_DONE && end == WAIT_INTERRUPTED)
		status = EXIT_INTERRUPTED - SIGINT + interrupt_noted();
	jfrec_repository_close(held.repository);
	jfrec_jfr_started_free(r.started);
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

/* What this command says itself cannot be --set. */
static int check(const struct command *self, const struct for_each_jvm *e, struct options *w)
{
	static const char *const ours[] = { "duration", "delay", "filename", "dumponexit" };

	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++) {
		if (jfr_opts_get(&w->args, ours[i]))
			return report_usage(self, "%s cannot be set here; see `jfrec start`",
					    ours[i]);
	}
	return outfile_check(&w->output, self, false, e->json);
}

static int record_one(const struct command *self, struct options *w, const struct opt_parser *p)
{
	int status = check(self, &w->each, w);

	w->is_default = !w->duration_ns;
	if (w->is_default)
		w->duration_ns = DEFAULT_S * NS_PER_SECOND;

	if (status == EXIT_DONE)
		status = jfr_opts_default_settings(&w->args, self, JFR_OPTS_RECORDED);
	if (status == EXIT_DONE)
		status = ignored_settings_check(&w->args, self);
	if (status == EXIT_DONE)
		status = for_each_jvm(&w->each, p, record, w);
	if (status == EXIT_NO_JVM && p->first_operand < p->argc)
		from_repository_name_if_gone(p->argv[p->first_operand]);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options w = { .each = { .command = self, .attach.whole = true } };
	int status = opt_parse(&p, &w) ? record_one(self, &w, &p) : p.status;

	jfr_opts_fini(&w.args);
	return status;
}

const struct command cmd_record = {
	.name = "record",
	.args = "TARGET",
	.examples = "  jfrec record Shop\n"
		    "  jfrec record --duration 5m --settings profile -o shop.jfr Shop\n",
	.summary = "record a JVM for a while and fetch the recording",
	.about =
		"Record a JVM for a while and copy the recording into a file.  Ctrl-C ends it\n"
		"early.  TARGET is a pid, or a part of the main class or jar.  In FILE, %p is the\n"
		"pid, %t the time, %h the host and %n the main class.  Prints the name of the\n"
		"file.",
	.opts = opts,
	.run = run,
};
