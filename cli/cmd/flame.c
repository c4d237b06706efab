/* SPDX-License-Identifier: MIT */
/*
 * flame.c - jfrec flame: draw flame graphs of CPU time, allocation, locks
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/output_limit.h"
#include "base/progress.h"
#include "base/suffix.h"
#include "opts/event_opts.h"
#include "opts/jobs_opts.h"
#include "opts/output_opts.h"
#include "recording/open_recordings.h"
#include "recording/operand.h"

/* Lines of a profile that is read on a terminal. */
#define METHOD_LINES 20
#define PATH_LINES   30

enum normalizing {
	AS_THE_FORMAT_DOES,
	NORMALIZE,
	KEEP_NUMBERS,
};

struct options {
	struct event_opts select;
	struct output_opts to;
	struct operand_opts from;
	const char *profiles, *type, *weight, *format, *title, *include, *exclude;
	bool count, lines, bci, simple, by_thread, reverse, no_time, experimental;
	char *const *operands;
	int operand_count;
	unsigned norm, skip, depth, top, max_nodes, threads, sampler;
	const char *states, *label, *by;
	double least;
};

static const struct opt_choice norms[] = {
	{ "yes", NORMALIZE },
	{ "no", KEEP_NUMBERS },
	{ 0 },
};

enum sampler {
	SAMPLER_BEST,
	SAMPLER_CPU_TIME,
	SAMPLER_EXECUTION,
};

static const struct opt_choice samplers[] = {
	{ "cpu-time", SAMPLER_CPU_TIME },
	{ "execution", SAMPLER_EXECUTION },
	{ 0 },
};

static const struct opt_choice virtuals[] = {
	{ "yes", JFREC_STACK_VIRTUAL_THREADS },
	{ "no", JFREC_STACK_PLATFORM_THREADS },
	{ 0 },
};

static int take_share(const struct opt_given *g, void *to)
{
	double *share = to;
	char *end;

	*share = strtod(g->value, &end);
	if (end == g->value || *share < 0 || *share >= 100 || (*end && strcmp(end, "%") != 0))
		return opt_refuse(g, "a percentage below 100, for example 0.5");
	*share /= 100;
	return EXIT_DONE;
}

