/* SPDX-License-Identifier: MIT */
/*
 * strip_page.c - the timeline of the page: strips, and what the script needs
 *
 * Pictures are complete without a script. For the script the values are there as JSON:
 *
 *	{"offset": ms ahead of UTC, "columns": n, "parts": [[from ms, to ms, first column, columns]],
 *	 "jvms": [{"strips": [{"id", "unit",
 *	  "lines": [{"name", "kind", "low": [...], "high": [...]}]}]}]}
 *
 * with null where a column has no value, and without "low" where it is of no use.
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/write_json.h"
#include "page/html_document.h"
#include "report/axis_page.h"
#include "report/chart.h"
#include "report/timeline.h"

/* Findings that have a time -------------------------------------------------------------------- */

static void begin_marks(struct html *h, size_t jvm)
{
	html_put(h, "<div class=\"row found\"><span>Findings");
	if (report_jvms(h->report) > 1) {
		html_put(h, " <span class=\"whose\">");
		html_put_text(h, report_jvm_label(h->report, jvm));
		html_put(h, "</span>");
	}
	html_put(h, "</span><svg width=\"100%\" height=\"14\" class=\"marks\">");
}

/* The findings of a JVM are numbered from `first` on; returns how many they are. */
static unsigned put_marks(struct html *h, size_t jvm, const struct timeline_axis *a, unsigned first)
{
	const struct jfrec_analysis *all = h->report->analysis;
	unsigned number = first;
	bool has_any = false;

	for (size_t i = 0; i < jfrec_analysis_finding_count(all, jvm); i++) {
		const struct jfrec_rule_finding *f = jfrec_analysis_finding_get(all, jvm, i);

		if (f->severity < JFREC_SEVERITY_INFO)
			break;
		number++;
		for (size_t k = 0; k < jfrec_finding_evidence_count(f); k++) {
			const struct jfrec_evidence *e = jfrec_finding_evidence_get(f, k);
			double x, width;

			if (e->kind != JFREC_EVIDENCE_RANGE)
				continue;
			x = axis_place(a, e->from_ns);
			width = axis_place(a, e->to_ns) - x;
			if (!has_any)
				begin_marks(h, jvm);
			has_any = true;
			html_putf(h, "<a href=\"#f%u\" aria-label=\"", number);
			html_put_text(h, f->summary);
			html_putf(h, "\"><rect class=\"%s\" x=\"%.2f%%\" width=\"%.2f%%\" y=\"3\" "
				     "height=\"8\"><title>",
				  jfrec_severity_name(f->severity), x, width < 0.4 ? 0.4 : width);
			html_put_text(h, f->summary);
			html_put(h, "</title></rect></a>");
			break;
		}
	}
	if (has_any)
		html_put(h, "</svg></div>\n");
	return number - first;
}

/* Strips --------------------------------------------------------------------------------------- */

static void put_in_words(struct html *h, const struct timeline_strip *s)
{
	char most[HUMAN_MAX], mean[HUMAN_MAX], when[HUMAN_MAX];

	for (unsigned i = 0; i < s->line_count; i++) {
		const struct timeline_line *l = &s->lines[i];

		html_putf(h, "%s%s%sat most %s at %s, %s on average", i ? "; " : "",
			  report_words(h->report, l->line->name), *l->line->name ? " " : "",
			  number_text(most, s->strip->unit, l->most),
			  report_time_text(h->report, when, l->most_ns, false) + 11,
			  number_text(mean, s->strip->unit, l->mean));
	}
}

/* Where the columns have the flag, rectangles as high as the strip. */
static void put_bands(struct html *h, const char *class, const bool *flags, size_t count)
{
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && flags[end] == flags[i]; end++)
			;
		if (flags[i])
			html_putf(h, "<rect class=\"%s\" x=\"%zu\" width=\"%zu\" height=\"%d\"/>",
				  class, i, end - i, CHART_HEIGHT);
	}
}

