/* SPDX-License-Identifier: MIT */
/*
 * analyze.c - jfrec analyze: what is wrong in a recording, and what to do
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/analyze.h"
#include "analyze/asking.h"
#include "analyze/folder.h"
#include "analyze/packed.h"
#include "base/beside.h"
#include "base/progress.h"
#include "opts/jobs_opts.h"
#include "recording/open_recordings.h"

#define DEFAULT_WIDTH 100

struct options {
	struct event_opts select;
	struct operand_opts from;
	bool json, ndjson, all, list;
	struct asking_opts asking;
	const char *explain, *baseline_file, *format;
	struct opt_list require;
	unsigned least, fail_on, width;
	struct analyze_tally *tally; /* of one of several recordings; or NULL */
	json_t *baseline; /* read before anything is confined */
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_FLAG(0, "all", "also what is ok or has no data, and all evidence", struct options, all),
	OPT_CHOICE(0, "min-severity", "info|warning", "show no less than these", struct options, least, asking_severities),
	OPT_GROUP(asking_rows, struct options, asking),
	OPT_ONCE(0, "baseline", "FILE", "show only what is new or worse than in this JSON", struct options, baseline_file),
	OPT_CHOICE(0, "fail-on", "info|warning|never", "exit with 20 if there is such a finding", struct options, fail_on, asking_failures),
	OPT_LIST(0, "require", "RULE", "exit with 20 if this rule has no data", struct options, require),
	OPT_ONCE(0, "explain", "RULE", "explain a rule; with RECORDING, as applied to it", struct options, explain),
	OPT_FLAG(0, "list", "list all rules", struct options, list),
	OPT_FLAG('j', "json", "print one JSON document", struct options, json),
	OPT_FLAG(0, "ndjson", "print a JSON object for each finding", struct options, ndjson),
	OPT_ONCE(0, "format", "NAME", "text, json, ndjson, markdown, sarif or junit", struct options, format),
	OPT_NUMBER(0, "width", "N", "columns of a line of text (default: the terminal's)", struct options, width),
	OPT_GROUP(operand_rows, struct options, from),
	OPT_STRING('o', "output", "FILE", "with --duration: keep the recording in FILE or DIR/", struct options, from.output),
	OPT_FLAG(0, "force", "replace that FILE if it exists", struct options, from.force),
	OPT_GROUP(event_rows, struct options, select),
	OPT_GROUP(during_rows, struct options, select),
	OPT_GROUP(time_rows, struct options, select),
	OPT_GROUP(shown_zone_rows, struct options, select),
	OPT_GROUP_ALONE(types_rows),
	OPT_GROUP_ALONE(jobs_rows),
	OPT_GROUP_ALONE(memory_rows),
	OPT_GROUP_ALONE(spool_rows),
	OPT_GROUP_ALONE(confine_rows),
	{ 0 },
};
/* clang-format on */

/* What is asked -------------------------------------------------------------------------------- */

static bool has_required(const struct command *self, const struct options *o,
			 const struct jfrec_analysis *a)
{
	for (size_t i = 0; i < o->require.count; i++) {
		if (jfrec_analysis_rule_find(a, o->require.texts[i]))
			continue;
		report_usage(self, "there is no rule '%s'; `jfrec analyze --list` shows them all",
			     o->require.texts[i]);
		return false;
	}
	return true;
}

/* in: what is to be read; NULL: nothing. */
static struct jfrec_analysis *make(const struct command *self, struct options *o,
				   const struct operand *in)
{
	struct jfrec_analysis_options how = {
		.struct_size = sizeof(how),
		.from_ns = o->select.from_ns,
		.to_ns = o->select.to_ns,
		.zone = zone_offset,
		.zone_ctx = &o->select.zone,
		.rules = o->asking.user_rules,
		.is_live = in && in->is_jvm,
		.host = in ? jfrec_host_get(in->host) : NULL,
	};
	struct jfrec_error err = { 0 };
	struct jfrec_analysis *a = jfrec_analysis_new(&how, &err);

	if (o->explain && !o->asking.only)
		o->asking.only = o->explain;
	if (!a || asking_apply(&o->asking, a, &err) < 0)
		report_usage(self, "%s", failure_text(&err));
	else if (has_required(self, o, a))
		return a;
	jfrec_analysis_free(a);
	return NULL;
}