/* clang-format off */
static const struct opt opts[] = {
	OPT_ONCE(0, "profile", "LIST", "cpu, wall, alloc, lock, io, ... (default: all)", struct options, profiles),
	OPT_ONCE(0, "type", "TYPE", "use any event type with a stack trace", struct options, type),
	OPT_ONCE(0, "weight", "FIELD", "with --type: the field to weigh events by", struct options, weight),
	OPT_FLAG(0, "count", "count events, instead of time or bytes", struct options, count),
	OPT_ONCE('o', "output", "FILE", "write to FILE (.html, .svg, .pb.gz, .json, ...)", struct options, to.path),
	OPT_FLAG(0, "force", "replace FILE if it exists", struct options, to.force),
	MODE_ROW("permissions of FILE in octal, such as 640", struct options, to),
	OPT_ONCE(0, "format", "NAME", "html, svg, pprof, firefox, perfetto, json, text, ...", struct options, format),
	OPT_FLAG(0, "experimental", "also formats that may still change: otlp", struct options, experimental),
	OPT_GROUP(operand_rows, struct options, from),
	OPT_CHOICE(0, "sampler", "NAME", "with --duration: cpu-time or execution", struct options, sampler, samplers),
	OPT_ONCE(0, "title", "TEXT", "the title of a page or picture", struct options, title),
	OPT_NUMBER(0, "top", "N", "print N methods and paths (default: 20, 30)", struct options, top),
	OPT_CALL(0, "least", "PERCENT", "omit frames with a share below this", take_share, struct options, least),
	OPT_ONCE(0, "include", "REGEX", "only stacks with a frame that matches", struct options, include),
	OPT_ONCE(0, "exclude", "REGEX", "only stacks without a frame that matches", struct options, exclude),
	OPT_FLAG(0, "by-thread", "add the thread as the first frame", struct options, by_thread),
	OPT_FLAG(0, "lines", "show each line of a method separately", struct options, lines),
	OPT_FLAG(0, "bci", "show each bytecode index separately", struct options, bci),
	OPT_FLAG(0, "simple", "class names without packages", struct options, simple),
	OPT_CHOICE(0, "norm", "yes|no", "remove numbers of lambdas, hidden classes", struct options, norm, norms),
	OPT_FLAG(0, "reverse", "show callers above the methods they call", struct options, reverse),
	OPT_FLAG(0, "no-time", "leave the times out of a page", struct options, no_time),
	OPT_ONCE(0, "state", "LIST", "only threads in these states, such as runnable", struct options, states),
	OPT_CHOICE(0, "virtual", "yes|no", "only virtual threads, or none of them", struct options, threads, virtuals),
	OPT_NUMBER(0, "max-nodes", "N", "merge light stacks beyond N nodes of a tree", struct options, max_nodes),
	OPT_NUMBER(0, "skip", "N", "omit N frames at the root", struct options, skip),
	OPT_NUMBER(0, "depth", "N", "keep N frames from the root", struct options, depth),
	OPT_GROUP(event_rows, struct options, select),
	OPT_GROUP(during_rows, struct options, select),
	OPT_ONCE(0, "by", "FIELD", "with --during: a field of these as the first frame", struct options, by),
	OPT_ONCE(0, "label", "FIELD", "with --during: a field of these as a label (pprof)", struct options, label),
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

/* Formats -------------------------------------------------------------------------------------- */

/* The format by the name of the file; NULL: it says nothing. */
static const char *format_of(const char *path)
{
	for (size_t i = 0; i < jfrec_stacks_formats_count(); i++) {
		const struct jfrec_stacks_format *f = jfrec_stacks_formats_get(i);

		if (ends_with_any(path, f->suffixes))
			return f->name;
	}
	return ends_with_any(path, ".txt") ? "text" : NULL;
}

/* NULL: the library has no such format. */
static const struct jfrec_stacks_format *library_format(const char *name)
{
	for (size_t i = 0; i < jfrec_stacks_formats_count(); i++) {
		if (strcmp(jfrec_stacks_formats_get(i)->name, name) == 0)
			return jfrec_stacks_formats_get(i);
	}
	return NULL;
}

static bool is_known(const char *format)
{
	return library_format(format) || strcmp(format, "text") == 0;
}

static bool is_experimental(const char *format)
{
	const struct jfrec_stacks_format *f = library_format(format);

	return f && f->is_experimental;
}

/* "html, svg or text": the library's formats that are final, and what this command prints. */
static const char *name_formats(char *to, size_t size)
{
	size_t count = jfrec_stacks_formats_count(), len = 0;

	for (size_t i = 0; i < count && len < size; i++) {
		if (jfrec_stacks_formats_get(i)->is_experimental)
			continue;
		len += (size_t)snprintf(to + len, size - len, "%s%s", i ? ", " : "",
					jfrec_stacks_formats_get(i)->name);
	}
	if (len < size)
		snprintf(to + len, size - len, " or text");
	return to;
}

/* Returns an exit code, after saying what is wrong. */
static int find_format(const struct command *self, struct options *o)
{
	char names[256];

	if (!o->format)
		o->format = o->to.path ? format_of(o->to.path) : "text";
	if (!o->format)
		return report_usage(self, "the suffix of %s does not select a format; use "
					  "--format %s",
				    o->to.path, name_formats(names, sizeof(names)));
	if (!is_known(o->format))
		return report_usage(self, "unknown format '%s'; use %s", o->format,
				    name_formats(names, sizeof(names)));
	if (is_experimental(o->format) && !o->experimental)
		return report_usage(self, "what %s looks like may still change; add --experimental "
					  "to write it",
				    o->format);
	if (!o->to.path && strcmp(o->format, "text") != 0)
		o->to.path = "-";
	if (o->weight && !o->type)
		return report_usage(self, "--weight is a field of --type");
	if (o->to.path && strcmp(o->to.path, "-") == 0 && isatty(STDOUT_FILENO) &&
	    (strcmp(o->format, "pprof") == 0 || strcmp(o->format, "otlp") == 0 ||
	     strcmp(o->format, "perfetto") == 0))
		return report_usage(self, "%s is not for a terminal; redirect the output",
				    o->format);
	return EXIT_DONE;
}

/* Formats that show each sample and each event when it happened. */
static bool is_timeline(const char *format)
{
	return strcmp(format, "firefox") == 0 || strcmp(format, "perfetto") == 0;
}

/* Formats that have labels have threads as such, too. */
static int check_labels(const struct command *self, struct options *o)
{
	bool has_labels = strcmp(o->format, "pprof") == 0 || strcmp(o->format, "otlp") == 0;

	if (!o->label && !o->by)
		return EXIT_DONE;
	if (o->label && o->by)
		return report_usage(self, "--label and --by are two ways to show one field");
	if (!o->select.during.events || o->select.is_outside)
		return report_usage(self, "--%s takes a field of the events of --during; name "
					  "these, too",
				    o->label ? "label" : "by");
	if (o->label && !has_labels)
		return report_usage(self, "--label is for pprof and otlp; --by shows the field as "
					  "the first frame");
	if (o->by && (has_labels || is_timeline(o->format)))
		return report_usage(self, "--by is for pages, pictures and texts; %s",
				    has_labels ? "use --label" : "export to pprof with --label");
	o->select.during.label = o->label ? o->label : o->by;
	o->select.during.label_is_frame = o->by != NULL;
	return EXIT_DONE;
}

/* Profiles ------------------------------------------------------------------------------------- */

static int add_listed(struct jfrec_stacks *s, const char *list, struct jfrec_error *err)
{
	for (const char *at = list; *at;) {
		size_t len = strcspn(at, ",");
		char name[64];

		if (len >= sizeof(name))
			len = sizeof(name) - 1;
		memcpy(name, at, len);
		name[len] = '\0';
		if (len && jfrec_stacks_add(s, name, err) < 0)
			return -1;
		at += strcspn(at, ",");
		at += *at == ',';
	}
	return 0;
}

static int add_profiles(const struct options *o, struct jfrec_stacks *s, struct jfrec_error *err)
{
	const char *name;

	if (o->profiles && add_listed(s, o->profiles, err) < 0)
		return -1;
	if (o->type && jfrec_stacks_add_type(s, o->type, o->weight, err) < 0)
		return -1;
	for (size_t i = 0; !o->profiles && !o->type && (name = jfrec_stacks_names_get(i)); i++) {
		if (jfrec_stacks_add(s, name, err) < 0)
			return -1;
	}
	return 0;
}

static int fail_unknown(const struct command *self, const struct jfrec_error *err)
{
	const char *name;

	report_usage(self, "%s", failure_text(err));
	fputs("The profiles are:", stderr);
	for (size_t i = 0; (name = jfrec_stacks_names_get(i)) != NULL; i++)
		fprintf(stderr, " %s", name);
	fputc('\n', stderr);
	return EXIT_USAGE;
}

/* Formats that have room for one profile only: it is the first that has samples. */
static bool has_one_profile(const char *format)
{
	return strcmp(format, "collapsed") == 0 || strcmp(format, "svg") == 0;
}

static struct jfrec_stacks *make_stacks(struct options *o, struct jfrec_error *err)
{
	bool is_collapsed = strcmp(o->format, "collapsed") == 0;
	bool is_over_time = is_timeline(o->format);
	char states[128];
	bool is_exported = is_over_time || strcmp(o->format, "pprof") == 0 ||
			   strcmp(o->format, "otlp") == 0;
	struct jfrec_stack_options how = {
		.struct_size = sizeof(how),
		.with_threads = o->by_thread || is_exported,
		.with_lines = o->lines || is_exported,
		.with_bci = o->bci,
		.with_slashes = is_collapsed,
		.is_simple = o->simple,
		.keeps_numbers = o->norm ? o->norm == KEEP_NUMBERS : is_collapsed,
		.is_reversed = o->reverse,
		.counts = o->count,
		.skip = o->skip,
		.depth = o->depth,
		.include = o->include,
		.exclude = o->exclude,
		.from_ns = o->select.from_ns,
		.to_ns = o->select.to_ns,
		.packs_times = strcmp(o->format, "html") == 0 && !o->no_time,
		.keeps_times = is_over_time,
		.states = o->states ? states : NULL,
		.threads = (enum jfrec_stack_threads)o->threads,
		.max_nodes = o->max_nodes,
		.only_first = has_one_profile(o->format),
		.zone = zone_offset,
		.zone_ctx = &o->select.zone,
	};

	/* Recordings have them in capitals. */
	snprintf(states, sizeof(states), "%s", o->states ? o->states : "");
	for (char *at = states; *at; at++)
		*at = *at == '-' ? '_' : (char)toupper((unsigned char)*at);
	return jfrec_stacks_new(&how, err);
}

/* Output --------------------------------------------------------------------------------------- */

static unsigned terminal_width(void)
{
	struct winsize size;

	return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col
										      : 0;
}

/* The first profile that has samples, or the one asked for; -1: there is none. */
static long first_with_samples(struct jfrec_stacks *s)
{
	for (size_t i = 0; i < jfrec_stacks_count(s); i++) {
		if (jfrec_stacks_get(s, 0, i)->samples)
			return (long)i;
	}
	return -1;
}

static void tell_others(struct jfrec_stacks *s, size_t shown)
{
	bool is_first = true;

	for (size_t i = 0; i < jfrec_stacks_count(s); i++) {
		if (i == shown || !jfrec_stacks_get(s, 0, i)->samples)
			continue;
		printf("%s%s", is_first ? "\nOther profiles of it: --profile " : ", ",
		       jfrec_stacks_get(s, 0, i)->name);
		is_first = false;
	}
	if (!is_first)
		putchar('\n');
}

/* Those profiles that are asked for, or else the first. */
static int put_text(const struct options *o, struct jfrec_stacks *s, jfrec_write_fn *write,
		    void *ctx, struct jfrec_error *err)
{
	struct jfrec_stack_text how = {
		.struct_size = sizeof(how),
		.width = o->to.path ? 0 : terminal_width(),
		.methods = o->top ? o->top : METHOD_LINES,
		.paths = o->top ? o->top : PATH_LINES,
	};
	size_t first = (size_t)first_with_samples(s);

	for (size_t i = first; i < jfrec_stacks_count(s) && (i == first || o->profiles); i++) {
		if (i != first && jfrec_stacks_get(s, 0, i)->samples)
			write(ctx, "\n", 1); /* a failure shows again below */
		if (jfrec_stacks_print(s, i, &how, write, ctx, err) < 0)
			return -1;
	}
	return 0;
}

static int print_text(const struct options *o, struct jfrec_stacks *s)
{
	struct jfrec_error err;

	if (put_text(o, s, write_stdout, NULL, &err) < 0)
		return report_write_failure(err.sys);
	if (!o->profiles && !o->type)
		tell_others(s, (size_t)first_with_samples(s));
	return finish_stdout();
}

static int write_format(const struct options *o, struct jfrec_stacks *s, struct jfrec_output *out,
			struct jfrec_error *err)
{
	size_t only = JFREC_STACKS_ALL;

	if (strcmp(o->format, "text") == 0)
		return put_text(o, s, jfrec_output_write, out, err);
	if (has_one_profile(o->format))
		only = (size_t)first_with_samples(s);
	return jfrec_stacks_write(s, only, o->format, o->least, jfrec_output_write, out, err);
}

static int write_file(const struct options *o, struct jfrec_stacks *s)
{
	struct output_opts to = o->to;
	struct jfrec_error err = { 0 };
	int status = output_opts_open(&to);

	if (status != EXIT_DONE)
		return status;
	status = write_format(o, s, to.output, &err) == 0 ? output_opts_commit(&to)
							  : output_opts_failure(&to, NULL, &err);
	output_opts_close(&to);
	return status;
}

struct adding {
	struct jfrec_stacks *stacks;
	struct jfrec_error *err;
};

static int add_problem(void *ctx, const struct jfrec_problem *problem)
{
	const struct adding *a = ctx;

	return jfrec_stacks_add_problem(a->stacks, problem, a->err);
}

static int set_title(const struct options *o, struct jfrec_stacks *s, const struct operand *in,
		     struct jfrec_error *err)
{
	uint64_t damage = jfrec_reader_damage(in->reader);

	for (int i = 0; i < o->operand_count; i++) {
		const char *name = operand_shown(in, o->operands[i]);

		if (jfrec_stacks_add_recording(s, name, err) < 0)
			return -1;
	}
	if (envelope_each_problem(add_problem, &(struct adding){ s, err }) < 0)
		return -1;
	return jfrec_stacks_set_title(
		s, o->title ? o->title : in->name,
		damage ? "The recording is damaged: this shows what could be read." : NULL, err);
}

static bool is_narrowed(const struct options *o)
{
	return o->include || o->exclude || o->states || o->threads || o->select.where ||
	       o->select.filter_count || o->select.from_ns || o->select.to_ns;
}

/* What another profiler records is not ours to switch on. */
static const char *no_such_events(const char *producer, char *text, size_t size)
{
	snprintf(text, size,
		 "it has no such events with a stack trace; %s's profiler wrote it, whose own "
		 "settings say what it records",
		 producer);
	return text;
}

static int tell_none(const struct options *o, const struct jfrec_stacks *s, const char *name)
{
	const char *producer = jfrec_stacks_producer(s);
	char text[160];

	if (is_narrowed(o))
		say(name, "no event with a stack trace matches these options");
	else if (o->type)
		say(name, "it has no events of that type with a stack trace");
	else if (producer)
		say(name, no_such_events(producer, text, sizeof(text)));
	else
		say(name, "it has no such events with a stack trace; `jfrec start --settings "
			  "profile` records them");
	return EXIT_FAILED;
}

static int show(const struct options *o, struct jfrec_stacks *s, const struct operand *in)
{
	struct jfrec_error err = { 0 };
	int status;

	if (first_with_samples(s) < 0)
		return tell_none(o, s, in->name);
	if (set_title(o, s, in, &err) < 0)
		return report_failure(in->reader, &err);
	status = o->to.path ? write_file(o, s) : print_text(o, s);
	return status == EXIT_DONE ? report_damage(in->reader) : status;
}

static int read_and_show(const struct command *self, struct options *o, const struct operand *in)
{
	struct jfrec_error err = { 0 };
	struct jfrec_stacks *s = make_stacks(o, &err);
	int status;

	if (!s)
		return report_usage(self, "%s", failure_text(&err));
	if (add_profiles(o, s, &err) < 0) {
		jfrec_stacks_free(s);
		return fail_unknown(self, &err);
	}
	jobs_use(in->reader);
	progress_begin(in->reader);
	status = jfrec_stacks_read(s, 0, in->reader, &err) < 0
			 ? event_opts_failure(&o->select, self, in->reader, &err)
			 : EXIT_DONE;
	progress_end();
	/* Once it was read, the zone costs nothing; pages tell times in it. */
	operand_use_zone(in, &o->select);
	if (status == EXIT_DONE)
		status = show(o, s, in);
	jfrec_stacks_free(s);
	return status;
}

static int draw(const struct command *self, struct options *o, char *const *operands, int count)
{
	struct operand in;
	int status;

	/* A JVM that has no such samples, before JDK 25, takes the others all the same. */
	o->from.cpu_time = o->sampler != SAMPLER_EXECUTION;
	o->operands = operands;
	o->operand_count = count;
	confine_writes(o->to.path);
	status = operand_open(&in, self, &o->from, "profile",
				o->to.path ? CONFINE_WRITING : CONFINE_READING, operands, count);

	if (status != EXIT_DONE)
		return status;
	if (o->to.path)
		envelope_watch(in.reader);
	status = operand_select(&in, self, &o->select);
	if (status == EXIT_DONE)
		status = read_and_show(self, o, &in);
	jfrec_reader_close(in.reader);
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
	status = find_format(self, &o);
	if (status == EXIT_DONE)
		status = check_labels(self, &o);
	if (status == EXIT_DONE)
		status = event_opts_use_config(&o.select);
	if (status != EXIT_DONE)
		return status;
	return draw(self, &o, argv + p.first_operand, argc - p.first_operand);
}

const struct command cmd_flame = {
	.name = "flame",
	.args = "RECORDING...|TARGET",
	.examples = "  jfrec flame app.jfr\n"
		    "  jfrec flame -o app.html app.jfr\n",
	.summary = "draw flame graphs of CPU time, allocation, locks",
	.about = "Show where CPU time, allocation and waiting come from, by adding up the stack\n"
		 "traces of a recording. Without -o, print the heaviest methods and paths; a .html\n"
		 "file is a page with a flame graph of each profile, for any browser.",
	.opts = opts,
	.run = run,
};
