/* SPDX-License-Identifier: MIT */
/*
 * cmd_stream.c - jfrec stream: events as JVMs record them
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "interrupt.h"
#include "source.h"
#include "target.h"
#include "timearg.h"

#define NS_PER_SECOND INT64_C(1000000000)

#define DEFAULT_STACK_DEPTH 5

/* Between two looks for something new, at most; and for JVMs that were started. */
#define PAUSE_MS    200
#define LOOK_OUT_NS (2 * NS_PER_SECOND)

enum {
	OPT_NDJSON = 256,
	OPT_FIELDS,
	OPT_FLAT,
	OPT_FOR,
	OPT_UNORDERED,
	OPT_FOLLOW,
	OPT_ON_SLOW,
	OPT_SET,
	OPT_UTC,
	OPT_TZ,
};

/* clang-format off */
static const struct opt opts[] = {
	{ 'j', "json", NULL, "print JSON: one document, of one source" },
	{ OPT_NDJSON, "ndjson", NULL, "print a line of JSON for each event" },
	CHOICE_EVENT_OPTS,
	{ OPT_FROM, "from", "TIME", "from start, now, 10 minutes ago (-10m), or a time" },
	{ OPT_FOR, "for", "TIME", "end after so long, such as 60s" },
	{ OPT_UNORDERED, "unordered", NULL, "events as they come, not ordered by time" },
	{ OPT_FOLLOW, "follow", NULL, "go on with JVMs that fit and are started later" },
	{ OPT_ON_SLOW, "on-slow", "drop|wait", "if the output is read too slowly (default: wait)" },
	{ 's', "settings", "NAME|FILE", "have the JVM record for it: default, profile, a file" },
	{ OPT_SET, "set", "KEY=VALUE", "EVENT#SETTING=VALUE or OPTION=VALUE for that" },
	{ 'd', "stack-depth", "N", "frames of a stack trace to print (default: 5)" },
	{ OPT_FIELDS, "fields", "LIST", "NDJSON with these columns, as startTime,eventThread" },
	{ OPT_FLAT, "flat", NULL, "NDJSON without objects in objects: dotted keys" },
	{ OPT_UTC, "utc", NULL, "show times in UTC, not in the recording's zone" },
	{ OPT_TZ, "tz", "ZONE", "show times in a zone, as Europe/Berlin or +05:30" },
	TARGET_OPTS,
	TALK_OPTS,
	{ 0 },
};
/* clang-format on */

/* What was asked for, and what has become of it. */
struct watch {
	struct streaming all;
	struct target target; /* without a name */
	bool follows, drops;
	struct zone zone;
	int64_t from_ns, to_ns; /* to_ns: when nothing more is looked out for */
	char *const *names;
	int name_count;
	struct source **sources;
	size_t count;
	int64_t looked_at_ns;
	int status;
};

static int64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

/* Options -------------------------------------------------------------------------------------- */

static int wrong(int status)
{
	return status == EXIT_DONE ? 1 : -1;
}

static int take_from(struct watch *w, const struct command *c, const char *value)
{
	int64_t now = clock_ns(CLOCK_REALTIME);
	struct jfrec_time t;

	w->all.stream.from_ns = &w->from_ns;
	if (strcmp(value, "now") == 0)
		w->all.stream.from_ns = NULL;
	else if (strcmp(value, "start") == 0)
		w->from_ns = INT64_MIN;
	else if (jfrec_time_parse(value, &t) && t.base != JFREC_SINCE_START)
		w->from_ns = jfrec_time_resolve(&t, now, now);
	else
		return wrong(
			report_usage(c, "--from takes start, now, -10m or a time, not %s", value));
	return 1;
}

static int take_for(struct watch *w, const struct command *c, const char *value)
{
	if (jfrec_jfr_parse_time(value, &w->all.for_ns) && w->all.for_ns > 0 &&
	    w->all.for_ns < INT64_MAX / 2)
		return 1;
	return wrong(report_usage(c, "--for takes a time such as 60s or 5m, not %s", value));
}

static int take_on_slow(struct watch *w, const struct command *c, const char *value)
{
	w->drops = strcmp(value, "drop") == 0;
	if (w->drops || strcmp(value, "wait") == 0)
		return 1;
	return wrong(report_usage(c, "--on-slow takes drop or wait, not %s", value));
}

static int take_depth(struct watch *w, const struct command *c, const char *value)
{
	char *end;
	long depth;

	errno = 0;
	depth = strtol(value, &end, 10);
	if (*end || end == value || errno || depth < 0 || depth > INT_MAX)
		return wrong(
			report_usage(c, "--stack-depth takes a number from 0 on, not %s", value));
	w->all.print.stack_depth = (unsigned)depth;
	return 1;
}