/* What a strip is, at its left. Of several JVMs the first says what all are. */
static void put_legend(struct html *h, const struct timeline_strip *s, const struct scale *scale,
		       size_t jvm, bool is_first)
{
	char text[HUMAN_MAX];

	html_put(h, "<span class=\"label\">");
	if (is_first)
		html_putf(h, "<b>%s</b>", report_words(h->report, s->strip->title));
	for (unsigned i = 0; is_first && s->line_count > 1 && i < s->line_count; i++)
		html_putf(h, " <i class=\"%s\">%s</i>", i ? "second" : "first",
			  report_words(h->report, s->lines[i].line->name));
	if (is_first)
		html_putf(h, " <span class=\"top\">%s%s</span>",
			  number_text(text, s->strip->unit, scale->most),
			  scale->is_log ? ", log" : "");
	if (report_jvms(h->report) > 1) {
		html_put(h, "<span class=\"whose\">");
		html_put_text(h, report_jvm_label(h->report, jvm));
		html_put(h, "</span>");
	}
	html_put(h, "<output class=\"value\"></output></span>");
}

static void put_strip(struct html *h, size_t jvm, const struct timeline_strip *s,
		      const struct timeline_axis *a, const struct timeline_losses *losses,
		      const struct scale *scale, bool is_first)
{
	const bool *gaps = losses->is_gap;

	html_putf(h, "<div class=\"row strip-row%s\" data-strip=\"%zu-%s\">", is_first ? "" : " next",
		  jvm, s->strip->id);
	put_legend(h, s, scale, jvm, is_first);
	html_putf(h, "<svg class=\"chart\" role=\"img\" viewBox=\"0 0 %zu %d\" "
		     "preserveAspectRatio=\"none\" aria-label=\"%s: ",
		  a->columns, CHART_HEIGHT, s->strip->title);
	if (report_jvms(h->report) > 1) {
		html_put_text(h, report_jvm_label(h->report, jvm));
		html_put(h, ": ");
	}
	put_in_words(h, s);
	html_put(h, "\">");
	put_bands(h, "gap", gaps, a->columns);
	if (losses->has_any_lost)
		put_bands(h, "lost", losses->has_lost, a->columns);
	for (unsigned i = s->line_count; i-- > 0;) {
		struct chart_line line = { s->lines[i].kind, s->lines[i].columns, a->columns,
					   i > 0 };

		chart_put_line(h, scale, &line, gaps);
	}
	html_put(h, "</svg></div>\n");
}

/* For the script ------------------------------------------------------------------------------- */

static void put_values(struct html *h, const struct history_column *c, size_t count, bool high)
{
	html_data(h, ",\"%s\":[", high ? "high" : "low");
	for (size_t i = 0; i < count; i++) {
		if (c[i].has_value)
			html_data(h, "%s%.4g", i ? "," : "", high ? c[i].high : c[i].low);
		else
			html_data(h, "%snull", i ? "," : "");
	}
	html_data(h, "]");
}

static void put_strip_data(struct html *h, const struct timeline_strip *s, size_t columns,
			   bool is_first)
{
	static const char *const kinds[] = { "gauge", "events", "rate", "rate" };

	html_data(h, "%s{\"id\":\"%s\",\"unit\":\"%s\",\"lines\":[", is_first ? "" : ",",
		 s->strip->id, measure_name(s->strip->unit));
	for (unsigned i = 0; i < s->line_count; i++) {
		const struct timeline_line *l = &s->lines[i];

		html_data(h, "%s{\"name\":\"%s\",\"kind\":\"%s\"", i ? "," : "",
			  report_words(h->report, l->line->name),
			 kinds[l->kind]);
		if (l->kind == HISTORY_GAUGE)
			put_values(h, l->columns, columns, false);
		put_values(h, l->columns, columns, true);
		html_data(h, "}");
	}
	html_data(h, "]}");
}

/* In words ------------------------------------------------------------------------------------- */

