/* SPDX-License-Identifier: MIT */
/*
 * findings.c - what is wrong, at the top of the page
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/html.h"
#include "report/places.h"
#include "report/shown_texts.h"

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

/* Whose a finding is, and where the page shows more of it. */
struct finding_spot {
	size_t jvm;
	struct finding_place place;
};

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

/* The profile that a script opens; that of a later JVM has its number. */
static void put_profile_name(struct html *h, const struct finding_spot *at)
{
	unsigned part = report_part(h->report, at->jvm);

	if (!at->place.profile)
		return;
	html_putf(h, " data-profile=\"%s", at->place.profile);
	if (part > 0 && part < REPORT_JVMS)
		html_putf(h, "-%u", part + 1);
	html_put(h, "\"");
}

static void put_value(struct html *h, const struct finding_spot *at, const struct jfrec_evidence *e)
{
	char share[HUMAN_MAX];

	if (e->kind == JFREC_EVIDENCE_STACK) {
		put_frames(h, e);
	} else if (e->kind == JFREC_EVIDENCE_RANGE) {
		put_range(h, e);
	} else if (e->kind == JFREC_EVIDENCE_METHOD && h->has_graphs) {
		html_put(h, "<a class=\"seek\" href=\"#where\"");
		put_profile_name(h, at);
		html_put(h, ">");
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

static void put_evidence(struct html *h, const struct finding_spot *at,
			 const struct jfrec_rule_finding *f)
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
		put_value(h, at, e);
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

static void put_who(struct html *h, const struct jfrec_evidence *e, bool is_first)
{
	char share[HUMAN_MAX];

	html_put(h, is_first ? "<ul class=\"who\"><li>" : "<li>");
	if (e->label && *e->label) {
		html_put_text(h, e->label);
		html_put(h, ": ");
	}
	html_put(h, "<b>");
	html_put_text(h, e->text);
	html_put(h, "</b>");
	if (isfinite(e->share))
		html_putf(h, " %s", human_share(share, e->share));
	html_put(h, "</li>");
}

/* The first two names that are not of one kind, such as a class and a place in the code. */
static void put_first_evidence(struct html *h, const struct jfrec_rule_finding *f)
{
	const struct jfrec_evidence *first = NULL;

	for (size_t i = 0; i < jfrec_finding_evidence_count(f); i++) {
		const struct jfrec_evidence *e = jfrec_finding_evidence_get(f, i);

		if (!report_is_name(e) || !e->text || !*e->text ||
		    (first && e->kind == first->kind))
			continue;
		put_who(h, e, !first);
		if (first)
			break;
		first = e;
	}
	if (first)
		html_put(h, "</ul>\n");
}

/* When it was, and where the page has more: the time, the table, the profile. */
static void put_links(struct html *h, const struct finding_spot *at,
		      const struct jfrec_rule_finding *f)
{
	const struct jfrec_evidence *range = range_of(f);
	const struct finding_place *place = &at->place;
	const char *between = "";

	if (!range && !f->doubt && place->table == table_count && !place->profile)
		return;
	html_put(h, "<p class=\"soft\">");
	if (range) {
		put_range(h, range);
		between = " \xc2\xb7 ";
	}
	if (place->table < table_count) {
		const struct table_info *info = &table_infos[place->table];

		html_putf(h, "%s<a href=\"#t-%s", between, info->view);
		if (at->jvm)
			html_putf(h, "-%zu", at->jvm + 1);
		html_put(h, "\">");
		markup_put_text(h->out, report_table_title(h->report, info));
		html_put(h, "</a>");
		between = " \xc2\xb7 ";
	}
	if (place->profile) {
		html_putf(h, "%s<a class=\"profile\" href=\"#where\"", between);
		put_profile_name(h, at);
		html_put(h, ">Flame graph</a>");
		between = " \xc2\xb7 ";
	}
	if (f->doubt) {
		html_putf(h, "%s%s", between, *between ? "less sure: " : "Less sure: ");
		html_put_text(h, f->doubt);
	}
	html_put(h, "</p>\n");
}

static void put_details(struct html *h, const struct finding_spot *at,
			const struct jfrec_rule_finding *f)
{
	if (f->advice)
		put_advice(h, f->advice);
	put_links(h, at, f);
}

/* What follows from a finding: a line, which unfolds. number: of the finding in the page. */
static void put_follower(struct html *h, size_t jvm, const struct jfrec_rule_finding *f,
			 unsigned number)
{
	struct finding_spot at = { jvm, report_finding_place(h->report, jvm, f) };

	html_putf(h, "<li class=\"follower %s\" id=\"f%u\"><details><summary><span "
		     "class=\"severity\">%s</span> ",
		  jfrec_severity_name(f->severity), number, severity_word(f->severity));
	html_put_text(h, f->summary);
	html_put(h, "</summary>\n");
	put_details(h, &at, f);
	put_evidence(h, &at, f);
	html_put(h, "</details></li>\n");
}

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
		put_follower(h, jvm, f, h->findings + (unsigned)i + 1);
	}
	if (n)
		html_put(h, "</ol>");
}