static int take_zone(struct watch *w, const struct command *c, const char *value)
{
	if (!zone_parse(value, &w->zone))
		return wrong(report_usage(c,
					  "%s is no time zone; write UTC, +05:30 or Europe/Berlin",
					  value));
	w->all.print.zone = zone_offset;
	return 1;
}

static int take_format(struct watch *w, const struct command *c, enum jfrec_format format)
{
	if (w->all.print.format != JFREC_TEXT && w->all.print.format != format)
		return wrong(report_usage(c, "only one format can be given"));
	w->all.print.format = format;
	return 1;
}

static int take_own(struct watch *w, const struct command *c, int letter, const char *value)
{
	switch (letter) {
	case 'j':
		return take_format(w, c, JFREC_JSON);
	case OPT_NDJSON:
		return take_format(w, c, JFREC_NDJSON);
	case OPT_FIELDS:
		return wrong(set_once(c, &w->all.print.fields, "fields", value));
	case OPT_FLAT:
		return w->all.print.flat = true;
	case OPT_FROM:
		return take_from(w, c, value);
	case OPT_FOR:
		return take_for(w, c, value);
	case OPT_UNORDERED:
		return w->all.stream.unordered = true;
	case OPT_FOLLOW:
		return w->follows = true;
	case OPT_ON_SLOW:
		return take_on_slow(w, c, value);
	case 'd':
		return take_depth(w, c, value);
	case OPT_UTC:
		return take_zone(w, c, "UTC");
	case OPT_TZ:
		return take_zone(w, c, value);
	case 's':
		w->all.records = true;
		return jfrargs_settings(&w->all.args, c, value) < 0 ? -1 : 1;
	case OPT_SET:
		w->all.records = true;
		return jfrargs_set(&w->all.args, c, value) < 0 ? -1 : 1;
	default:
		return 0;
	}
}

static int take(struct watch *w, const struct command *c, int letter, const char *value)
{
	int taken = take_own(w, c, letter, value);

	if (!taken)
		taken = choice_take_option(&w->all.choice, c, letter, value);
	if (!taken && target_take_option(&w->target, letter, value))
		taken = 1;
	return taken ? taken : talk_take_option(&w->all.talk, c, letter, value);
}

/* A name of JVMs has no slash, and there is no file of that name. */
static bool is_path(const char *name)
{
	struct stat st;

	return strchr(name, '/') || (name[strspn(name, "0123456789")] && stat(name, &st) == 0);
}

static bool is_pid(const char *name)
{
	return !name[strspn(name, "0123456789")];
}

static int check_names(const struct watch *w, const struct command *c)
{
	for (int i = 0; i < w->name_count; i++) {
		const char *name = w->names[i];

		if (strcmp(name, "-") == 0)
			return report_usage(c, "standard input is no stream of a JVM; use "
					       "`jfrec print -`");
		if (w->follows && (is_path(name) || is_pid(name)))
			return report_usage(c,
					    "--follow goes with a name, which the next JVM "
					    "will have, too; not with %s",
					    name);
		if (w->all.records && is_path(name))
			return report_usage(c, "--settings goes with a JVM, not with %s", name);
	}
	return EXIT_DONE;
}

/* What this command says itself cannot be --set. */
static int check_settings(const struct watch *w, const struct command *c)
{
	static const char *const ours[] = { "duration", "delay", "filename", "dumponexit", "disk" };

	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++) {
		if (jfrargs_get(&w->all.args, ours[i]))
			return report_usage(c, "%s cannot be set here; see `jfrec start`", ours[i]);
	}
	return EXIT_DONE;
}

static int check(struct watch *w, const struct command *c)
{
	const struct jfrec_print_options *o = &w->all.print;
	int status;

	if ((o->fields || o->flat) && o->format != JFREC_NDJSON)
		return report_usage(c, "--fields and --flat go with --ndjson");
	if (w->name_count == 0 && target_is_any(&w->target) && !w->target.all)
		return report_usage(c, "name a JVM, by its pid or a part of its main class or jar, "
				       "or a directory");
	if (o->format == JFREC_JSON && (w->name_count > 1 || w->target.all || w->follows))
		return report_usage(c, "--json makes one document of one source; use --ndjson");
	status = check_names(w, c);
	return status == EXIT_DONE ? check_settings(w, c) : status;
}

/* Sources -------------------------------------------------------------------------------------- */