static void put_row(struct html *h, size_t jvm, const struct timeline_strip *s)
{
	char text[HUMAN_MAX], when[HUMAN_MAX];

	for (unsigned i = 0; i < s->line_count; i++) {
		const struct timeline_line *l = &s->lines[i];
		bool is_value = l->kind == HISTORY_GAUGE || l->kind == HISTORY_EVENTS;

		html_put(h, "<tr>");
		if (report_jvms(h->report) > 1) {
			html_put(h, "<td class=\"l\">");
			html_put_text(h, report_jvm_label(h->report, jvm));
		}
		html_putf(h, "<td class=\"l\">%s%s%s<td>%s", report_words(h->report, s->strip->title),
			  *l->line->name ? ", " : "", report_words(h->report, l->line->name),
			  is_value ? number_text(text, s->strip->unit, l->history->low) : "");
		html_putf(h, "<td>%s", number_text(text, s->strip->unit, l->mean));
		html_putf(h, "<td>%s<td>%s\n", number_text(text, s->strip->unit, l->most),
			  l->most > 0 ? report_time_text(h->report, when, l->most_ns, true) : "");
	}
}

/* The strips of all JVMs, one JVM after the other. */
struct all_strips {
	struct timeline_strip of[REPORT_JVMS][MAX_STRIPS];
	struct timeline_losses losses[REPORT_JVMS];
	size_t jvms;
};

static void put_table(struct html *h, const struct all_strips *all)
{
	html_putf(h, "<details class=\"table\"><summary>Timeline as a table</summary>\n<div "
		     "class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Timeline as a "
		     "table\"><table class=\"grid\"><thead><tr>%s<th scope=\"col\" "
		     "class=\"l\">Value</th><th scope=\"col\">Lowest</th><th "
		     "scope=\"col\">Average</th><th scope=\"col\">Highest</th><th "
		     "scope=\"col\">When</th></tr></thead><tbody>\n",
		  all->jvms > 1 ? "<th scope=\"col\" class=\"l\">JVM</th>" : "");
	for (size_t i = 0; i < strip_count; i++) {
		for (size_t jvm = 0; jvm < all->jvms; jvm++) {
			if (all->of[jvm][i].strip)
				put_row(h, jvm, &all->of[jvm][i]);
		}
	}
	html_put(h, "</tbody></table></div></details>\n");
}

static void put_missing(struct html *h, const struct all_strips *all)
{
	struct reasons list = { .h = h };

	for (size_t i = 0; i < strip_count; i++) {
		const char *why[REPORT_JVMS];

		for (size_t jvm = 0; jvm < all->jvms; jvm++)
			why[jvm] = all->of[jvm][i].strip
					   ? NULL
					   : why_no_event(h->report->analysis,
							  report_jvm(h->report, jvm),
							  strips[i].event);
		html_put_reasons(&list, report_words(h->report, strips[i].title), why);
	}
	html_end_reasons(&list);
}

/* What the patterns mean, if they are there. */
static void put_key(struct html *h, const struct all_strips *all)
{
	bool has_gap = false, has_lost = false;

	for (size_t jvm = 0; jvm < all->jvms; jvm++) {
		has_lost |= all->losses[jvm].has_any_lost;
		for (size_t i = 0; i < AXIS_COLUMNS; i++)
			has_gap |= all->losses[jvm].is_gap[i];
	}
	if (has_gap || has_lost)
		html_putf(h, "<p class=\"soft\">%s%s%s</p>\n",
			  has_gap ? "Hatched: nothing was recorded." : "",
			  has_gap && has_lost ? " " : "",
			  has_lost ? "Bars over all strips: the JVM lost events." : "");
}

/* Everything ----------------------------------------------------------------------------------- */

static double most_of(const struct all_strips *all, size_t strip)
{
	double most = 0;

	for (size_t jvm = 0; jvm < all->jvms; jvm++) {
		const struct timeline_strip *s = &all->of[jvm][strip];

		for (unsigned i = 0; i < s->line_count; i++) {
			if (s->lines[i].most > most)
				most = s->lines[i].most;
		}
	}
	return most;
}

