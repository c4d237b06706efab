/* SPDX-License-Identifier: MIT */
/*
 * markdown.c - the report as Markdown, for chats and tickets
 *
 * Short: findings, key figures, the heaviest methods, and the first rows of the tables that are
 * open on the page.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "page/markdown_text.h"
#include "page/markup.h"
#include "report/shown_texts.h"
#include "stacks/methods.h"
#include "stacks/weight_text.h"

#define MOST_ROWS     10
#define MOST_EVIDENCE 4

/* Bytes of a text. */
#define MOST_SHOWN 200

struct markdown {
	struct jfrec_report *report;
	struct out *out;
	struct buffer text, clean, marked;
};

/* Pieces --------------------------------------------------------------------------------------- */

static void put(struct markdown *m, const char *text)
{
	out_put(m->out, text, strlen(text));
}

/* Never a text of the recording. */
static __attribute__((format(printf, 2, 3))) void putf(struct markdown *m, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	put(m, text);
}

/* Redacted, cut, and without what turns or controls a terminal. NULL when memory is gone. */
static const char *prepared(struct markdown *m, const struct text_spot *spot, const char *text,
			    size_t len)
{
	bool is_cut;

	text = report_shown(m->report, spot, text, len, MOST_SHOWN, &m->text, &is_cut);
	if (!text)
		return NULL;
	buffer_clear(&m->clean);
	markup_clean(&m->clean, text);
	if (is_cut)
		buffer_put(&m->clean, "\xe2\x80\xa6", 3);
	buffer_u8(&m->clean, 0);
	return m->clean.failed ? NULL : (const char *)m->clean.data;
}

static void put_buffer(struct markdown *m)
{
	if (!m->marked.failed)
		out_put(m->out, (const char *)m->marked.data, m->marked.len);
	buffer_clear(&m->marked);
}

/* A text as code. */
static void put_code_at(struct markdown *m, const struct text_spot *spot, const char *text,
			size_t len)
{
	const char *shown = prepared(m, spot, text, len);

	if (shown)
		markdown_code(&m->marked, shown, true);
	put_buffer(m);
}

static void put_code(struct markdown *m, const char *text)
{
	put_code_at(m, &(struct text_spot){ 0 }, text, strlen(text));
}

static void put_marked(struct markdown *m, const char *text, bool has_code)
{
	const char *shown = prepared(m, &(struct text_spot){ 0 }, text, strlen(text));

	if (shown)
		markdown_sentence(&m->marked, shown, has_code);
	put_buffer(m);
}

/* A sentence that may have names of the recording in it. */
static void put_sentence(struct markdown *m, const char *text)
{
	put_marked(m, text, false);
}

/* Of several JVMs, after a title: whose it is. */
static void put_whose(struct markdown *m, size_t jvm)
{
	if (report_jvms(m->report) < 2)
		return;
	put(m, ", ");
	put_sentence(m, report_jvm_label(m->report, jvm));
}

/* Findings ------------------------------------------------------------------------------------- */

static void put_evidence(struct markdown *m, const struct jfrec_evidence *e)
{
	char share[HUMAN_MAX];

	put(m, "   - ");
	if (e->label && *e->label) {
		put_sentence(m, e->label);
		put(m, ": ");
	}
	if (report_is_name(e))
		put_code(m, e->text);
	else
		put_sentence(m, e->text);
	if (e->share > 0)
		putf(m, " (%s)", human_share(share, e->share));
	put(m, "\n");
}

/* What follows from a finding, a line each. */
static void put_followers(struct markdown *m, size_t jvm, const struct jfrec_rule_finding *of)
{
	for (size_t i = 0; i < jfrec_analysis_finding_count(m->report->analysis, jvm); i++) {
		const struct jfrec_rule_finding *f =
			jfrec_analysis_finding_get(m->report->analysis, jvm, i);

		if (!f->explained_by || strcmp(f->explained_by, of->rule->id) != 0)
			continue;
		putf(m, "   - From this follows (%s, `%s`): ", jfrec_severity_name(f->severity),
		     f->rule->id);
		put_sentence(m, f->summary);
		put(m, "\n");
	}
}

