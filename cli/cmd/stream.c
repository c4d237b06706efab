/* SPDX-License-Identifier: MIT */
/*
 * stream.c - jfrec stream: print events while JVMs record them
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/clock_now.h"
#include "common/ignored_settings.h"
#include "opts/timearg.h"
#include "stream/loop.h"

#define DEFAULT_STACK_DEPTH 5

/* Of --metrics: rates and quantiles are those of so long a time, if nothing else is said. */
#define WINDOW_NS (60 * NS_PER_SECOND)

/* Of --on: between two commands, if nothing else is said. */
#define COOLDOWN_NS (60 * NS_PER_SECOND)

enum {
	OPT_NDJSON = 256,
	OPT_FIELDS,
	OPT_FLAT,
	OPT_FOR,
	OPT_UNORDERED,
	OPT_FOLLOW,
	OPT_ON_SLOW,
	OPT_SET,
	OPT_ON,
	OPT_EXEC,
	OPT_COOLDOWN,
	OPT_METRICS,
	OPT_LISTEN,
	OPT_EVERY,
};

/* clang-format off */
static const struct opt opts[] = {
	{ 'j', "json", NULL, "print JSON: one document, of one source" },
	{ OPT_NDJSON, "ndjson", NULL, "print a line of JSON for each event" },
	EVENT_TYPE_OPTS,
	{ OPT_FROM, "from", "TIME", "from start, now, 10 minutes ago (-10m), or a time" },
	{ OPT_FOR, "for", "TIME", "stop after this time, such as 60s" },
	{ OPT_UNORDERED, "unordered", NULL, "do not sort the events of a flush by time" },
	{ OPT_FOLLOW, "follow", NULL, "also follow matching JVMs that start later" },
	{ OPT_ON_SLOW, "on-slow", "drop|wait", "if the output is read too slowly (default: wait)" },
	{ 's', "settings", "NAME|FILE", "start a recording: default, profile, a file" },
	{ OPT_SET, "set", "KEY=VALUE", "change it: EVENT#SETTING=VALUE or OPTION=VALUE" },
	UNCHECKED_OPT,
	{ 'd', "stack-depth", "N", "frames of a stack trace to print (default: 5)" },
	{ OPT_FIELDS, "fields", "LIST", "NDJSON with these columns, as startTime,eventThread" },
	{ OPT_FLAT, "flat", NULL, "NDJSON without nested objects: dotted keys" },
	{ OPT_UTC, "utc", NULL, "show times in UTC, not in the recording's zone" },
	{ OPT_TZ, "tz", "ZONE", "show times in a zone: Europe/Berlin or +05:30" },
	{ OPT_ON, "on", "EVENT[EXPR]", "run --exec when this event occurs" },
	{ OPT_EXEC, "exec", "COMMAND", "command to run; gets the event as JSON" },
	{ OPT_COOLDOWN, "cooldown", "TIME", "do not run it again for this long (default: 60s)" },
	{ OPT_METRICS, "metrics", NULL, "print metrics of the last minute instead of events" },
	{ OPT_LISTEN, "listen", "ADDRESS:PORT", "serve metrics at an address such as 127.0.0.1:9464" },
	{ 'o', "output", "FILE", "write metrics to FILE, for node_exporter" },
	{ OPT_EVERY, "every", "TIME", "write FILE at this interval, such as 15s" },
	OPT_GROUP_ALONE(memory_rows),
	TARGET_OPTS,
	ATTACH_OPTS,
	{ 0 },
};
/* clang-format on */

/* What was asked for. */
struct options {
	struct loop loop;
	struct zone zone;
	int64_t from_ns;
	bool drops;
	int64_t cooldown_ns; /* 0: the default */
};

/* Options -------------------------------------------------------------------------------------- */

static int wrong(int status)
{
	return status == EXIT_DONE ? 1 : -1;
}

static int take_from(struct options *w, const struct command *c, const char *value)
{
	int64_t now = real_now_ns();
	struct jfrec_time t;

	w->loop.all.stream.from_ns = &w->from_ns;
	if (strcmp(value, "now") == 0)
		w->loop.all.stream.from_ns = NULL;
	else if (strcmp(value, "start") == 0)
		w->from_ns = INT64_MIN;
	else if (jfrec_time_parse(value, &t) && t.base != JFREC_SINCE_START &&
		 t.base != JFREC_TIME_OF_DAY)
		w->from_ns = jfrec_time_resolve(&t, now, now);
	else
		return wrong(
			report_usage(c, "--from takes start, now, -10m or a time, not %s", value));
	return 1;
}