/* What comes of it ----------------------------------------------------------------------------- */

static bool is_required(const struct options *o, const struct jfrec_rule_finding *f)
{
	for (size_t i = 0; i < o->require.count; i++) {
		if (strcmp(o->require.texts[i], f->rule->id) == 0)
			return true;
	}
	return false;
}

/* EXIT_LIMIT if a finding is one that the caller wants to fail on. */
static int judge(const struct options *o, const struct jfrec_analysis *a)
{
	unsigned least = o->fail_on ? o->fail_on : ASKING_NEVER;

	for (size_t j = 0; j < jfrec_analysis_jvm_count(a); j++) {
		for (size_t i = 0; i < jfrec_analysis_finding_count(a, j); i++) {
			const struct jfrec_rule_finding *f = jfrec_analysis_finding_get(a, j, i);

			if ((f->severity >= least && is_new(o->baseline, f)) ||
			    (f->severity == JFREC_SEVERITY_NO_DATA && is_required(o, f)))
				return EXIT_LIMIT;
		}
	}
	return EXIT_DONE;
}

static unsigned columns(const struct options *o)
{
	struct winsize size;

	if (o->width)
		return o->width < 60 ? 60 : o->width;
	if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
	    size.ws_col >= 60)
		return size.ws_col < DEFAULT_WIDTH ? size.ws_col : DEFAULT_WIDTH;
	return DEFAULT_WIDTH;
}

typedef int print_fn(const struct analyze_report *r);

static const struct {
	const char *name;
	print_fn *print; /* NULL: as text */
} formats[] = {
	{ "text", NULL },		    { "json", analyze_json },	{ "ndjson", analyze_ndjson },
	{ "markdown", analyze_markdown }, { "sarif", analyze_sarif }, { "junit", analyze_junit },
};

static bool format_named(const char *name, print_fn **fn)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		if (strcmp(formats[i].name, name) == 0) {
			*fn = formats[i].print;
			return true;
		}
	}
	return false;
}

/* What is read, and what it is called. */
struct input {
	struct operand in;
	const char *name;    /* in what is printed */
	const char *operand; /* in commands */
};

static int print(struct options *o, const struct jfrec_analysis *a, const struct input *input)
{
	struct analyze_report r = {
		.analysis = a,
		.name = input->name,
		.operand = input->operand,
		.zone = &o->select.zone,
		.least = o->least ? (enum jfrec_severity)o->least : JFREC_SEVERITY_INFO,
		.all = o->all || o->explain,
		.width = columns(o),
		.fail_on = (enum jfrec_severity)o->fail_on,
		.baseline = o->baseline,
		.damaged = jfrec_reader_damage(input->in.reader) > 0,
	};
	print_fn *print_format = NULL;

	format_named(o->format ? o->format : "text", &print_format);
	if (print_format)
		return print_format(&r);
	if (o->explain) {
		analyze_explain(a, jfrec_analysis_rule_find(a, o->explain));
		putchar('\n');
	}
	analyze_text(&r);
	r.as_text = !r.all;
	if (beside_begin()) {
		analyze_json(&r);
		beside_end();
	}
	return finish_stdout();
}

/* Reading -------------------------------------------------------------------------------------- */

