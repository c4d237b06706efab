/* SPDX-License-Identifier: MIT */
/*
 * document.c - findings as JSON: one document, or an object for each finding
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"

static const char *const measures[] = {
	[JFREC_UNIT_NONE] = "number",	    [JFREC_UNIT_PERCENT] = "share",
	[JFREC_UNIT_NS] = "ns",		    [JFREC_UNIT_BYTES] = "bytes",
	[JFREC_UNIT_HERTZ] = "perSecond",
	[JFREC_UNIT_BYTES_PER_S] = "bytesPerSecond",
};

/* Null for what is not a number, or has no end. */
static json_t *real_json(double v)
{
	if (!isfinite(v))
		return json_null();
	return v == floor(v) && fabs(v) < 9e15 ? json_integer((json_int_t)v) : json_real(v);
}

static json_t *time_json(int64_t ns)
{
	char text[40];

	return ns == INT64_MIN ? json_null() : json_string(iso_time(text, sizeof(text), ns));
}

static void set(json_t *to, const char *key, json_t *value)
{
	if (json_is_null(value))
		json_decref(value);
	else
		json_object_set_new(to, key, value);
}

static json_t *jmc_json(const struct jfrec_rule_info *rule)
{
	json_t *list = json_array();

	for (size_t i = 0; rule->jmc && rule->jmc[i]; i++)
		json_array_append_new(list, json_string(rule->jmc[i]));
	return list;
}

static int write_stream(void *to, const void *data, size_t len)
{
	return fwrite(data, 1, len, to) == len ? 0 : ENOMEM;
}

json_t *finding_json(const struct analyze_report *r, const struct jfrec_rule_finding *f)
{
	const struct jfrec_finding_texts texts = { .struct_size = sizeof(texts),
						   .operand = r->operand };
	char *text = NULL;
	size_t len = 0;
	FILE *to = open_memstream(&text, &len);
	json_t *finding = NULL;
	int written = -1;

	if (to)
		written = jfrec_finding_write_json(f, &texts, write_stream, to, NULL);
	if (to && fclose(to) == 0 && written == 0)
		finding = json_loadb(text, len, JSON_ALLOW_NUL, NULL);
	free(text);
	return finding;
}

static json_t *jvm_json(const struct jfrec_analyzed_jvm *v)
{
	json_t *o = json_object();

	set(o, "pid", v->pid >= 0 ? json_integer(v->pid) : json_null());
	set(o, "start", time_json(v->jvm_start_ns));
	set(o, "jdk", v->jdk ? json_integer(v->jdk) : json_null());
	set(o, "version", text_json(v->version));
	set(o, "name", text_json(v->vm));
	set(o, "collector", text_json(v->collector));
	set(o, "maxHeap", v->heap_max > 0 ? json_integer(v->heap_max) : json_null());
	set(o, "hwThreads", v->hw_threads ? json_integer(v->hw_threads) : json_null());
	set(o, "cpus", v->cpus > 0 ? real_json(v->cpus) : json_null());
	return o;
}

static json_t *span_json(const struct jfrec_analyzed_jvm *v)
{
	return json_pack("{s:o, s:o, s:I, s:I, s:I, s:I, s:I}", "start", time_json(v->start_ns),
			 "end", time_json(v->end_ns), "durationNanos",
			 (json_int_t)(v->end_ns - v->start_ns), "recordedNanos",
			 (json_int_t)v->recorded_ns, "chunks", (json_int_t)v->chunks,
			 "events", (json_int_t)v->events, "lostBytes", (json_int_t)v->lost_bytes);
}

static bool is_shown(const struct analyze_report *r, const struct jfrec_rule_finding *f)
{
	return (f->severity < JFREC_SEVERITY_INFO && !r->as_text) || report_shows(r, f);
}

static json_t *counts_json(const struct jfrec_analysis *a, size_t jvm)
{
	json_t *o = json_object();

	for (int s = JFREC_SEVERITY_WARNING; s >= JFREC_SEVERITY_IGNORED; s--)
		json_object_set_new(o, jfrec_severity_name((enum jfrec_severity)s),
				    json_integer((json_int_t)count_findings(
					    a, jvm, (enum jfrec_severity)s)));
	return o;
}