/* A strip of all JVMs, one below the other, on one scale. */
static void put_strips(struct html *h, const struct timeline_axis *a, const struct all_strips *all,
		       size_t strip)
{
	struct scale scale =
		scale_for(most_of(all, strip), strips[strip].is_log, strips[strip].is_share);
	bool is_first = true;

	for (size_t jvm = 0; jvm < all->jvms; jvm++) {
		if (!all->of[jvm][strip].strip)
			continue;
		put_strip(h, jvm, &all->of[jvm][strip], a, &all->losses[jvm], &scale, is_first);
		is_first = false;
	}
}

static void put_data(struct html *h, const struct timeline_axis *a, const struct all_strips *all)
{
	html_data(h, "{\"offset\":%" PRId64 ",\"columns\":%zu,\"parts\":[",
		 axis_offset_ns(h->report, a->from_ns) / 1000000, a->columns);
	for (unsigned i = 0; i < a->part_count; i++)
		html_data(h, "%s[%" PRId64 ",%" PRId64 ",%zu,%zu]", i ? "," : "",
			  a->parts[i].from_ns / 1000000, a->parts[i].to_ns / 1000000,
			  a->parts[i].first, a->parts[i].count);
	html_data(h, "],\"jvms\":[");
	for (size_t jvm = 0; jvm < all->jvms; jvm++) {
		bool is_first = true;

		html_data(h, "%s{\"strips\":[", jvm ? "," : "");
		for (size_t i = 0; i < strip_count; i++) {
			if (!all->of[jvm][i].strip)
				continue;
			put_strip_data(h, &all->of[jvm][i], a->columns, is_first);
			is_first = false;
		}
		html_data(h, "]}");
	}
	html_data(h, "]}");
}

static bool has_strips(const struct all_strips *all)
{
	for (size_t i = 0; i < all->jvms * MAX_STRIPS; i++) {
		if (all->of[i / MAX_STRIPS][i % MAX_STRIPS].strip)
			return true;
	}
	return false;
}

static void put_all(struct html *h, const struct timeline_axis *a, const struct all_strips *all)
{
	unsigned finding = 0;

	html_putf(h, "<div class=\"timeline%s\" id=\"strips\">\n", all->jvms > 1 ? " several" : "");
	html_put(h, "<svg class=\"patterns\" aria-hidden=\"true\"><defs><pattern id=\"hatch\" width=\"12\" "
		    "height=\"12\" patternUnits=\"userSpaceOnUse\"><path d=\"M-1 13L13 -1\"/></pattern>"
		    "</defs></svg>\n");
	for (size_t jvm = 0; jvm < all->jvms; jvm++)
		finding += put_marks(h, jvm, a, finding);
	if (all->jvms > 1)
		html_put_axis(h, a);
	for (size_t i = 0; i < strip_count; i++)
		put_strips(h, a, all, i);
	if (has_strips(all))
		html_put_axis(h, a);
	html_put(h, "</div>\n");
	put_key(h, all);
	html_put_cuts(h, a);
	if (has_strips(all))
		put_table(h, all);
	put_missing(h, all);
	put_data(h, a, all);
}

static int make_all(struct jfrec_report *r, const struct timeline_axis *a, struct all_strips *all)
{
	for (size_t jvm = 0; jvm < all->jvms; jvm++) {
		if (timeline_losses(r, jvm, a, &all->losses[jvm]) < 0)
			return -1;
		for (size_t i = 0; i < strip_count; i++) {
			if (timeline_strip_make(r, jvm, a, &strips[i], &all->of[jvm][i]) < 0)
				return -1;
		}
	}
	return 0;
}

int html_put_timeline(struct html *h)
{
	struct all_strips *all = calloc(1, sizeof(*all));
	struct timeline_axis a;
	int ret = all ? axis_make(h->report, &a) : -1;

	if (ret == 0) {
		all->jvms = report_jvms(h->report);
		ret = make_all(h->report, &a, all);
	}
	if (ret == 0) {
		put_all(h, &a, all);
		ret = h->data.failed ? -1
				     : html_document_put_data("timeline-data", &h->data, h->out);
	}
	for (size_t i = 0; all && i < REPORT_JVMS * MAX_STRIPS; i++)
		timeline_strip_fini(&all->of[i / MAX_STRIPS][i % MAX_STRIPS]);
	free(all);
	return ret;
}