static int read_and_print(const struct command *self, struct options *o, const struct input *input)
{
	const struct operand *in = &input->in;
	struct jfrec_analysis *a = make(self, o, in);
	struct jfrec_error err = { 0 };
	int status = EXIT_USAGE, damaged;

	if (a) {
		if ((o->format && strcmp(o->format, "json") == 0) || beside_is_wanted()) {
			envelope_name(input->name);
			envelope_watch(in->reader);
		}
		/* Of several recordings, others are read at the same time. */
		if (!o->tally)
			jobs_use_with_results(in->reader);
		progress_begin(in->reader);
		status = jfrec_analysis_read(a, in->reader, &err) < 0 ? EXIT_FAILED : EXIT_DONE;
		/* Once it was read, the zone costs nothing; findings tell times in it. */
		operand_use_zone(in, &o->select);
		if (status != EXIT_DONE || jfrec_analysis_finish(a, &err) < 0)
			status = event_opts_failure(&o->select, self, in->reader, &err);
		progress_end();
	}
	if (status == EXIT_DONE && o->tally)
		analyze_count(o->tally, a);
	if (status == EXIT_DONE)
		status = print(o, a, input);
	if (status == EXIT_DONE) {
		damaged = report_damage(in->reader);
		status = damaged != EXIT_DONE ? damaged : judge(o, a);
	}
	jfrec_analysis_free(a);
	return status;
}

/* Of the files of an archive only number i; without the directory of the archive in its name. */
static int choose(struct input *input, const char *path, size_t i)
{
	const char *slash = strrchr(path, '/');
	struct jfrec_error err;

	if (jfrec_reader_only_file(input->in.reader, i, &err) < 0)
		return report_failure(input->in.reader, &err);
	input->name = jfrec_reader_file_name(input->in.reader, 0) + (slash ? slash + 1 - path : 0);
	return EXIT_DONE;
}

#define ALL SIZE_MAX

/* only: which file of an archive; or ALL. */
static int analyze(const struct command *self, struct options *o, char *const *operands, int count,
		   size_t only)
{
	struct input input = { 0 };
	struct operand *in = &input.in;
	int status = operand_open(in, self, &o->from, "analyze", CONFINE_READING, operands, count);

	input.name = in->name;
	input.operand = *in->path ? in->path : count ? operands[0] : "RECORDING";
	if (status == EXIT_DONE && only != ALL)
		status = choose(&input, operands[0], only);
	if (status == EXIT_DONE)
		status = operand_select(in, self, &o->select);
	if (status == EXIT_DONE)
		status = read_and_print(self, o, &input);
	jfrec_reader_close(in->reader);
	jfrec_host_free(in->host);
	return status;
}

/* Several recordings --------------------------------------------------------------------------- */

struct each {
	const struct command *self;
	struct options *options;
	char *const *operands;
	char *archive; /* that has them; or NULL */
};

static int judge_each(void *ctx, size_t i, struct analyze_tally *tally)
{
	struct each *e = ctx;

	e->options->tally = tally;
	return e->archive ? analyze(e->self, e->options, &e->archive, 1, i)
			  : analyze(e->self, e->options, e->operands + i, 1, ALL);
}

static int analyze_each(struct each *e, size_t count)
{
	const char *format = e->options->format ? e->options->format : "text";

	if (strcmp(format, "sarif") == 0 || strcmp(format, "junit") == 0)
		return report_usage(e->self, "%s is a document of one recording", format);
	return analyze_several(&(struct analyze_several){
		.judge = judge_each,
		.ctx = e,
		.names = e->operands,
		.count = count,
		.is_text = strcmp(format, "text") == 0,
		.is_json = strcmp(format, "json") == 0,
		.at_once = jobs_wanted(),
	});
}

static bool is_folder(const char *operand)
{
	struct stat st;

	return stat(operand, &st) == 0 && S_ISDIR(st.st_mode);
}

/*
 * A directory or an archive of recordings is each of them; one of a JVM's chunks is one recording.
 */
static int analyze_one(const struct command *self, struct options *o, char **operand)
{
	struct folder f = { 0 };
	struct each e = { .self = self, .options = o };
	int status = EXIT_FAILED;
	bool good = true;

	if (is_folder(*operand)) {
		good = folder_read(&f, *operand);
	} else if (packed_may_be(*operand)) {
		packed_read(&f, *operand);
		e.archive = *operand;
	}
	e.operands = f.paths;
	if (good)
		status = f.count < 2 || f.is_chunks ? analyze(self, o, operand, 1, ALL)
						    : analyze_each(&e, f.count);
	folder_fini(&f);
	return status;
}

