/* SPDX-License-Identifier: MIT */
/*
 * collect.c - jfrec collect: copy the recordings of many JVMs into one directory
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock_now.h"
#include "base/human.h"
#include "base/many_files.h"
#include "base/notify.h"
#include "base/report.h"
#include "collect/collect.h"
#include "jfrec-tool.h"
#include "opts/output_opts.h"

struct options {
	const char *config;
	bool check, dry_run, reap, quiet, json;
	int64_t interval_ns; /* 0: one pass */
};

static int take_interval(const struct opt_given *g, void *to)
{
	int64_t *ns = to;

	if (jfrec_parse_duration(g->value, ns) && *ns >= NS_PER_SECOND)
		return EXIT_DONE;
	return opt_refuse(g, "a number and a unit, at least 1s, such as 30s or 5m");
}

/* clang-format off */
static const struct opt opts[] = {
	OPT_STRING('c', "config", "FILE", "what to collect: jfrec-collect(5)", struct options, config),
	OPT_FLAG(0, "check", "only check FILE for mistakes", struct options, check),
	OPT_FLAG('n', "dry-run", "change nothing, print what would be done", struct options, dry_run),
	OPT_CALL(0, "interval", "TIME", "repeat at this interval, such as 1m", take_interval, struct options, interval_ns),
	OPT_FLAG(0, "reap", "remove collected repositories of exited JVMs", struct options, reap),
	OPT_GROUP_ALONE(memory_rows),
	OPT_FLAG('q', "quiet", "print only failures", struct options, quiet),
	OPT_FLAG('j', "json", "print a JSON document for each pass", struct options, json),
	{ 0 },
};
/* clang-format on */

/* The report on a pass. */
struct telling {
	const struct options *w;
	json_t *news; /* or NULL: text */
	size_t files, failed;
};

/* What is told --------------------------------------------------------------------------------- */

static const char *const names[] = {
	[COLLECTED_FILE] = "file", [COLLECTED_STARTED] = "started", [COLLECTED_DROPPED] = "dropped",
	[COLLECTED_REPORTED] = "reported", [COLLECTED_EXPORTED] = "exported",
	[COLLECTED_RAN] = "ran",   [COLLECTED_REAPED] = "reaped",   [COLLECTED_FAILED] = "failed",
	[COLLECTED_EMPTY] = "empty",
};

static void set_text(json_t *o, const char *key, const char *text)
{
	if (text)
		json_object_set_new(o, key, text_json(text));
}

static void set_number(json_t *o, const char *key, uint64_t n)
{
	if (n)
		json_object_set_new(o, key, json_integer((json_int_t)n));
}

static json_t *news_json(const struct collected_news *n)
{
	json_t *o = json_pack("{s:s}", "what", names[n->what]);
	char text[40];

	set_text(o, "path", n->path);
	set_number(o, "pid", (uint64_t)n->pid);
	set_text(o, "main", n->main);
	set_number(o, "recording", n->recording);
	set_number(o, "bytes", n->bytes);
	set_text(o, "text", n->text);
	if (n->what != COLLECTED_FILE)
		return o;
	json_object_set_new(o, "leftover", json_boolean(n->is_leftover));
	json_object_set_new(o, "chunks", json_integer((json_int_t)n->chunks));
	json_object_set_new(o, "completed", json_integer((json_int_t)n->completed));
	json_object_set_new(o, "unreadable", json_integer((json_int_t)n->unreadable));
	set_text(o, "from", iso_time(text, sizeof(text), n->start_ns));
	set_text(o, "to", iso_time(text, sizeof(text), n->end_ns));
	return o;
}

static void print_failure(const struct collected_news *n)
{
	fputs("jfrec: ", stderr);
	if (n->pid && strncmp(n->text, "process ", strlen("process ")) != 0)
		fprintf(stderr, "process %d: ", n->pid);
	if (n->path) {
		put_name(stderr, n->path);
		fputs(": ", stderr);
	}
	put_name(stderr, n->text);
	fputc('\n', stderr);
}

static void print_file(const struct collected_news *n)
{
	char bytes[HUMAN_MAX];

	if (n->path)
		print_name(n->path);
	printf(": %zu chunk%s of %sprocess %d (", n->chunks, n->chunks == 1 ? "" : "s",
	       n->is_leftover ? "dead " : "", n->pid);
	print_name(n->main);
	printf("), %s", human_bytes(bytes, (double)n->bytes));
	if (n->completed)
		printf(", %zu of them completed", n->completed);
	if (n->unreadable)
		printf("; %zu had nothing readable", n->unreadable);
	putchar('\n');
}

static void print_news(const struct collected_news *n, bool dry_run)
{
	char bytes[HUMAN_MAX];

	if (n->what == COLLECTED_FILE) {
		print_file(n);
	} else if (n->what == COLLECTED_STARTED) {
		printf("process %d (", n->pid);
		print_name(n->main);
		if (dry_run)
			puts("): a recording would be started");
		else
			printf("): recording %" PRIu64 " started\n", n->recording);
	} else if (n->what == COLLECTED_EMPTY) {
		puts(n->text);
	} else {
		print_name(n->path);
		if (n->what == COLLECTED_DROPPED || n->what == COLLECTED_REPORTED)
			printf(": %s, %s\n",
			       n->what == COLLECTED_DROPPED ? "removed to keep the limits"
							    : "report written",
			       human_bytes(bytes, (double)n->bytes));
		else
			puts(n->what == COLLECTED_RAN	     ? ": the command was run"
			     : n->what == COLLECTED_EXPORTED ? ": tables written"
							     : ": repository of a dead JVM removed");
	}
}

