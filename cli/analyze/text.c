/* SPDX-License-Identifier: MIT */
/*
 * text.c - print findings to be read: warnings first, each with what to do
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/analyze.h"
#include "base/human.h"
#include "opts/jfr_opts.h"

/* Where a finding's sentence begins, and what is below it. */
#define SENTENCE_AT 33
#define DETAILS_AT  9

/* Pieces of evidence that are shown without --all. */
#define SHORT_EVIDENCE 5

size_t count_findings(const struct jfrec_analysis *a, size_t jvm, enum jfrec_severity s)
{
	size_t n = 0;

	for (size_t i = 0; i < jfrec_analysis_finding_count(a, jvm); i++)
		n += jfrec_analysis_finding_get(a, jvm, i)->severity == s;
	return n;
}

/* Words ---------------------------------------------------------------------------------------- */

/* Columns of a word; characters of UTF-8 count one each. */
static unsigned columns_of(const char *word, size_t len)
{
	unsigned n = 0;

	for (size_t i = 0; i < len; i++)
		n += (word[i] & 0xc0) != 0x80;
	return n;
}

/* Up to the next blank that is not of a command, which would have to be put together again. */
static size_t word_of(const char *text)
{
	size_t len = 0;
	bool is_command = false;

	for (; text[len] && (is_command || text[len] != ' '); len++)
		is_command ^= text[len] == '`';
	return is_command ? strcspn(text, " ") : len;
}

void print_wrapped(const char *text, unsigned indent, unsigned width)
{
	unsigned at = indent;
	char word[1024];

	while (*text) {
		size_t len = word_of(text);
		unsigned columns = columns_of(text, len);

		if (at > indent && at + 1 + columns > width) {
			printf("\n%*s", (int)indent, "");
			at = indent;
		} else if (at > indent) {
			putchar(' ');
			at++;
		}
		snprintf(word, sizeof(word), "%.*s", (int)(len < sizeof(word) ? len : sizeof(word) - 1),
			 text);
		print_name(word);
		at += columns;
		text += len;
		text += strspn(text, " ");
	}
	putchar('\n');
}

/* The JVM -------------------------------------------------------------------------------------- */

static void print_jvm(const struct analyze_report *r, const struct jfrec_analyzed_jvm *v)
{
	char time[64], text[2 * HUMAN_MAX];
	const char *before = " (";

	put_name(stdout, r->name);
	printf(": %s from %s", human_length(text, v->recorded_ns, v->end_ns - v->start_ns),
	       zone_time(time, sizeof(time), r->zone, v->start_ns));
	if (v->pid >= 0)
		printf(", process %" PRId64, v->pid);
	if (v->jdk)
		printf(", JDK %d", v->jdk);
	if (v->collector) {
		printf("%s", before);
		print_name(v->collector);
		before = ", ";
	}
	if (v->cpus > 0 && v->hw_threads) {
		printf("%s%.3g CPU%s", before, v->cpus, v->cpus == 1 ? "" : "s");
		if (v->cpus < v->hw_threads)
			printf(" of %d", v->hw_threads);
		before = ", ";
	}
	if (v->heap_max > 0) {
		printf("%sheap %s", before, human_bytes(text, (double)v->heap_max));
		before = ", ";
	}
	printf("%s, %" PRIu64 " chunk%s\n", *before == ',' ? ")" : "", v->chunks,
	       v->chunks == 1 ? "" : "s");
	print_wrapped(v->verdict, 0, r->width);
	putchar('\n');
}

/* Findings ------------------------------------------------------------------------------------- */

static void begin_detail(const char *mark)
{
	printf("%*s%s", DETAILS_AT, "", mark);
}

static void print_stack(const struct jfrec_evidence *e, unsigned width, bool all)
{
	begin_detail("  ");
	printf("%s%sat ", e->label ? e->label : "", e->label ? ": " : "");
	print_wrapped(e->text, DETAILS_AT + 7, width);
	for (size_t i = 0; all && i < jfrec_evidence_frame_count(e); i++) {
		begin_detail("    at ");
		print_wrapped(jfrec_evidence_frame_get(e, i), DETAILS_AT + 7, width);
	}
}

