/* SPDX-License-Identifier: MIT */
/*
 * formats.c - findings for other tools: Markdown, SARIF, JUnit
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "base/human.h"

/* Markdown ------------------------------------------------------------------------------------- */

static void put_made(char *text)
{
	fputs(text ? text : "", stdout);
	jfrec_free(text);
}

static void put_markdown(const char *text)
{
	put_made(jfrec_markdown_sentence(text, false));
}

static void put_code(const char *text)
{
	put_made(jfrec_markdown_code(text));
}

static void put_evidence(const struct analyze_report *r, const struct jfrec_evidence *e)
{
	char share[HUMAN_MAX];
	char *command;

	fputs("- ", stdout);
	if (e->kind == JFREC_EVIDENCE_COMMAND) {
		command = jfrec_evidence_command(e, r->operand);
		if (command)
			put_code(command);
		free(command);
	} else {
		if (e->label) {
			put_markdown(e->label);
			fputs(": ", stdout);
		}
		put_code(e->text);
		if (!isnan(e->share))
			printf(" (%s)", human_share(share, e->share));
	}
	putchar('\n');
}

static void put_finding(const struct analyze_report *r, const struct jfrec_rule_finding *f)
{
	char *advice = f->advice ? jfrec_advice_text(f->advice, r->operand) : NULL;

	printf("\n## %s: %s\n\n", jfrec_severity_name(f->severity), f->rule->id);
	put_markdown(f->summary);
	fputs("\n\n", stdout);
	for (size_t i = 0; i < jfrec_finding_evidence_count(f); i++)
		put_evidence(r, jfrec_finding_evidence_get(f, i));
	if (f->doubt) {
		fputs("\nLess sure, because ", stdout);
		put_markdown(f->doubt);
		fputs(".\n", stdout);
	}
	if (f->explained_by) {
		fputs("\nThis follows from ", stdout);
		put_markdown(f->explained_by);
		fputs(".\n", stdout);
	}
	fputs("\n**What to do:** ", stdout);
	if (advice)
		put_made(jfrec_markdown_sentence(advice, true));
	fputs("\n", stdout);
	free(advice);
}

int analyze_markdown(const struct analyze_report *r)
{
	const struct jfrec_analysis *a = r->analysis;
	char time[64], length[2 * HUMAN_MAX];

	for (size_t j = 0; j < jfrec_analysis_jvm_count(a); j++) {
		const struct jfrec_analyzed_jvm *v = jfrec_analysis_jvm_get(a, j);
		size_t warnings, infos;

		printf("%s# ", j ? "\n" : "");
		put_markdown(r->name);
		printf("\n\n%s from %s",
		       human_length(length, v->recorded_ns, v->end_ns - v->start_ns),
		       zone_time(time, sizeof(time), r->zone, v->start_ns));
		if (v->jdk)
			printf(", JDK %d", v->jdk);
		if (v->pid >= 0)
			printf(", process %" PRId64, v->pid);
		warnings = count_findings(a, j, JFREC_SEVERITY_WARNING);
		infos = count_findings(a, j, JFREC_SEVERITY_INFO);
		printf(": %zu warning%s, %zu info%s, %zu ok, %zu without data.\n", warnings,
		       warnings == 1 ? "" : "s", infos, infos == 1 ? "" : "s",
		       count_findings(a, j, JFREC_SEVERITY_OK),
		       count_findings(a, j, JFREC_SEVERITY_NO_DATA));
		printf("\n**");
		put_markdown(v->verdict);
		printf("**\n");
		for (size_t i = 0; i < jfrec_analysis_finding_count(a, j); i++) {
			const struct jfrec_rule_finding *f = jfrec_analysis_finding_get(a, j, i);

			if (report_shows(r, f))
				put_finding(r, f);
		}
		if (v->untold) {
			putchar('\n');
			put_markdown(v->untold);
			putchar('\n');
		}
	}
	return finish_stdout();
}

/* SARIF ---------------------------------------------------------------------------------------- */

/* The first method or class that the evidence names; or NULL. */
static const char *place_of(const struct jfrec_rule_finding *f)
{
	for (size_t i = 0; i < jfrec_finding_evidence_count(f); i++) {
		const struct jfrec_evidence *e = jfrec_finding_evidence_get(f, i);

		if (e->kind == JFREC_EVIDENCE_STACK || e->kind == JFREC_EVIDENCE_METHOD ||
		    e->kind == JFREC_EVIDENCE_CLASS)
			return e->text;
	}
	return NULL;
}

static json_t *result_json(const struct analyze_report *r, const struct jfrec_rule_finding *f)
{
	const char *place = place_of(f);
	json_t *location = json_pack("{s:{s:{s:o}}}", "physicalLocation", "artifactLocation", "uri",
				     text_json(r->name));
	char *advice = f->advice ? jfrec_advice_text(f->advice, r->operand) : NULL;
	json_t *text = json_sprintf("%s. %s", f->summary, advice ? advice : "");

	free(advice);
	if (!text)
		text = text_json(f->summary);
	if (place)
		json_object_set_new(location, "logicalLocations",
				    json_pack("[{s:o}]", "fullyQualifiedName", text_json(place)));
	return json_pack("{s:s, s:s, s:{s:o}, s:[o]}", "ruleId", f->rule->id, "level",
			 f->severity == JFREC_SEVERITY_WARNING ? "warning" : "note", "message",
			 "text", text, "locations", location);
}