static void on_news(void *ctx, const struct collected_news *n)
{
	struct telling *t = ctx;

	t->files += n->what == COLLECTED_FILE;
	t->failed += n->what == COLLECTED_FAILED;
	if (t->news)
		json_array_append_new(t->news, news_json(n));
	if (n->what == COLLECTED_FAILED && !n->is_known)
		print_failure(n);
	else if (n->what != COLLECTED_FAILED && !t->news && !t->w->quiet)
		print_news(n, t->w->dry_run);
}

static int print_pass(const struct telling *t, const char *directory, const char *failure)
{
	json_t *o;

	if (!t->news)
		return finish_stdout();
	o = envelope_of("collect", json_pack("{s:o, s:O, s:o}", "directory", text_json(directory),
					     "news", t->news, "ended", text_json(failure)));
	if (!t->w->interval_ns)
		return print_json(o);
	/* One on a line, so that a reader knows where each ends. */
	json_dumpf(o, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(o);
	return finish_stdout();
}

/* Signals -------------------------------------------------------------------------------------- */

static struct collector *volatile at_work;
static volatile sig_atomic_t noted;
static int wake = -1;

static void on_signal(int signal)
{
	static const uint64_t one = 1;
	int before = errno;

	noted = signal;
	if (at_work)
		collector_stop(at_work);
	(void)!write(wake, &one, sizeof(one));
	errno = before;
}

static void catch_signals(struct collector *c)
{
	struct sigaction action = { .sa_handler = on_signal };

	wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	at_work = c;
	signal(SIGXFSZ, SIG_IGN);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

/* Until that time, or a signal. */
static void wait_until(int64_t ns)
{
	struct pollfd p = { .fd = wake, .events = POLLIN };
	int64_t left;

	while (!noted && (left = ns - monotonic_now_ns()) > 0)
		poll(&p, 1, left / 1000000 < 3600000 ? (int)(left / 1000000) + 1 : 3600000);
}

/* Passes --------------------------------------------------------------------------------------- */

static bool is_full(const struct jfrec_error *err)
{
	return err->sys == ENOSPC || err->sys == EDQUOT || err->sys == EFBIG;
}

static int pass(struct collector *c, const struct options *w)
{
	struct telling t = { .w = w, .news = w->json ? json_array() : NULL };
	struct collector_options options = {
		.reap = w->reap, .is_last = !w->interval_ns, .fn = on_news, .ctx = &t
	};
	struct jfrec_error err = { 0 };
	int ret = collector_pass(c, &options, &err), status, printed;
	char text[100];

	if (ret < 0)
		say(collector_directory(c), failure_text(&err));
	status = ret == 0 ? EXIT_DONE : ret < 0 && is_full(&err) ? EXIT_FULL : EXIT_FAILED;
	printed = print_pass(&t, collector_directory(c), ret < 0 ? err.text : NULL);
	json_decref(t.news);
	snprintf(text, sizeof(text), "STATUS=%zu new files, %zu failures in the last pass", t.files,
		 t.failed + (ret < 0));
	notify(text);
	return status == EXIT_DONE ? printed : status;
}

/* A service: what fails is tried again, and it ends when it is told to. */
static int serve(struct collector *c, const struct options *w)
{
	int64_t next = monotonic_now_ns();

	notify("READY=1");
	while (!noted) {
		pass(c, w);
		/* After a pass that took long, not several at once. */
		next += w->interval_ns;
		if (next < monotonic_now_ns())
			next = monotonic_now_ns();
		wait_until(next);
	}
	notify("STOPPING=1");
	return EXIT_DONE;
}

static int collect(const struct options *w)
{
	struct jfrec_error err;
	struct collector *c = collector_open(w->config, w->dry_run, &err);
	int status;

	if (!c) {
		say(w->config, err.text);
		return is_full(&err) ? EXIT_FULL : exit_of(err.code);
	}
	allow_many_files();
	catch_signals(c);
	if (w->interval_ns) {
		status = serve(c, w);
	} else {
		status = pass(c, w);
		if (noted)
			status = 128 + noted;
	}
	at_work = NULL;
	collector_close(c);
	return status;
}

static int check(const struct options *w)
{
	struct jfrec_error err;

	if (collector_check(w->config, &err) == 0)
		return EXIT_DONE;
	say(w->config, err.text);
	return exit_of(err.code);
}

/* ---------------------------------------------------------------------------------------------- */

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options w = { 0 };

	if (!opt_parse(&p, &w))
		return p.status;
	if (!w.config || p.argc > p.first_operand)
		return report_usage(self, "name the configuration, and nothing else: -c FILE");
	if (w.interval_ns && w.dry_run)
		return report_usage(self, "--dry-run runs a single pass, without --interval");
	return w.check ? check(&w) : collect(&w);
}

const struct command cmd_collect = {
	.name = "collect",
	.args = "-c FILE",
	.examples = "  jfrec collect -c collect.yaml\n"
		    "  jfrec collect --dry-run -c collect.yaml\n",
	.summary = "copy the recordings of many JVMs into one directory",
	.about =
		"Copy the recordings of the JVMs of this host into one directory, each chunk\n"
		"exactly once, and keep it within limits: in one pass, for cron, or with\n"
		"--interval as a service.  Recordings of JVMs that were killed are included.",
	.opts = opts,
	.run = run,
};
