/* SPDX-License-Identifier: MIT */
/*
 * findings.c - what is wrong, at the top of the page
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/html.h"

static const char *severity_word(enum jfrec_severity s)
{
	return s == JFREC_SEVERITY_WARNING ? "Warning" : "Info";
}

static unsigned count(const struct jfrec_report *r, size_t jvm, enum jfrec_severity s)
{
	unsigned n = 0;

	for (size_t i = 0; i < jfrec_analysis_finding_count(r->analysis, jvm); i++)
		n += jfrec_analysis_finding_get(r->analysis, jvm, i)->severity == s;
	return n;
}

/* Evidence ------------------------------------------------------------------------------------- */

static void put_frames(struct html *h, const struct jfrec_evidence *e)
{
	html_put(h, "<details><summary>");
	html_put_text(h, e->text ? e->text : "stack");
	html_put(h, "</summary><ol class=\"stack\">");
	for (size_t i = 0; i < jfrec_evidence_frame_count(e); i++) {
		html_put(h, "<li>");
		html_put_text(h, jfrec_evidence_frame_get(e, i));
		html_put(h, "</li>");
	}
	html_put(h, "</ol></details>");
}

static void put_range(struct html *h, const struct jfrec_evidence *e)
{
	html_putf(h, "<a class=\"when\" href=\"#timeline\" data-from=\"%" PRId64 "\" data-to=\"%" PRId64
		     "\">", e->from_ns / 1000000, (e->to_ns + 999999) / 1000000);
	html_put_text(h, e->text ? e->text : "");
	html_put(h, "</a>");
}

static void put_value(struct html *h, const struct jfrec_evidence *e)
{
	char share[HUMAN_MAX];

	if (e->kind == JFREC_EVIDENCE_STACK) {
		put_frames(h, e);
	} else if (e->kind == JFREC_EVIDENCE_RANGE) {
		put_range(h, e);
	} else if (e->kind == JFREC_EVIDENCE_METHOD && h->has_graphs) {
		html_put(h, "<a class=\"seek\" href=\"#where\">");
		html_put_text(h, e->text ? e->text : "");
		html_put(h, "</a>");
	} else if (e->kind == JFREC_EVIDENCE_COMMAND) {
		html_put(h, e->is_whole ? "<code>" : "<code>jfrec ");
		html_put_text(h, e->text ? e->text : "");
		html_put(h, "</code>");
	} else {
		html_put_text(h, e->text ? e->text : "");
	}
	if (isfinite(e->share))
		html_putf(h, " <span class=\"soft\">%s</span>", human_share(share, e->share));
}

static void put_evidence(struct html *h, const struct jfrec_rule_finding *f)
{
	if (!jfrec_finding_evidence_count(f))
		return;
	html_put(h, "<dl class=\"form\">\n");
	for (size_t i = 0; i < jfrec_finding_evidence_count(f); i++) {
		const struct jfrec_evidence *e = jfrec_finding_evidence_get(f, i);

		html_put(h, "<div><dt>");
		html_put_text(h, e->label && *e->label		      ? e->label
				 : e->kind == JFREC_EVIDENCE_COMMAND ? "show the events"
								      : "note");
		html_put(h, "</dt><dd>");
		put_value(h, e);
		html_put(h, "</dd></div>\n");
	}
	html_put(h, "</dl>\n");
}

/* Findings ------------------------------------------------------------------------------------- */

/* When it was: of the first range of its evidence. */
static const struct jfrec_evidence *range_of(const struct jfrec_rule_finding *f)
{
	for (size_t i = 0; i < jfrec_finding_evidence_count(f); i++) {
		if (jfrec_finding_evidence_get(f, i)->kind == JFREC_EVIDENCE_RANGE)
			return jfrec_finding_evidence_get(f, i);
	}
	return NULL;
}

static void put_advice(struct html *h, const char *advice)
{
	/* A command keeps its small letter. */
	html_put(h, *advice == '`' ? "<p>" : "<p class=\"advice\">");
	html_put_sentence(h, report_redact(h->report, advice));
	html_put(h, "</p>\n");
}

static void put_followers(struct html *h, size_t jvm, const struct jfrec_rule_finding *of);

/* number: of the finding in the page, by which strips refer to it. */
static void put_finding(struct html *h, size_t jvm, const struct jfrec_rule_finding *f,
			unsigned number)
{
	const struct jfrec_evidence *range = range_of(f);

	html_putf(h, "<li class=\"finding %s\" id=\"f%u\"><h3><span class=\"severity\">%s</span> ",
		  jfrec_severity_name(f->severity), number, severity_word(f->severity));
	html_put_text(h, f->summary);
	html_put(h, "</h3>\n");
	if (f->advice)
		put_advice(h, f->advice);
	if (range || f->doubt) {
		html_put(h, "<p class=\"soft\">");
		if (range)
			put_range(h, range);
		if (f->doubt) {
			html_put(h, range ? " \xc2\xb7 less sure: " : "Less sure: ");
			html_put_text(h, f->doubt);
		}
		html_put(h, "</p>\n");
	}
	html_putf(h, "<details class=\"evidence\"><summary>Evidence (rule %s)</summary>\n", f->rule->id);
	put_evidence(h, f);
	html_put(h, "</details>");
	put_followers(h, jvm, f);
	html_put(h, "</li>\n");
}