/* Room for one more, zeroed; NULL when memory is gone, which was said. */
static struct source *new_source(struct watch *w)
{
	struct source **sources = reallocarray(w->sources, w->count + 1, sizeof(*sources));
	struct source *s = calloc(1, sizeof(*s));

	if (sources)
		w->sources = sources;
	if (sources && s)
		return s;
	free(s);
	fputs("jfrec: out of memory\n", stderr);
	return NULL;
}

static int add_path(struct watch *w, const char *path)
{
	struct source *s = new_source(w);
	int status = s ? source_open_path(s, &w->all, path) : EXIT_FAILED;

	if (status == EXIT_DONE)
		w->sources[w->count++] = s;
	else
		free(s);
	return status;
}

static int add_jvm(struct watch *w, const struct jfrec_jvm *jvm, int name)
{
	struct source *s = new_source(w);
	int status =
		s ? source_open_jvm(s, &w->all, jvm, w->follows || w->target.all) : EXIT_FAILED;

	if (status == EXIT_DONE) {
		s->wish = name;
		w->sources[w->count++] = s;
	} else {
		free(s);
	}
	return status;
}

static bool is_streamed(const struct watch *w, const struct jfrec_jvm *jvm)
{
	for (size_t i = 0; i < w->count; i++) {
		const struct jfrec_jvm *other = w->sources[i]->jvm;

		if (other && other->pid == jvm->pid && other->start_ticks == jvm->start_ticks)
			return true;
	}
	return false;
}

/* Those of a list that are not streamed yet. Returns the first exit code that is not EXIT_DONE. */
static int add_jvms(struct watch *w, const struct jfrec_jvms *list, int name)
{
	int first = EXIT_DONE;

	for (size_t i = 0; i < jfrec_jvms_count(list); i++) {
		const struct jfrec_jvm *jvm = jfrec_jvms_get(list, i);
		int status = is_streamed(w, jvm) ? EXIT_DONE : add_jvm(w, jvm, name);

		if (first == EXIT_DONE)
			first = status;
	}
	return first;
}

static struct target target_of(const struct watch *w, int name)
{
	struct target t = w->target;

	t.query.target = name < w->name_count ? w->names[name] : NULL;
	t.query.without_names = true;
	return t;
}

/* The JVMs that fit a name now; NULL after a failure, or if there are none and none are needed. */
static struct jfrec_jvms *find(struct watch *w, int name)
{
	struct target t = target_of(w, name);
	struct jfrec_error err;

	return jfrec_jvms_find(&t.query, &err);
}

static int add_name(struct watch *w, const struct command *c, int name)
{
	struct target t = target_of(w, name);
	struct jfrec_jvms *list;
	int status;

	if (name < w->name_count && is_path(w->names[name]))
		return add_path(w, w->names[name]);
	if (w->follows) {
		list = find(w, name);
		if (list && jfrec_jvms_count(list) == 0) {
			fprintf(stderr, "jfrec: no JVM fits yet; waiting for one\n");
			jfrec_jvms_free(list);
			return EXIT_DONE;
		}
		jfrec_jvms_free(list);
	}
	status = choose_targets(c, &t, &list);
	if (status != EXIT_DONE)
		return status;
	/* If there are several, those that can be followed are. */
	status = add_jvms(w, list, name);
	jfrec_jvms_free(list);
	return status;
}

/* How many names there are: without one, what narrows them down counts. */
static int wish_count(const struct watch *w)
{
	return w->name_count ? w->name_count : 1;
}

static bool is_live(const struct watch *w, int name)
{
	for (size_t i = 0; i < w->count; i++) {
		if (w->sources[i]->wish == name)
			return true;
	}
	return false;
}

/* JVMs that were started meanwhile, from their first event on. */
static void look_out(struct watch *w)
{
	int64_t now = clock_ns(CLOCK_MONOTONIC);

	if (now - w->looked_at_ns < LOOK_OUT_NS)
		return;
	w->looked_at_ns = now;
	for (int i = 0; i < wish_count(w); i++) {
		struct jfrec_jvms *list = w->target.all || !is_live(w, i) ? find(w, i) : NULL;

		if (list && (w->target.all || jfrec_jvms_count(list) == 1))
			add_jvms(w, list, i);
		jfrec_jvms_free(list);
	}
}

static void remove_source(struct watch *w, size_t i)
{
	struct source *s = w->sources[i];

	source_close(s);
	if (s->damage && w->status == EXIT_DONE)
		w->status = EXIT_FAILED;
	free(s);
	memmove(w->sources + i, w->sources + i + 1, (--w->count - i) * sizeof(*w->sources));
}

/* Running -------------------------------------------------------------------------------------- */

