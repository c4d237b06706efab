/* SPDX-License-Identifier: MIT */
/*
 * stream_opts.c - options of the commands that follow JVMs: stream, watch and metrics
 */
#include "stream/stream_opts.h"

#include <string.h>

#include "base/clock_now.h"
#include "jfrec-tool.h"
#include "jvm/ignored_settings.h"

#define DEFAULT_STACK_DEPTH 5

/* Of --metrics: rates and quantiles are those of so long a time, if nothing else is said. */
#define WINDOW_NS (60 * NS_PER_SECOND)

/* Of --analyze: too little can be said of less. */
#define SHORTEST_WINDOW_NS (5 * NS_PER_SECOND)

/* Of --on: between two commands, if nothing else is said. */
#define COOLDOWN_NS (60 * NS_PER_SECOND)

/* Options -------------------------------------------------------------------------------------- */

static int take_from(const struct opt_given *g, void *to)
{
	int64_t now = real_now_ns();
	struct stream_opts *w = to;
	struct jfrec_time t;

	w->loop.all.stream.from_ns = &w->from_ns;
	if (strcmp(g->value, "now") == 0)
		w->loop.all.stream.from_ns = NULL;
	else if (strcmp(g->value, "start") == 0)
		w->from_ns = INT64_MIN;
	else if (jfrec_time_parse(g->value, &t) && t.base != JFREC_SINCE_START &&
		 t.base != JFREC_TIME_OF_DAY)
		w->from_ns = jfrec_time_resolve(&t, now, now);
	else
		return opt_refuse(g, "start, now, -10m or a time");
	return EXIT_DONE;
}

/* A time in the JVM's notation: 60s, 5m. */
int stream_take_span(const struct opt_given *g, void *to)
{
	int64_t *ns = to;

	if (jfrec_parse_duration(g->value, ns) && *ns > 0 && *ns < INT64_MAX / 2)
		return EXIT_DONE;
	return opt_refuse(g, "a time such as 60s or 1.5m");
}

int stream_take_on(const struct opt_given *g, void *to)
{
	struct streaming *all = to;

	if (all->trigger_count == MAX_TRIGGERS)
		return report_usage(g->command, "--on can be given %d times", MAX_TRIGGERS);
	if (trigger_parse(&all->triggers[all->trigger_count], g->command, g->value) != EXIT_DONE)
		return EXIT_USAGE;
	all->trigger_count++;
	return EXIT_DONE;
}

/* The command for all --on before it that have none yet, or for --analyze. */
int stream_take_exec(const struct opt_given *g, void *to)
{
	struct streaming *all = to;
	struct trigger *judging = &all->judging.turned.trigger;
	unsigned i = all->trigger_count;
	bool has_all = i == 0 || all->triggers[i - 1].command;

	if (has_all && all->judging.is_wanted && !judging->command) {
		judging->command = g->value;
		return EXIT_DONE;
	}
	if (has_all)
		return report_usage(g->command,
				    "give --exec after the --on or --analyze that it belongs to");
	while (i > 0 && !all->triggers[i - 1].command)
		all->triggers[--i].command = g->value;
	return EXIT_DONE;
}

/* clang-format off */
const struct opt follow_rows[] = {
	OPT_CALL_ALL(0, "from", "TIME", "from start, now, 10 minutes ago (-10m), or a time", take_from, NULL),
	OPT_CALL(0, "for", "TIME", "stop after this time, such as 60s", stream_take_span, struct stream_opts, loop.all.for_ns),
	OPT_CALL(0, "duration", "TIME", "the same as --for", stream_take_span, struct stream_opts, loop.all.for_ns),
	OPT_FLAG(0, "follow", "also follow matching JVMs that start later", struct stream_opts, loop.follows),
	OPT_CALL('s', "settings", "NAME|FILE", "start a recording: default, profile, a file", jfr_opts_take_settings, struct stream_opts, loop.all.args),
	OPT_CALL(0, "set", "KEY=VALUE", "change it: EVENT#SETTING=VALUE or OPTION=VALUE", jfr_opts_take_set, struct stream_opts, loop.all.args),
	OPT_GROUP(unchecked_rows, struct stream_opts, loop.all.args),
	{ 0 },
};

const struct opt judging_rows[] = {
	OPT_CALL(0, "window", "TIME", "judge this much at a time (default: 60s)", stream_take_span, struct stream_opts, loop.all.judging.window_ns),
	OPT_CHOICE(0, "min-severity", "info|warning", "report no less (default: warning)", struct stream_opts, loop.all.judging.least, asking_severities),
	OPT_CHOICE(0, "fail-on", "info|warning|never", "exit with 20 after a finding of this severity", struct stream_opts, loop.all.judging.fail_on, asking_failures),
	OPT_GROUP(asking_rows, struct stream_opts, loop.all.judging.asking),
	{ 0 },
};