static json_t *judged_json(const struct analyze_report *r, size_t jvm)
{
	const struct jfrec_analyzed_jvm *v = jfrec_analysis_jvm_get(r->analysis, jvm);
	json_t *findings = json_array();

	for (size_t i = 0; i < jfrec_analysis_finding_count(r->analysis, jvm); i++) {
		const struct jfrec_rule_finding *f =
			jfrec_analysis_finding_get(r->analysis, jvm, i);

		if (is_shown(r, f))
			json_array_append_new(findings, finding_json(r, f));
	}
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "recording", span_json(v), "jvm",
			 jvm_json(v), "verdict", text_json(v->verdict), "cannotTell",
			 text_json(v->untold), "findings", findings, "counts",
			 counts_json(r->analysis, jvm));
}

int analyze_json(const struct analyze_report *r)
{
	json_t *jvms = json_array();

	for (size_t j = 0; j < jfrec_analysis_jvm_count(r->analysis); j++)
		json_array_append_new(jvms, judged_json(r, j));
	return print_document("analysis", json_pack("{s:o}", "jvms", jvms));
}

static int print_line(json_t *o)
{
	char *text = o ? json_dumps(o, JSON_COMPACT) : NULL;
	int error = text ? write_stdout(NULL, text, strlen(text)) : 0;

	if (text && !error)
		error = write_stdout(NULL, "\n", 1);
	json_decref(o);
	if (!text) {
		say_out_of_memory();
		return EXIT_FAILED;
	}
	free(text);
	return error ? report_write_failure(error) : EXIT_DONE;
}

int analyze_ndjson(const struct analyze_report *r)
{
	int status = EXIT_DONE;

	for (size_t j = 0; j < jfrec_analysis_jvm_count(r->analysis); j++) {
		const struct jfrec_analyzed_jvm *v = jfrec_analysis_jvm_get(r->analysis, j);

		for (size_t i = 0; i < jfrec_analysis_finding_count(r->analysis, j); i++) {
			const struct jfrec_rule_finding *f =
				jfrec_analysis_finding_get(r->analysis, j, i);
			json_t *o;

			if (!is_shown(r, f))
				continue;
			o = finding_json(r, f);
			set(o, "recording", text_json(r->name));
			set(o, "pid", v->pid >= 0 ? json_integer(v->pid) : json_null());
			status = print_line(o);
			if (status != EXIT_DONE)
				return status;
		}
	}
	return status;
}

/* --list --json */
static json_t *rule_json(const struct jfrec_rule_info *rule)
{
	json_t *o = json_object(), *inputs = json_array();
	struct jfrec_rule_input in;

	set(o, "rule", json_string(rule->id));
	json_object_set_new(o, "jmc", jmc_json(rule));
	set(o, "question", json_string(rule->question));
	set(o, "matters", text_json(rule->matters));
	set(o, "computes", json_string(rule->computes));
	set(o, "measures", text_json(rule->measures));
	if (rule->measures) {
		set(o, "info", real_json(rule->info));
		set(o, "warning", real_json(rule->warning));
		set(o, "unit", json_string(measures[rule->unit]));
	}
	for (size_t i = 0; jfrec_rule_input_get(rule, i, &in); i++)
		json_array_append_new(
			inputs, json_pack("{s:s, s:s}", "event", in.event, "need",
					  in.need == JFREC_RULE_HELPS	 ? "helps"
					  : in.need == JFREC_RULE_OCCURS ? "occurs"
									 : "periodic"));
	json_object_set_new(o, "events", inputs);
	set(o, "advice", text_json(rule->advice));
	set(o, "beware", text_json(rule->beware));
	set(o, "differs", text_json(rule->differs));
	return o;
}

int analyze_list(const struct jfrec_analysis *a, bool json)
{
	const struct jfrec_rule_info *rule;
	json_t *list = json ? json_array() : NULL;

	for (size_t i = 0; (rule = jfrec_analysis_rule_get(a, i)) != NULL; i++) {
		if (json)
			json_array_append_new(list, rule_json(rule));
		else
			printf("%-24s %s\n", rule->id, rule->question);
	}
	if (json)
		return print_document("rules", json_pack("{s:o}", "rules", list));
	return finish_stdout();
}