/* Print what has come from all. Was there anything? */
static bool pump_all(struct watch *w)
{
	bool busy = false;

	for (size_t i = w->count; i-- > 0;) {
		int status = EXIT_DONE, got = source_pump(w->sources[i], &status);

		if (got < 0 && w->status == EXIT_DONE)
			w->status = status;
		if (got < 0 || !w->sources[i]->stream)
			remove_source(w, i);
		busy |= got > 0;
	}
	return busy;
}

static bool is_over(const struct watch *w)
{
	bool is_late = w->all.for_ns && clock_ns(CLOCK_REALTIME) > w->to_ns;

	return interrupts_noted() || (w->count == 0 && (!w->follows || is_late));
}

/* Until one of them may have something; a signal ends it. */
static void wait_for_some(const struct watch *w)
{
	struct timespec pause = { 0 };
	int ms = PAUSE_MS;

	for (size_t i = 0; i < w->count; i++) {
		int own = jfrec_stream_pause_ms(w->sources[i]->stream);

		ms = own < ms ? own : ms;
	}
	pause.tv_nsec = ms * 1000000L;
	nanosleep(&pause, NULL);
}

static void run_all(struct watch *w)
{
	while (!is_over(w)) {
		bool busy = pump_all(w);

		if (sink_flush(&w->all.sink))
			return;
		sink_tell(&w->all.sink, false);
		if (w->follows)
			look_out(w);
		if (!busy)
			wait_for_some(w);
	}
}

/* End what still goes on, so that documents are whole, and say what became of all. */
static int finish(struct watch *w)
{
	struct sink *sink = &w->all.sink;

	for (size_t i = 0; i < w->count; i++)
		jfrec_stream_stop(w->sources[i]->stream);
	pump_all(w);
	sink->drops = false;
	sink_flush(sink);
	sink_tell(sink, true);
	if (sink->error)
		return report_write_failure(sink->error);
	if (interrupts_noted())
		return EXIT_INTERRUPTED - SIGINT + interrupts_noted();
	return w->status;
}

static int stream(struct watch *w, const struct command *c)
{
	static const int64_t least = INT64_MIN;
	struct interrupts before;
	int status = EXIT_DONE;

	w->to_ns = clock_ns(CLOCK_REALTIME) + w->all.for_ns;
	w->all.is_tagged = w->name_count > 1 || w->target.all;
	/* Held from before the first recording is begun on, so that none is left behind. */
	interrupts_hold(&before);
	for (int i = 0; i < wish_count(w) && status == EXIT_DONE; i++)
		status = add_name(w, c, i);
	if (w->target.all && w->count)
		status = EXIT_DONE;
	/* What is started later is new from its beginning. */
	if (!w->all.stream.from_ns)
		w->all.stream.from_ns = &least;
	if (status == EXIT_DONE) {
		run_all(w);
		status = finish(w);
	}
	while (w->count)
		remove_source(w, w->count - 1);
	interrupts_release(&before);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .command = self->name, .opts = opts, .argc = argc, .argv = argv };
	struct watch w = { .all.command = self, .all.print.stack_depth = DEFAULT_STACK_DEPTH };
	int letter, status = EXIT_DONE;

	w.all.print.zone_ctx = &w.zone;
	while (status == EXIT_DONE && (letter = opt_next(&p)) != OPT_END) {
		if (letter == OPT_HELP)
			return command_help(self);
		if (take(&w, self, letter, p.value) <= 0)
			status = EXIT_USAGE;
	}
	w.names = argv + p.first_operand;
	w.name_count = status == EXIT_DONE ? argc - p.first_operand : 0;
	if (status == EXIT_DONE)
		status = check(&w, self);
	if (status == EXIT_DONE) {
		sink_init(&w.all.sink, w.drops);
		status = stream(&w, self);
	}
	sink_fini(&w.all.sink);
	jfrargs_fini(&w.all.args);
	free(w.sources);
	return status;
}

const struct command cmd_stream = {
	.name = "stream",
	.args = "TARGET...|DIRECTORY...",
	.summary = "print events as JVMs record them",
	.about =
		"Print events as JVMs record them: about a second after they happened, without\n"
		"a word to the JVM, by reading its repository. TARGET is a pid, or a part of the\n"
		"main class or jar; DIRECTORY a repository, also of a JVM that was killed. Ctrl-C\n"
		"ends it.\n"
		"\n"
		"A FILTER is a list of names parted by commas, in which * stands for any text\n"
		"and ? for one character. jfrec-where(7) describes what EXPR can be.",
	.opts = opts,
	.run = run,
};