const struct opt metrics_rows[] = {
	OPT_ONCE(0, "listen", "ADDRESS:PORT", "serve metrics at an address such as 127.0.0.1:9464", struct stream_opts, loop.listen),
	OPT_STRING('o', "output", "FILE", "write metrics to FILE, for node_exporter", struct stream_opts, loop.file),
	OPT_CALL(0, "every", "TIME", "write FILE at this interval, such as 15s", stream_take_span, struct stream_opts, loop.every_ns),
	{ 0 },
};
/* clang-format on */

/* Do they go together? ------------------------------------------------------------------------- */

static bool is_pid(const char *name)
{
	return !name[strspn(name, "0123456789")];
}

static int check_names(const struct stream_opts *w, const struct command *c)
{
	for (int i = 0; i < w->loop.name_count; i++) {
		const char *name = w->loop.names[i];

		if (strcmp(name, "-") == 0)
			return report_usage(c, "standard input cannot be followed; use `jfrec "
					       "print -`");
		if (w->loop.follows && (loop_is_path(name) || is_pid(name)))
			return report_usage(c,
					    "--follow needs a name that the next JVM will have, "
					    "too, not %s",
					    name);
		if (w->loop.all.records && loop_is_path(name))
			return report_usage(c, "--settings needs a JVM, not %s", name);
	}
	return EXIT_DONE;
}

/* What this command says itself cannot be --set. */
static int check_settings(const struct stream_opts *w, const struct command *c)
{
	static const char *const ours[] = { "duration", "delay", "filename", "dumponexit", "disk" };

	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++) {
		if (jfr_opts_get(&w->loop.all.args, ours[i]))
			return report_usage(c, "%s cannot be set here; see `jfrec start`", ours[i]);
	}
	return ignored_settings_check(&w->loop.all.args, c);
}

/* What goes with commands, and with metrics. */
static int check_takers(const struct stream_opts *w, const struct command *c)
{
	const struct streaming *all = &w->loop.all;
	const struct jfrec_print_options *o = &all->print;

	if (all->trigger_count && !all->triggers[all->trigger_count - 1].command)
		return report_usage(c, "--on needs --exec");
	if (w->cooldown_ns && !all->trigger_count)
		return report_usage(c, "--cooldown needs --on");
	if (w->loop.listen && !all->measures)
		return report_usage(c, "--listen needs --metrics");
	if (w->loop.file && !all->measures)
		return report_usage(c, "--output needs --metrics");
	if (w->loop.file && w->loop.listen)
		return report_usage(c, "--output cannot be combined with --listen");
	if (w->loop.every_ns && !w->loop.file)
		return report_usage(c, "--every needs %s--output FILE",
				    all->measures ? "" : "--metrics and ");
	if (all->measures && (o->format != JFREC_TEXT || w->drops))
		return report_usage(c, "--metrics cannot be combined with another format or "
				       "--on-slow");
	if (all->measures && all->records && !w->loop.listen && !w->loop.every_ns && !all->for_ns)
		return report_usage(c, "a recording that is started for metrics needs time: add "
				       "--for 10s, or --listen");
	return EXIT_DONE;
}

/* What goes with --analyze. */
static int check_judging(const struct stream_opts *w, const struct command *c)
{
	const struct streaming *all = &w->loop.all;
	const struct rule_opts *j = &all->judging;
	enum jfrec_format format = all->print.format;

	if (!j->is_wanted &&
	    (j->window_ns || j->least || j->fail_on || asking_is_given(&j->asking)))
		return report_usage(c, "--window, --min-severity, --fail-on, --only, --ignore, "
				       "--limit, --limits and --rules need --analyze");
	if (!j->is_wanted)
		return EXIT_DONE;
	if (all->measures || w->drops || !event_opts_is_all(&all->select) ||
	    (format != JFREC_TEXT && format != JFREC_NDJSON))
		return report_usage(c, "--analyze takes text or --ndjson, and cannot be combined "
				       "with --metrics, --on-slow or options that select events");
	if (j->window_ns && j->window_ns < SHORTEST_WINDOW_NS)
		return report_usage(c, "--window takes at least 5s");
	if (j->fail_on && j->fail_on < (j->least ? j->least : JFREC_SEVERITY_WARNING))
		return report_usage(c, "--fail-on info needs --min-severity info");
	return EXIT_DONE;
}