static void put_finding(struct markdown *m, const struct jfrec_rule_finding *f)
{
	size_t shown = 0;

	putf(m, "1. **%s** (`%s`): ", f->severity == JFREC_SEVERITY_WARNING ? "Warning" : "Info",
	     f->rule->id);
	put_sentence(m, f->summary);
	put(m, "\n");
	if (f->advice) {
		/* Commands in it are in backquotes. */
		put(m, "   - Advice: ");
		put_marked(m, f->advice, true);
		put(m, "\n");
	}
	if (f->doubt) {
		put(m, "   - Less sure: ");
		put_sentence(m, f->doubt);
		put(m, "\n");
	}
	for (size_t i = 0; i < jfrec_finding_evidence_count(f) && shown < MOST_EVIDENCE; i++) {
		const struct jfrec_evidence *e = jfrec_finding_evidence_get(f, i);

		if (e->kind == JFREC_EVIDENCE_COMMAND || !e->text)
			continue;
		put_evidence(m, e);
		shown++;
	}
}

static void put_findings(struct markdown *m, size_t jvm)
{
	const struct jfrec_analysis *a = m->report->analysis;
	unsigned count[JFREC_SEVERITY_WARNING + 1] = { 0 };

	put(m, "## Findings");
	put_whose(m, jvm);
	put(m, "\n\n**");
	put_sentence(m, jfrec_analysis_jvm_get(a, jvm)->verdict);
	put(m, "**\n\n");
	for (size_t i = 0; i < jfrec_analysis_finding_count(a, jvm); i++) {
		const struct jfrec_rule_finding *f = jfrec_analysis_finding_get(a, jvm, i);

		count[f->severity]++;
		if (f->severity < JFREC_SEVERITY_INFO || f->explained_by)
			continue;
		put_finding(m, f);
		put_followers(m, jvm, f);
	}
	putf(m, "%s%u question%s found nothing wrong, %u had no data.\n\n",
	     count[JFREC_SEVERITY_INFO] + count[JFREC_SEVERITY_WARNING] ? "\n" : "",
	     count[JFREC_SEVERITY_OK], count[JFREC_SEVERITY_OK] == 1 ? "" : "s",
	     count[JFREC_SEVERITY_NO_DATA]);
	if (jfrec_analysis_jvm_get(a, jvm)->untold) {
		/* It has no word of the recording's. */
		put(m, jfrec_analysis_jvm_get(a, jvm)->untold);
		put(m, ".\n\n");
	}
}

/* Figures -------------------------------------------------------------------------------------- */

static void put_figures(struct markdown *m, size_t jvm)
{
	struct figure figures[MAX_FIGURES];
	size_t n = report_figures(m->report, jvm, figures);
	char text[HUMAN_MAX];

	if (!n)
		return;
	put(m, "## Key figures");
	put_whose(m, jvm);
	put(m, "\n\n");
	for (size_t i = 0; i < n; i++) {
		const struct figure *f = &figures[i];

		putf(m, "- %s: **%s**", report_words(m->report, f->label),
		     number_text(text, f->unit, f->value));
		if (f->value_is)
			putf(m, " %s", f->value_is);
		if (f->peak_is)
			putf(m, ", %s %s", number_text(text, f->unit, f->peak), f->peak_is);
		put(m, "\n");
	}
	put(m, "\n");
}

/* Profiles ------------------------------------------------------------------------------------- */

static int put_profile(struct markdown *m, size_t jvm, size_t kind)
{
	struct jfrec_stacks *s = m->report->stacks;
	unsigned side = report_part(m->report, jvm);
	const struct jfrec_stack_profile *p = jfrec_stacks_get(s, side, kind);
	char self[HUMAN_MAX], total[HUMAN_MAX];
	struct method_list list;

	if (methods_of(s, kind, stacks_tree(s, side, kind), BY_SELF, &list) < 0)
		return -1;
	put(m, "### Methods: ");
	put_sentence(m, p->label);
	put_whose(m, jvm);
	put(m, "\n\n| Self | Share | Total | Method |\n| --: | --: | --: | :-- |\n");
	for (size_t i = 0; i < list.count && i < MOST_ROWS && list.list[i].self; i++) {
		const struct method_weight *w = &list.list[i];

		weight_text(self, stacks_unit(s, kind), w->self);
		weight_text(total, stacks_unit(s, kind), w->total);
		putf(m, "| %s | %.1f %% | %s | ", self,
		     p->value ? 100.0 * (double)w->self / (double)p->value : 0, total);
		put_code(m, s->book.names.list[w->name].text);
		put(m, " |\n");
	}
	put(m, "\n");
	methods_fini(&list);
	return 0;
}

static int put_profiles(struct markdown *m)
{
	for (size_t i = 0; i < jfrec_stacks_count(m->report->stacks); i++) {
		for (size_t jvm = 0; jvm < report_jvms(m->report); jvm++) {
			if (report_has_profile(m->report, jvm, i) && put_profile(m, jvm, i) < 0)
				return -1;
		}
	}
	return 0;
}