static json_t *rules_json(const struct jfrec_analysis *a)
{
	const struct jfrec_rule_info *rule;
	json_t *rules = json_array();

	for (size_t i = 0; (rule = jfrec_analysis_rule_get(a, i)) != NULL; i++)
		json_array_append_new(
			rules, json_pack("{s:s, s:{s:s}, s:{s:s}, s:{s:s}}", "id", rule->id,
					 "shortDescription", "text", rule->question,
					 "fullDescription", "text", rule->computes, "help", "text",
					 rule->advice ? rule->advice : rule->computes));
	return rules;
}

int analyze_sarif(const struct analyze_report *r)
{
	json_t *results = json_array();

	for (size_t j = 0; j < jfrec_analysis_jvm_count(r->analysis); j++) {
		for (size_t i = 0; i < jfrec_analysis_finding_count(r->analysis, j); i++) {
			const struct jfrec_rule_finding *f =
				jfrec_analysis_finding_get(r->analysis, j, i);

			if (report_shows(r, f))
				json_array_append_new(results, result_json(r, f));
		}
	}
	return print_json(json_pack(
		"{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:o}]}", "$schema",
		"https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs", "tool",
		"driver", "name", "jfrec", "version", jfrec_version(), "rules", rules_json(r->analysis),
		"results", results));
}

/* JUnit ---------------------------------------------------------------------------------------- */

/* XML has no control characters at all, and neither U+FFFE nor U+FFFF. */
static void put_xml_text(const char *text)
{
	for (; *text; text++) {
		if (strncmp(text, "\xef\xbf\xbe", 3) == 0 || strncmp(text, "\xef\xbf\xbf", 3) == 0) {
			fputs("\xef\xbf\xbd", stdout);
			text += 2;
			continue;
		}
		switch (*text) {
		case '&':
			fputs("&amp;", stdout);
			break;
		case '<':
			fputs("&lt;", stdout);
			break;
		case '>':
			fputs("&gt;", stdout);
			break;
		case '"':
			fputs("&quot;", stdout);
			break;
		default:
			putchar((unsigned char)*text < 0x20 ? ' ' : *text);
		}
	}
}

/* Names of files may be any bytes, and this document is UTF-8. */
static void put_valid(const char *text, void (*put)(const char *text))
{
	char *valid = text ? valid_text(text) : NULL;

	if (valid)
		put(valid);
	free(valid);
}

static void put_xml(const char *text)
{
	put_valid(text, put_xml_text);
}

static bool fails(const struct analyze_report *r, const struct jfrec_rule_finding *f)
{
	return f->severity >= JFREC_SEVERITY_INFO && is_new(r->baseline, f) &&
	       f->severity >= (r->fail_on ? r->fail_on : JFREC_SEVERITY_WARNING);
}

static void put_case(const struct analyze_report *r, const struct jfrec_rule_finding *f)
{
	char *advice = f->advice ? jfrec_advice_text(f->advice, r->operand) : NULL;

	fputs("    <testcase classname=\"", stdout);
	put_xml(r->name);
	printf("\" name=\"%s\"", f->rule->id);
	if (fails(r, f)) {
		fputs(">\n      <failure message=\"", stdout);
		put_xml(f->summary);
		printf("\" type=\"%s\">", jfrec_severity_name(f->severity));
		put_xml(advice);
		fputs("</failure>\n    </testcase>\n", stdout);
	} else if (f->severity == JFREC_SEVERITY_NO_DATA || f->severity == JFREC_SEVERITY_IGNORED) {
		fputs(">\n      <skipped message=\"", stdout);
		put_xml(f->summary);
		fputs("\"/>\n    </testcase>\n", stdout);
	} else {
		fputs("/>\n", stdout);
	}
	free(advice);
}

int analyze_junit(const struct analyze_report *r)
{
	const struct jfrec_analysis *a = r->analysis;

	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", stdout);
	for (size_t j = 0; j < jfrec_analysis_jvm_count(a); j++) {
		size_t count = jfrec_analysis_finding_count(a, j), failures = 0;

		for (size_t i = 0; i < count; i++)
			failures += fails(r, jfrec_analysis_finding_get(a, j, i));
		fputs("  <testsuite name=\"", stdout);
		put_xml(r->name);
		printf("\" tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\">\n", count, failures,
		       count_findings(a, j, JFREC_SEVERITY_NO_DATA) +
			       count_findings(a, j, JFREC_SEVERITY_IGNORED));
		for (size_t i = 0; i < count; i++)
			put_case(r, jfrec_analysis_finding_get(a, j, i));
		fputs("  </testsuite>\n", stdout);
	}
	fputs("</testsuites>\n", stdout);
	return finish_stdout();
}