static int check_formats(const struct stream_opts *w, const struct command *c)
{
	const struct jfrec_print_options *o = &w->loop.all.print;
	bool has_many = w->loop.name_count > 1 || w->loop.target.all || w->loop.follows;

	if ((o->fields && !format_can(o->format, JFREC_FORMAT_FIELDS)) ||
	    (o->flat && !format_can(o->format, JFREC_FORMAT_FLAT)))
		return report_usage(c, "--fields and --flat need --ndjson");
	if (format_can(o->format, JFREC_FORMAT_DOCUMENT) && (has_many || w->loop.all.trigger_count))
		return report_usage(c, "--%s prints one document, of a single source; use --ndjson",
				    w->format.info->name);
	return EXIT_DONE;
}

static int check(const struct stream_opts *w, const struct command *c)
{
	int status = check_takers(w, c);

	if (status == EXIT_DONE)
		status = check_judging(w, c);
	if (status == EXIT_DONE)
		status = check_formats(w, c);
	if (status != EXIT_DONE)
		return status;
	if (w->loop.name_count == 0 && target_is_any(&w->loop.target) && !w->loop.target.all)
		return report_usage(c, "name a JVM, by its pid or a part of its main class or jar, "
				       "or a directory");
	status = check_names(w, c);
	return status == EXIT_DONE ? check_settings(w, c) : status;
}

/* What follows from what was said. */
static void settle(struct stream_opts *w)
{
	struct streaming *all = &w->loop.all;
	int64_t now = real_now_ns();
	bool goes_on = w->loop.listen || w->loop.every_ns;

	/* With commands, what fits them is printed, unless it was said what is. */
	all->prints = !all->measures && !all->judging.is_wanted &&
		      (!all->trigger_count || !event_opts_is_all(&all->select));
	if (!all->judging.window_ns)
		all->judging.window_ns = WINDOW_NS;
	for (unsigned i = 0; i < all->trigger_count; i++)
		all->triggers[i].cooldown_ns = w->cooldown_ns ? w->cooldown_ns : COOLDOWN_NS;
	if (!all->measures)
		return;
	all->stream.unordered = true;
	all->window_ns = WINDOW_NS;
	w->loop.once = !goes_on && !all->for_ns;
	if (w->loop.once && !all->stream.from_ns) {
		w->from_ns = now - WINDOW_NS;
		all->stream.from_ns = &w->from_ns;
	}
	/* At the end, all of it; while it is served, the last minute. */
	if (!goes_on && all->stream.from_ns)
		all->window_ns = w->from_ns > 0 ? now - w->from_ns + all->for_ns : now;
	else if (!goes_on)
		all->window_ns = all->for_ns;
}

/* What follows from single options. */
static void take_words(struct stream_opts *w, const struct opt_parser *p)
{
	struct streaming *all = &w->loop.all;

	w->loop.names = p->argv + p->first_operand;
	w->loop.name_count = p->argc - p->first_operand;
	all->print.format = format_opts_get(&w->format);
	all->records = all->args.count || all->args.file_count;
	if (all->select.has_zone) {
		all->print.zone = zone_offset;
		all->print.zone_ctx = &all->select.zone;
	}
}

/* Read the files of rules, and find out what is wrong with them before anything is followed. */
static int prepare_judging(struct stream_opts *w, const struct command *c)
{
	struct asking_opts *o = &w->loop.all.judging.asking;
	int status = w->loop.all.judging.is_wanted ? asking_read(o) : EXIT_DONE;
	struct jfrec_analysis_options how = { .struct_size = sizeof(how) };
	struct jfrec_error err = { 0 };
	struct jfrec_analysis *a;

	if (status != EXIT_DONE)
		return status;
	how.rules = o->user_rules;
	a = jfrec_analysis_new(&how, &err);
	if (!a || asking_apply(o, a, &err) < 0)
		status = report_usage(c, "%s", failure_text(&err));
	jfrec_analysis_free(a);
	return status;
}

static int stream(const struct command *self, struct stream_opts *w, const struct opt_parser *p)
{
	int status;

	take_words(w, p);
	status = check(w, self);
	if (status != EXIT_DONE)
		return status;
	settle(w);
	status = prepare_judging(w, self);
	if (status != EXIT_DONE)
		return status;
	sink_init(&w->loop.all.sink, w->drops);
	return loop_run(&w->loop, self);
}

int stream_run(const struct command *self, int argc, char **argv, struct stream_opts *o)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct streaming *all = &o->loop.all;
	int status;

	all->command = self;
	all->stream.struct_size = sizeof(all->stream);
	all->print.struct_size = sizeof(all->print);
	all->print.stack_depth = DEFAULT_STACK_DEPTH;
	status = opt_parse(&p, o) ? stream(self, o, &p) : p.status;
	sink_fini(&all->sink);
	jfr_opts_fini(&all->args);
	for (unsigned i = 0; i < all->trigger_count; i++)
		trigger_fini(&all->triggers[i]);
	turned_fini(&all->judging.turned);
	asking_fini(&all->judging.asking);
	return status;
}