static void print_piece(const struct analyze_report *r, const struct jfrec_evidence *e)
{
	char line[2048], share[HUMAN_MAX];
	char *command;

	if (e->kind == JFREC_EVIDENCE_STACK) {
		print_stack(e, r->width, r->all);
		return;
	}
	begin_detail(e->kind == JFREC_EVIDENCE_COMMAND ? "$ " : "  ");
	if (e->kind == JFREC_EVIDENCE_COMMAND) {
		command = jfrec_evidence_command(e, r->operand);
		print_name(command ? command : "");
		putchar('\n');
		free(command);
		return;
	}
	if (isnan(e->share))
		snprintf(line, sizeof(line), "%s%s%s", e->label ? e->label : "",
			 e->label ? ": " : "", e->text);
	else
		snprintf(line, sizeof(line), "%s%s%s (%s)", e->label ? e->label : "",
			 e->label ? ": " : "", e->text, human_share(share, e->share));
	print_wrapped(line, DETAILS_AT + 2, r->width);
}

static void print_evidence(const struct analyze_report *r, const struct jfrec_rule_finding *f)
{
	const struct jfrec_evidence *command = NULL;
	size_t shown = 0;

	for (size_t i = 0; i < jfrec_finding_evidence_count(f); i++) {
		const struct jfrec_evidence *e = jfrec_finding_evidence_get(f, i);

		if (e->kind == JFREC_EVIDENCE_COMMAND && !r->all) {
			command = command ? command : e;
			continue;
		}
		if (r->all || shown++ < SHORT_EVIDENCE)
			print_piece(r, e);
	}
	if (command)
		print_piece(r, command);
}

static void print_class(enum jfrec_severity s)
{
	bool color = isatty(STDOUT_FILENO) && !(getenv("NO_COLOR") && *getenv("NO_COLOR"));
	const char *on = s == JFREC_SEVERITY_WARNING ? "\033[31m"
			 : s == JFREC_SEVERITY_INFO  ? "\033[33m"
						     : "";

	printf("%s%-8s%s ", color ? on : "", jfrec_severity_name(s), color && *on ? "\033[0m" : "");
}

static void print_finding(const struct analyze_report *r, const struct jfrec_rule_finding *f)
{
	char *advice;

	print_class(f->severity);
	printf("%-23s ", f->rule->id);
	print_wrapped(f->summary, SENTENCE_AT, r->width);
	if (f->ignored_because) {
		begin_detail("  ignored: ");
		print_wrapped(f->ignored_because, DETAILS_AT + 11, r->width);
	}
	if (f->severity < JFREC_SEVERITY_INFO)
		return;
	print_evidence(r, f);
	if (f->doubt) {
		begin_detail("? ");
		print_wrapped(f->doubt, DETAILS_AT + 2, r->width);
	}
	if (f->advice) {
		advice = jfrec_advice_text(f->advice, r->operand);
		begin_detail("\u2192 ");
		print_wrapped(advice ? advice : f->advice, DETAILS_AT + 2, r->width);
		free(advice);
	}
}

/* What follows from it, a line each. With --all each is shown by itself, too. */
static void print_followers(const struct analyze_report *r, size_t jvm,
			    const struct jfrec_rule_finding *of)
{
	for (size_t i = 0; i < jfrec_analysis_finding_count(r->analysis, jvm); i++) {
		const struct jfrec_rule_finding *f =
			jfrec_analysis_finding_get(r->analysis, jvm, i);

		if (!f->explained_by || strcmp(f->explained_by, of->rule->id) != 0 ||
		    !report_shows(r, f))
			continue;
		begin_detail("+ ");
		printf("%-7s %-20s ", jfrec_severity_name(f->severity), f->rule->id);
		print_wrapped(f->summary, DETAILS_AT + 31, r->width);
	}
}

/* Is it shown beneath another one? */
static bool is_folded(const struct analyze_report *r, size_t jvm,
		      const struct jfrec_rule_finding *f)
{
	if (!f->explained_by || r->all)
		return false;
	for (size_t i = 0; i < jfrec_analysis_finding_count(r->analysis, jvm); i++) {
		const struct jfrec_rule_finding *cause =
			jfrec_analysis_finding_get(r->analysis, jvm, i);

		if (strcmp(cause->rule->id, f->explained_by) == 0)
			return report_shows(r, cause);
	}
	return false;
}

