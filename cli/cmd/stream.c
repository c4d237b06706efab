/* SPDX-License-Identifier: MIT */
/*
 * stream.c - jfrec stream: print events while JVMs record them
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock_now.h"
#include "jfrec-tool.h"
#include "jvm/ignored_settings.h"
#include "opts/format_opts.h"
#include "opts/timearg.h"
#include "stream/loop.h"

#define DEFAULT_STACK_DEPTH 5

/* Of --metrics: rates and quantiles are those of so long a time, if nothing else is said. */
#define WINDOW_NS (60 * NS_PER_SECOND)

/* Of --analyze: too little can be said of less. */
#define SHORTEST_WINDOW_NS (5 * NS_PER_SECOND)

/* Of --on: between two commands, if nothing else is said. */
#define COOLDOWN_NS (60 * NS_PER_SECOND)

/* What was asked for. */
struct options {
	struct format_opts format;
	struct loop loop;
	int64_t from_ns;
	unsigned drops; /* events, if the output is read too slowly */
	int64_t cooldown_ns; /* 0: the default */
};

/* Options -------------------------------------------------------------------------------------- */

static int take_from(const struct opt_given *g, void *to)
{
	int64_t now = real_now_ns();
	struct options *w = to;
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
static int take_span(const struct opt_given *g, void *to)
{
	int64_t *ns = to;

	if (jfrec_parse_duration(g->value, ns) && *ns > 0 && *ns < INT64_MAX / 2)
		return EXIT_DONE;
	return opt_refuse(g, "a time such as 60s or 1.5m");
}

static int take_on(const struct opt_given *g, void *to)
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
static int take_exec(const struct opt_given *g, void *to)
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

static const struct opt_choice on_slow[] = { { "drop", true }, { "wait", false }, { 0 } };

/* clang-format off */
static const struct opt opts[] = {
	OPT_GROUP_MADE(stream_format_rows, struct options, format),
	OPT_GROUP(event_rows, struct options, loop.all.select),
	OPT_CALL_ALL(0, "from", "TIME", "from start, now, 10 minutes ago (-10m), or a time", take_from, NULL),
	OPT_CALL(0, "for", "TIME", "stop after this time, such as 60s", take_span, struct options, loop.all.for_ns),
	OPT_CALL(0, "duration", "TIME", "the same as --for", take_span, struct options, loop.all.for_ns),
	OPT_FLAG(0, "unordered", "do not sort the events of a flush by time", struct options, loop.all.stream.unordered),
	OPT_FLAG(0, "follow", "also follow matching JVMs that start later", struct options, loop.follows),
	OPT_CHOICE(0, "on-slow", "drop|wait", "if the output is read too slowly (default: wait)", struct options, drops, on_slow),
	OPT_CALL('s', "settings", "NAME|FILE", "start a recording: default, profile, a file", jfr_opts_take_settings, struct options, loop.all.args),
	OPT_CALL(0, "set", "KEY=VALUE", "change it: EVENT#SETTING=VALUE or OPTION=VALUE", jfr_opts_take_set, struct options, loop.all.args),
	OPT_GROUP(unchecked_rows, struct options, loop.all.args),
	OPT_NUMBER('d', "stack-depth", "N", "frames of a stack trace to print (default: 5)", struct options, loop.all.print.stack_depth),
	OPT_ONCE(0, "fields", "LIST", "NDJSON with these columns, as startTime,eventThread", struct options, loop.all.print.fields),
	OPT_FLAG(0, "flat", "NDJSON without nested objects: dotted keys", struct options, loop.all.print.flat),
	OPT_GROUP(shown_zone_rows, struct options, loop.all.select),
	OPT_CALL(0, "on", "EVENT[EXPR]", "run --exec when this event occurs", take_on, struct options, loop.all),
	OPT_CALL(0, "exec", "COMMAND", "command to run; gets the event as JSON", take_exec, struct options, loop.all),
	OPT_CALL(0, "cooldown", "TIME", "do not run it again for this long (default: 60s)", take_span, struct options, cooldown_ns),
	OPT_FLAG(0, "analyze", "report findings as they begin and end", struct options, loop.all.judging.is_wanted),
	OPT_CALL(0, "window", "TIME", "judge this much at a time (default: 60s)", take_span, struct options, loop.all.judging.window_ns),
	OPT_CHOICE(0, "min-severity", "info|warning", "report no less (default: warning)", struct options, loop.all.judging.least, asking_severities),
	OPT_CHOICE(0, "fail-on", "info|warning|never", "exit with 20 after a finding of this severity", struct options, loop.all.judging.fail_on, asking_failures),
	OPT_GROUP(asking_rows, struct options, loop.all.judging.asking),
	OPT_FLAG(0, "metrics", "print metrics of the last minute instead of events", struct options, loop.all.measures),
	OPT_ONCE(0, "listen", "ADDRESS:PORT", "serve metrics at an address such as 127.0.0.1:9464", struct options, loop.listen),
	OPT_STRING('o', "output", "FILE", "write metrics to FILE, for node_exporter", struct options, loop.file),
	OPT_CALL(0, "every", "TIME", "write FILE at this interval, such as 15s", take_span, struct options, loop.every_ns),
	OPT_GROUP_ALONE(memory_rows),
	OPT_GROUP(target_rows, struct options, loop.target),
	OPT_GROUP(attach_rows, struct options, loop.all.attach),
	{ 0 },
};
/* clang-format on */

/* Do they go together? ------------------------------------------------------------------------- */

static bool is_pid(const char *name)
{
	return !name[strspn(name, "0123456789")];
}

static int check_names(const struct options *w, const struct command *c)
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
static int check_settings(const struct options *w, const struct command *c)
{
	static const char *const ours[] = { "duration", "delay", "filename", "dumponexit", "disk" };

	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++) {
		if (jfr_opts_get(&w->loop.all.args, ours[i]))
			return report_usage(c, "%s cannot be set here; see `jfrec start`", ours[i]);
	}
	return ignored_settings_check(&w->loop.all.args, c);
}