static int analyze_operands(const struct command *self, struct options *o, char **operands,
			    int count)
{
	struct each e = { .self = self, .options = o, .operands = operands };

	if (count > 1)
		return analyze_each(&e, (size_t)count);
	/* With options that are for a JVM: others are refused, once. */
	if (!count || o->from.jvm || o->from.max_age_ns || o->from.duration_ns)
		return analyze(self, o, operands, count, ALL);
	return analyze_one(self, o, operands);
}

/* Without a recording -------------------------------------------------------------------------- */

static int explain(const struct command *self, struct options *o)
{
	struct jfrec_analysis *a = make(self, o, NULL);
	const struct jfrec_rule_info *rule = a ? jfrec_analysis_rule_find(a, o->explain) : NULL;

	if (!a)
		return EXIT_USAGE;
	if (!rule) {
		jfrec_analysis_free(a);
		return report_usage(self, "--explain takes the name of one rule");
	}
	analyze_explain(a, rule);
	jfrec_analysis_free(a);
	return finish_stdout();
}

static int list(const struct command *self, struct options *o)
{
	struct jfrec_analysis *a = make(self, o, NULL);
	int status = a ? analyze_list(a, o->json) : EXIT_USAGE;

	jfrec_analysis_free(a);
	return status;
}

/* --json and --ndjson are short for formats. */
static int choose_format(const struct command *self, struct options *o)
{
	print_fn *fn;

	if (o->json + o->ndjson + (o->format != NULL) > 1)
		return report_usage(self, "only one format can be given");
	if (o->json || o->ndjson)
		o->format = o->json ? "json" : "ndjson";
	if (o->format && !format_named(o->format, &fn))
		return report_usage(self, "unknown format '%s'; use text, json, ndjson, markdown, "
				    "sarif or junit",
				    o->format);
	return EXIT_DONE;
}

/* What is kept is the recording; findings go to standard output. */
static int check_output(const struct command *self, const struct options *o)
{
	if ((o->from.output || o->from.force) && !o->from.duration_ns)
		return report_usage(self, "-o and --force keep what --duration records; findings are "
				    "printed");
	if (o->from.output && strcmp(o->from.output, "-") == 0)
		return report_usage(self, "standard output has the findings; -o names a file");
	return EXIT_DONE;
}

/* Files, as long as everything can be read. */
static int read_files(struct options *o)
{
	int status = asking_read(&o->asking);

	if (status == EXIT_DONE && o->baseline_file &&
	    !(o->baseline = baseline_read(o->baseline_file)))
		status = EXIT_FAILED;
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options o = { .from = { .keep = true, .watch = true } };
	int status;

	if (!opt_parse(&p, &o))
		return p.status;
	argv += p.first_operand;
	argc -= p.first_operand;
	status = choose_format(self, &o);
	if (status == EXIT_DONE)
		status = check_output(self, &o);
	if (status == EXIT_DONE)
		status = read_files(&o);
	if (status != EXIT_DONE)
		;
	else if (o.list)
		status = argc ? report_usage(self, "--list needs no recording")
			      : list(self, &o);
	else if (o.explain && !argc && !o.from.jvm)
		status = explain(self, &o);
	else if (!o.from.jvm && !has_operands(self, &p, "the recording or JVM to judge"))
		status = EXIT_USAGE;
	else if ((status = event_opts_use_config(&o.select)) == EXIT_DONE)
		status = analyze_operands(self, &o, argv, argc);
	opt_list_fini(&o.require);
	asking_fini(&o.asking);
	json_decref(o.baseline);
	return status;
}

const struct command cmd_analyze = {
	.name = "analyze",
	.args = "RECORDING...|TARGET",
	.examples = "  jfrec analyze app.jfr\n"
		    "  jfrec analyze --duration 30s Shop\n",
	.summary = "say what is wrong in a recording, and what to do",
	.about = "Judge a recording by rules. Each finding has the number, the limit, the time,\n"
		 "what shows it, and one sentence of advice; a rule that cannot judge\n"
		 "says why. Several recordings, also in a directory or an archive, are\n"
		 "judged each by itself. --list shows the rules, --explain RULE explains one.",
	.opts = opts,
	.run = run,
};