/* number: of the finding in the page, by which strips refer to it. */
static void put_finding(struct html *h, size_t jvm, const struct jfrec_rule_finding *f,
			unsigned number)
{
	struct finding_spot at = { jvm, report_finding_place(h->report, jvm, f) };

	html_putf(h, "<li class=\"finding %s\" id=\"f%u\"><h3><span class=\"severity\">%s</span> ",
		  jfrec_severity_name(f->severity), number, severity_word(f->severity));
	html_put_text(h, f->summary);
	html_put(h, "</h3>\n");
	put_first_evidence(h, f);
	put_details(h, &at, f);
	html_putf(h, "<details class=\"evidence\"><summary>Evidence (rule %s)</summary>\n", f->rule->id);
	put_evidence(h, &at, f);
	html_put(h, "</details>");
	put_followers(h, jvm, f);
	html_put(h, "</li>\n");
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

static void put_in_order(struct html *h, size_t jvm, unsigned n)
{
	html_putf(h, "<details class=\"table\"><summary>What is in order (%u)</summary><ul>\n", n);
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
	html_put_said(h, untold);
	html_put(h, ".</p>\n");
}

void html_put_verdict(struct html *h, size_t jvm)
{
	html_put_text(h, jfrec_analysis_jvm_get(h->report->analysis, jvm)->verdict);
}

void html_put_first_info(struct html *h, size_t jvm)
{
	const struct jfrec_rule_finding *f =
		jfrec_analysis_finding_get(h->report->analysis, jvm, 0);

	if (!f || f->severity != JFREC_SEVERITY_INFO)
		return;
	html_put(h, "<p class=\"first-info\">Worth a look first: ");
	html_put_text(h, f->summary);
	html_put(h, "</p>\n");
}

/* Those of a severity that do not follow from others. */
static void put_all_of(struct html *h, size_t jvm, enum jfrec_severity severity)
{
	html_put(h, "<ol class=\"findings\">\n");
	for (size_t i = 0; i < jfrec_analysis_finding_count(h->report->analysis, jvm); i++) {
		const struct jfrec_rule_finding *f =
			jfrec_analysis_finding_get(h->report->analysis, jvm, i);

		if (f->severity == severity && !f->explained_by)
			put_finding(h, jvm, f, h->findings + (unsigned)i + 1);
	}
	html_put(h, "</ol>\n");
}

static unsigned count_alone(const struct jfrec_report *r, size_t jvm, enum jfrec_severity s)
{
	unsigned n = 0;

	for (size_t i = 0; i < jfrec_analysis_finding_count(r->analysis, jvm); i++) {
		const struct jfrec_rule_finding *f =
			jfrec_analysis_finding_get(r->analysis, jvm, i);

		n += f->severity == s && !f->explained_by;
	}
	return n;
}

void html_put_findings(struct html *h, size_t jvm)
{
	unsigned warnings = count(h->report, jvm, JFREC_SEVERITY_WARNING);
	unsigned infos = count(h->report, jvm, JFREC_SEVERITY_INFO);
	unsigned ok = count(h->report, jvm, JFREC_SEVERITY_OK);
	unsigned alone = count_alone(h->report, jvm, JFREC_SEVERITY_INFO);

	if (warnings)
		put_all_of(h, jvm, JFREC_SEVERITY_WARNING);
	/* Beside what is wrong, what is only worth a look waits. */
	if (alone && warnings)
		html_putf(h, "<details class=\"table\"><summary>Worth a look, too (%u)</summary>\n", alone);
	if (alone)
		put_all_of(h, jvm, JFREC_SEVERITY_INFO);
	if (alone && warnings)
		html_put(h, "</details>\n");
	h->findings += warnings + infos;
	if (ok)
		put_in_order(h, jvm, ok);
	put_without_data(h, jvm, count(h->report, jvm, JFREC_SEVERITY_NO_DATA));
	put_untold(h, jvm);
}