static int take_on_slow(struct options *w, const struct command *c, const char *value)
{
	w->drops = strcmp(value, "drop") == 0;
	if (w->drops || strcmp(value, "wait") == 0)
		return 1;
	return wrong(report_usage(c, "--on-slow takes drop or wait, not %s", value));
}

static int take_depth(struct options *w, const struct command *c, const char *value)
{
	char *end;
	long depth;

	errno = 0;
	depth = strtol(value, &end, 10);
	if (*end || end == value || errno || depth < 0 || depth > INT_MAX)
		return wrong(
			report_usage(c, "--stack-depth takes a number from 0 on, not %s", value));
	w->loop.all.print.stack_depth = (unsigned)depth;
	return 1;
}

static int take_zone(struct options *w, const struct command *c, const char *value)
{
	char fault[256];

	if (!zone_parse(value, &w->zone)) {
		zone_fault(value, fault, sizeof(fault));
		return wrong(report_usage(c, "%s", fault));
	}
	w->loop.all.print.zone = zone_offset;
	return 1;
}

static int take_format(struct options *w, const struct command *c, enum jfrec_format format)
{
	if (w->loop.all.print.format != JFREC_TEXT && w->loop.all.print.format != format)
		return wrong(report_usage(c, "only one format can be given"));
	w->loop.all.print.format = format;
	return 1;
}

/* A time in the JVM's notation: 60s, 5m. */
static int take_span(int64_t *ns, const struct command *c, const char *option, const char *value)
{
	if (jfrec_parse_duration(value, ns) && *ns > 0 && *ns < INT64_MAX / 2)
		return 1;
	return wrong(report_usage(c, "--%s takes a time such as 60s or 5m, not %s", option, value));
}

static int take_on(struct options *w, const struct command *c, const char *value)
{
	struct streaming *all = &w->loop.all;

	if (all->trigger_count == MAX_TRIGGERS)
		return wrong(report_usage(c, "--on can be given %d times", MAX_TRIGGERS));
	if (trigger_parse(&all->triggers[all->trigger_count], c, value) != EXIT_DONE)
		return -1;
	all->trigger_count++;
	return 1;
}

/* The command for all --on in front of it that have none yet. */
static int take_exec(struct options *w, const struct command *c, const char *value)
{
	struct streaming *all = &w->loop.all;
	unsigned i = all->trigger_count;

	if (i == 0 || all->triggers[i - 1].command)
		return wrong(report_usage(c, "--exec follows the --on that it is for"));
	while (i > 0 && !all->triggers[i - 1].command)
		all->triggers[--i].command = value;
	return 1;
}

static int take_own(struct options *w, const struct command *c, int letter, const char *value)
{
	switch (letter) {
	case 'j':
		return take_format(w, c, JFREC_JSON);
	case OPT_NDJSON:
		return take_format(w, c, JFREC_NDJSON);
	case OPT_FIELDS:
		return wrong(set_once(c, &w->loop.all.print.fields, "fields", value));
	case OPT_FLAT:
		return w->loop.all.print.flat = true;
	case OPT_FROM:
		return take_from(w, c, value);
	case OPT_FOR:
		return take_span(&w->loop.all.for_ns, c, "for", value);
	case OPT_UNORDERED:
		return w->loop.all.stream.unordered = true;
	case OPT_FOLLOW:
		return w->loop.follows = true;
	case OPT_ON_SLOW:
		return take_on_slow(w, c, value);
	case 'd':
		return take_depth(w, c, value);
	case OPT_ON:
		return take_on(w, c, value);
	case OPT_EXEC:
		return take_exec(w, c, value);
	case OPT_COOLDOWN:
		return take_span(&w->cooldown_ns, c, "cooldown", value);
	case OPT_METRICS:
		return w->loop.all.measures = true;
	case OPT_LISTEN:
		return wrong(set_once(c, &w->loop.listen, "listen", value));
	case 'o':
		w->loop.file = value;
		return 1;
	case OPT_EVERY:
		return take_span(&w->loop.every_ns, c, "every", value);
	case OPT_UTC:
		return take_zone(w, c, "UTC");
	case OPT_TZ:
		return take_zone(w, c, value);
	case 's':
		w->loop.all.records = true;
		return jfr_opts_settings(&w->loop.all.args, c, value) < 0 ? -1 : 1;
	case OPT_SET:
		w->loop.all.records = true;
		return jfr_opts_set(&w->loop.all.args, c, value) < 0 ? -1 : 1;
	case OPT_UNCHECKED:
		return w->loop.all.args.unchecked = true;
	default:
		return 0;
	}
}