/* Tables --------------------------------------------------------------------------------------- */

static void put_cell(struct markdown *m, struct jfrec_answer *t, const struct table_info *info,
		     size_t row, unsigned column)
{
	struct cell_spot spot;
	const char *text;
	size_t len;

	cell_spot_init(&spot, t, info, row, column);
	text = table_cell_text(t, row, column, &len);
	if (!text || !len)
		return;
	if (jfrec_answer_column_get(t, column)->kind == JFREC_KIND_STRING)
		put_code_at(m, &spot.spot, text, len);
	else
		out_put(m->out, text, len);
}

static void put_rows(struct markdown *m, struct jfrec_answer *t, const struct table_info *info)
{
	size_t columns = jfrec_answer_column_count(t), rows = jfrec_answer_row_count(t);

	for (size_t i = 0; i < columns; i++) {
		put(m, "| ");
		put_sentence(m, jfrec_answer_column_get(t, i)->label);
		put(m, i + 1 < columns ? " " : " |\n");
	}
	for (size_t i = 0; i < columns; i++)
		put(m, jfrec_answer_column_get(t, i)->kind == JFREC_KIND_STRING ? "| :-- "
										: "| --: ");
	put(m, "|\n");
	for (size_t row = 0; row < rows && row < MOST_ROWS; row++) {
		for (unsigned i = 0; i < columns; i++) {
			put(m, "| ");
			put_cell(m, t, info, row, i);
			put(m, i + 1 < columns ? " " : " |\n");
		}
	}
	if (rows > MOST_ROWS)
		putf(m, "\nThe first %d of %zu rows.\n", MOST_ROWS, rows);
	put(m, "\n");
}

static void put_form(struct markdown *m, struct jfrec_answer *t, const struct table_info *info)
{
	for (unsigned i = 0; i < jfrec_answer_column_count(t); i++) {
		put(m, "- ");
		put_sentence(m, jfrec_answer_column_get(t, i)->label);
		put(m, ": ");
		put_cell(m, t, info, 0, i);
		put(m, "\n");
	}
	put(m, "\n");
}

static void put_tables(struct markdown *m)
{
	size_t jvms = report_jvms(m->report);
	const char *why;

	for (size_t n = 0; n < table_count * jvms; n++) {
		const struct table_info *info = &table_infos[n / jvms];
		struct jfrec_answer *t = report_table(m->report, n % jvms, n / jvms, &why);

		if (!t || info->is_long || info->section == SECTION_ENVIRONMENT)
			continue;
		table_for_people(t, m->report->options.zone, m->report->options.zone_ctx);
		put(m, "### ");
		put_sentence(m, report_table_title(m->report, info));
		put_whose(m, n % jvms);
		put(m, "\n\n");
		if (jfrec_answer_is_form(t))
			put_form(m, t, info);
		else
			put_rows(m, t, info);
	}
}

/* Everything ----------------------------------------------------------------------------------- */

static void put_head(struct markdown *m, size_t jvm)
{
	struct report_fact facts[REPORT_FACTS];
	char missing[REPORT_LOSSES][REPORT_FACT_MAX];
	size_t n = report_facts(m->report, jvm, facts);

	for (size_t i = 0; i < n; i++) {
		putf(m, "- %s: ", facts[i].label);
		put_sentence(m, facts[i].text);
		put(m, "\n");
	}
	n = report_losses(m->report, jvm, missing);
	for (size_t i = 0; i < n; i++)
		putf(m, "- **%s**\n", missing[i]);
	put(m, "\n");
}

int markdown_write(struct jfrec_report *r, struct out *out)
{
	struct markdown m = { .report = r, .out = out };
	size_t jvms = report_jvms(r);
	int ret;

	put(&m, "# ");
	put_sentence(&m, r->title);
	put(&m, "\n\n");
	if (r->damage)
		putf(&m, "**The recording is damaged in %" PRIu64 " place%s: this shows what could be "
			 "read.**\n\n",
		     r->damage, r->damage == 1 ? "" : "s");
	if (!jvms)
		put(&m, "**The recording has no data that could be read.**\n\n");
	for (size_t i = 0; i < jvms; i++) {
		put_head(&m, i);
		put_findings(&m, i);
		put_figures(&m, i);
	}
	ret = put_profiles(&m);
	put_tables(&m);
	if (m.text.failed || m.clean.failed || m.marked.failed)
		ret = -1;
	buffer_fini(&m.text);
	buffer_fini(&m.clean);
	buffer_fini(&m.marked);
	return ret;
}