static bool is_shown(const struct analyze_report *r, const struct jfrec_rule_finding *f)
{
	if (f->severity < JFREC_SEVERITY_INFO)
		return r->all;
	return report_shows(r, f);
}

/*
 * From here on, what comes at intervals has come often enough, and what is rare perhaps; of what is
 * shorter than the least, the rule recording-short says so.
 */
#define LONG_NS	 (60 * (int64_t)1000000000)
#define LEAST_NS (20 * (int64_t)1000000000)

static size_t count_for_want_of_time(const struct analyze_report *r, size_t jvm)
{
	const struct jfrec_analyzed_jvm *v = jfrec_analysis_jvm_get(r->analysis, jvm);
	int64_t length = v->end_ns - v->start_ns;
	size_t n = 0;

	if (length < LEAST_NS || length >= LONG_NS)
		return 0;
	for (size_t i = 0; i < jfrec_analysis_finding_count(r->analysis, jvm); i++)
		n += jfrec_analysis_finding_get(r->analysis, jvm, i)->no_data == JFREC_TOO_FEW;
	return n;
}

static size_t count_for_want_of_settings(const struct analyze_report *r, size_t jvm)
{
	size_t n = 0;

	for (size_t i = 0; i < jfrec_analysis_finding_count(r->analysis, jvm); i++) {
		const char *name = jfrec_analysis_finding_get(r->analysis, jvm, i)->settings;

		n += name && strcmp(name, JFR_OPTS_RECORDED) == 0;
	}
	return n;
}

/*
 * What would help here: not settings for one question that few have, which the rule names, but
 * those of `jfrec record`, or time.
 */
static void print_help(const struct analyze_report *r, size_t jvm)
{
	size_t settings = count_for_want_of_settings(r, jvm);
	size_t time = count_for_want_of_time(r, jvm);

	if (settings)
		printf("With the settings of `jfrec record`, %zu of these could be judged: jfrec record "
		       "--duration 60s\n",
		       settings);
	else if (time)
		printf("Of a longer recording, up to %zu of these could be judged: jfrec record "
		       "--duration 60s\n",
		       time);
}

static void print_counts(const struct analyze_report *r, size_t jvm)
{
	const struct jfrec_analysis *a = r->analysis;
	size_t warnings = count_findings(a, jvm, JFREC_SEVERITY_WARNING);
	size_t infos = count_findings(a, jvm, JFREC_SEVERITY_INFO);
	size_t ok = count_findings(a, jvm, JFREC_SEVERITY_OK);
	size_t none = count_findings(a, jvm, JFREC_SEVERITY_NO_DATA);
	size_t ignored = count_findings(a, jvm, JFREC_SEVERITY_IGNORED);

	if (warnings + infos || r->all)
		putchar('\n');
	printf("%zu warning%s, %zu info%s, %zu ok, %zu without data", warnings,
	       warnings == 1 ? "" : "s", infos, infos == 1 ? "" : "s", ok, none);
	if (ignored)
		printf(", %zu ignored", ignored);
	printf("%s\n", none && !r->all ? " (--all tells why)" : "");
	if (jfrec_analysis_jvm_get(a, jvm)->untold)
		print_wrapped(jfrec_analysis_jvm_get(a, jvm)->untold, 0, r->width);
	else
		print_help(r, jvm);
}

void analyze_text(const struct analyze_report *r)
{
	size_t jvms = jfrec_analysis_jvm_count(r->analysis);

	for (size_t j = 0; j < jvms; j++) {
		if (j)
			putchar('\n');
		print_jvm(r, jfrec_analysis_jvm_get(r->analysis, j));
		for (size_t i = 0; i < jfrec_analysis_finding_count(r->analysis, j); i++) {
			const struct jfrec_rule_finding *f =
				jfrec_analysis_finding_get(r->analysis, j, i);

			if (!is_shown(r, f) || is_folded(r, j, f))
				continue;
			print_finding(r, f);
			print_followers(r, j, f);
		}
		print_counts(r, j);
	}
	if (!jvms)
		printf("Nothing of the recording can be read.\n");
}