/* What goes with commands, and with metrics. */
static int check_takers(const struct options *w, const struct command *c)
{
	const struct streaming *all = &w->loop.all;
	const struct jfrec_print_options *o = &all->print;

	if (all->trigger_count && !all->triggers[all->trigger_count - 1].command)
		return report_usage(c, "--on needs --exec");
	if (w->cooldown_ns && !all->trigger_count)
		return report_usage(c, "--cooldown needs --on");
	if (w->loop.listen && !all->measures)
		return report_usage(c, "--listen needs --metrics");
	if (w->loop.file && (!all->measures || w->loop.listen))
		return report_usage(c, "--output needs --metrics, and cannot be combined with "
				       "--listen");
	if (w->loop.every_ns && !w->loop.file)
		return report_usage(c, "--every needs --metrics and --output FILE");
	if (all->measures && (o->format != JFREC_TEXT || w->drops))
		return report_usage(c, "--metrics cannot be combined with another format or "
				       "--on-slow");
	if (all->measures && all->records && !w->loop.listen && !w->loop.every_ns && !all->for_ns)
		return report_usage(c,
				    "--metrics with --settings needs time to record: add "
				    "--for 10s, or --listen");
	return EXIT_DONE;
}

/* What goes with --analyze. */
static int check_judging(const struct options *w, const struct command *c)
{
	const struct streaming *all = &w->loop.all;
	const struct judging_opts *j = &all->judging;
	enum jfrec_format format = all->print.format;

	if (!j->is_wanted && (j->window_ns || j->least || j->fail_on || asking_is_given(&j->asking)))
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

static int check_formats(const struct options *w, const struct command *c)
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

static int check(const struct options *w, const struct command *c)
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
static void settle(struct options *w)
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
static void take_words(struct options *w, const struct opt_parser *p)
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
static int prepare_judging(struct options *w, const struct command *c)
{
	struct asking_opts *o = &w->loop.all.judging.asking;
	int status = w->loop.all.judging.is_wanted ? asking_read(o) : EXIT_DONE;
	struct jfrec_analysis_options how = { .struct_size = sizeof(how) };
	struct jfrec_error err = { 0 };
	struct jfrec_analysis *a;

	if (status != EXIT_DONE)
		return status;
	how.rules = o->own_rules;
	a = jfrec_analysis_new(&how, &err);
	if (!a || asking_apply(o, a, &err) < 0)
		status = report_usage(c, "%s", failure_text(&err));
	jfrec_analysis_free(a);
	return status;
}

static int stream(const struct command *self, struct options *w, const struct opt_parser *p)
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

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options w = { .loop.all = { .command = self,
					   .stream.struct_size = sizeof(struct jfrec_stream_options),
					   .print.struct_size = sizeof(struct jfrec_print_options),
					   .print.stack_depth = DEFAULT_STACK_DEPTH } };
	struct streaming *all = &w.loop.all;
	int status = opt_parse(&p, &w) ? stream(self, &w, &p) : p.status;

	sink_fini(&all->sink);
	jfr_opts_fini(&all->args);
	for (unsigned i = 0; i < all->trigger_count; i++)
		trigger_fini(&all->triggers[i]);
	turned_fini(&all->judging.turned);
	asking_fini(&all->judging.asking);
	return status;
}

const struct command cmd_stream = {
	.name = "stream",
	.args = "TARGET|DIRECTORY|FILE...",
	.examples = "  jfrec stream --events GarbageCollection Shop\n"
		    "  jfrec stream --ndjson --where 'duration > 1 s' Shop\n",
	.summary = "print events as JVMs record them",
	.about =
		"Print events while JVMs record them, about a second after they occurred, by\n"
		"reading the repository, without attaching.  TARGET is a pid, or a part of the\n"
		"main class or jar; DIRECTORY is a repository, also of a JVM that was killed.\n"
		"Ctrl-C ends the stream.\n"
		"\n"
		"A FILTER is a list of names separated by commas, in which * stands for any text\n"
		"and ? for one character.  jfrec-where(7) describes what EXPR can be.",
	.opts = opts,
	.run = run,
};