static int take(struct options *w, const struct command *c, int letter, const char *value)
{
	int taken = take_own(w, c, letter, value);

	if (!taken)
		taken = event_opts_take_option(&w->loop.all.select, c, letter, value);
	if (!taken && target_take_option(&w->loop.target, letter, value))
		taken = 1;
	return taken ? taken : attach_opts_take_option(&w->loop.all.attach, c, letter, value);
}

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
					    "--follow goes with a name, which the next JVM "
					    "will have, too; not with %s",
					    name);
		if (w->loop.all.records && loop_is_path(name))
			return report_usage(c, "--settings goes with a JVM, not with %s", name);
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
		return report_usage(c, "--on goes with --exec");
	if (w->cooldown_ns && !all->trigger_count)
		return report_usage(c, "--cooldown goes with --on");
	if (w->loop.listen && !all->measures)
		return report_usage(c, "--listen goes with --metrics");
	if (w->loop.file && (!all->measures || w->loop.listen))
		return report_usage(c, "--output goes with --metrics, without --listen");
	if (w->loop.every_ns && !w->loop.file)
		return report_usage(c, "--every goes with --metrics --output FILE");
	if (all->measures && (o->format != JFREC_TEXT || w->drops))
		return report_usage(c, "--metrics has a format of its own, and waits");
	if (all->measures && all->records && !w->loop.listen && !w->loop.every_ns && !all->for_ns)
		return report_usage(c,
				    "--metrics of a recording that is begun now takes time: give "
				    "--for 10s, or --listen");
	return EXIT_DONE;
}

static int check_formats(const struct options *w, const struct command *c)
{
	const struct jfrec_print_options *o = &w->loop.all.print;
	bool has_many = w->loop.name_count > 1 || w->loop.target.all || w->loop.follows;

	if ((o->fields || o->flat) && o->format != JFREC_NDJSON)
		return report_usage(c, "--fields and --flat go with --ndjson");
	if (o->format == JFREC_JSON && (has_many || w->loop.all.trigger_count))
		return report_usage(c, "--json makes one document of one source; use --ndjson");
	return EXIT_DONE;
}

static int check(const struct options *w, const struct command *c)
{
	int status = check_takers(w, c);

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
	all->prints = !all->measures && (!all->trigger_count || !event_opts_is_all(&all->select));
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

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .command = self->name, .opts = opts, .argc = argc, .argv = argv };
	struct options w = { .loop.all = { .command = self,
					   .stream.struct_size = sizeof(struct jfrec_stream_options),
					   .print.struct_size = sizeof(struct jfrec_print_options),
					   .print.stack_depth = DEFAULT_STACK_DEPTH } };
	struct streaming *all = &w.loop.all;
	int letter, status = EXIT_DONE;

	all->print.zone_ctx = &w.zone;
	while (status == EXIT_DONE && (letter = opt_next(&p)) != OPT_END) {
		if (letter == OPT_HELP)
			return command_help(self);
		if (take(&w, self, letter, p.value) <= 0)
			status = EXIT_USAGE;
	}
	w.loop.names = argv + p.first_operand;
	w.loop.name_count = status == EXIT_DONE ? argc - p.first_operand : 0;
	if (status == EXIT_DONE)
		status = check(&w, self);
	if (status == EXIT_DONE) {
		settle(&w);
		sink_init(&all->sink, w.drops);
		status = loop_run(&w.loop, self);
	}
	sink_fini(&all->sink);
	jfr_opts_fini(&all->args);
	for (unsigned i = 0; i < all->trigger_count; i++)
		trigger_fini(&all->triggers[i]);
	return status;
}

const struct command cmd_stream = {
	.name = "stream",
	.args = "TARGET...|DIRECTORY...",
	.summary = "print events while JVMs record them",
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