/* What follows from a finding, beneath it. */
static void put_followers(struct html *h, size_t jvm, const struct jfrec_rule_finding *of)
{
	unsigned n = 0;

	for (size_t i = 0; i < jfrec_analysis_finding_count(h->report->analysis, jvm); i++) {
		const struct jfrec_rule_finding *f =
			jfrec_analysis_finding_get(h->report->analysis, jvm, i);

		if (!f->explained_by || strcmp(f->explained_by, of->rule->id) != 0)
			continue;
		if (!n++)
			html_put(h, "\n<p class=\"soft\">From this follows:</p>\n"
				    "<ol class=\"findings\">\n");
		put_finding(h, jvm, f, h->findings + (unsigned)i + 1);
	}
	if (n)
		html_put(h, "</ol>");
}

static void put_without_data(struct html *h, size_t jvm, unsigned n)
{
	if (!n)
		return;
	html_putf(h, "<details class=\"table\"><summary>Questions without data (%u)</summary>\n"
		     "<dl class=\"form wide\">\n", n);
	for (size_t i = 0; i < jfrec_analysis_finding_count(h->report->analysis, jvm); i++) {
		const struct jfrec_rule_finding *f =
			jfrec_analysis_finding_get(h->report->analysis, jvm, i);

		if (f->severity != JFREC_SEVERITY_NO_DATA)
			continue;
		html_put(h, "<div><dt>");
		markup_put_text(h->out, report_words(h->report, f->rule->question));
		html_put(h, "</dt><dd>");
		html_put_said(h, f->summary ? f->summary : "");
		html_put(h, "</dd></div>\n");
	}
	html_put(h, "</dl></details>\n");
}

static void put_in_order(struct html *h, size_t jvm)
{
	html_put(h, "<details class=\"table\"><summary>What is in order</summary><ul>\n");
	for (size_t i = 0; i < jfrec_analysis_finding_count(h->report->analysis, jvm); i++) {
		const struct jfrec_rule_finding *f =
			jfrec_analysis_finding_get(h->report->analysis, jvm, i);

		if (f->severity != JFREC_SEVERITY_OK)
			continue;
		html_put(h, "<li>");
		html_put_text(h, f->summary ? f->summary
					    : report_words(h->report, f->rule->question));
		html_put(h, "</li>\n");
	}
	html_put(h, "</ul></details>\n");
}

/* What an outage would need, and nothing here tells. */
static void put_untold(struct html *h, size_t jvm)
{
	const char *untold = jfrec_analysis_jvm_get(h->report->analysis, jvm)->untold;

	if (!untold)
		return;
	html_put(h, "<p class=\"soft\">");
	html_put_text(h, untold);
	html_put(h, ".</p>\n");
}

void html_put_findings(struct html *h, size_t jvm)
{
	unsigned warnings = count(h->report, jvm, JFREC_SEVERITY_WARNING);
	unsigned infos = count(h->report, jvm, JFREC_SEVERITY_INFO);
	unsigned ok = count(h->report, jvm, JFREC_SEVERITY_OK);
	unsigned without = count(h->report, jvm, JFREC_SEVERITY_NO_DATA);

	html_put(h, "<p class=\"verdict\">");
	html_put_text(h, jfrec_analysis_jvm_get(h->report->analysis, jvm)->verdict);
	html_put(h, "</p>\n");
	html_putf(h, "<p class=\"soft\">%u warning%s, %u info%s. %u question%s found nothing wrong, "
		     "%u had no data.</p>\n",
		  warnings, warnings == 1 ? "" : "s", infos, infos == 1 ? "" : "s", ok,
		  ok == 1 ? "" : "s", without);
	put_untold(h, jvm);
	html_put(h, "<ol class=\"findings\">\n");
	for (size_t i = 0; i < warnings + infos; i++) {
		const struct jfrec_rule_finding *f =
			jfrec_analysis_finding_get(h->report->analysis, jvm, i);

		if (!f->explained_by)
			put_finding(h, jvm, f, h->findings + (unsigned)i + 1);
	}
	h->findings += warnings + infos;
	html_put(h, "</ol>\n");
	if (ok)
		put_in_order(h, jvm);
	put_without_data(h, jvm, without);
}
