/* SPDX-License-Identifier: MIT */
/*
 * strip_page.c - the timeline of the page: strips, and what the script needs
 *
 * Pictures are complete without a script. For the script the values are there as JSON:
 *
 *	{"from": ms, "to": ms, "offset": ms ahead of UTC, "columns": n,
 *	 "jvms": [{"name", "strips": [{"id", "unit", "top",
 *	  "lines": [{"name", "kind", "low": [...], "high": [...]}]}]}]}
 *
 * with null where a column has no value, and without "low" where it is of no use.
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "page/document.h"
#include "report/chart.h"
#include "report/timeline.h"

static const char *const unit_names[] = {
	[JFREC_MEASURE_NUMBER] = "number",	    [JFREC_MEASURE_SHARE] = "share",
	[JFREC_MEASURE_NS] = "ns",		    [JFREC_MEASURE_BYTES] = "bytes",
	[JFREC_MEASURE_PER_SECOND] = "perSecond",
	[JFREC_MEASURE_BYTES_PER_SECOND] = "bytesPerSecond",
};

static double place(const struct timeline_axis *a, int64_t ns)
{
	/* In doubles: a damaged recording has times from one end of 64 bits to the other. */
	return 100 * ((double)ns - (double)a->from_ns) / ((double)a->to_ns - (double)a->from_ns);
}

/* The axis ------------------------------------------------------------------------------------- */

/* Steps between marks, in seconds, and how their times are written. */
static const struct {
	double seconds;
	unsigned from, len; /* of "2026-11-22 15:53:40.123" */
} steps[] = {
	{ 0.01, 11, 12 }, { 0.05, 11, 12 }, { 0.1, 11, 12 }, { 0.2, 11, 12 }, { 0.5, 11, 12 },
	{ 1, 11, 8 },	  { 2, 11, 8 },	    { 5, 11, 8 },    { 10, 11, 8 },   { 15, 11, 8 },
	{ 30, 11, 8 },	  { 60, 11, 5 },    { 120, 11, 5 },  { 300, 11, 5 },  { 600, 11, 5 },
	{ 900, 11, 5 },	  { 1800, 11, 5 },  { 3600, 11, 5 }, { 7200, 11, 5 }, { 10800, 11, 5 },
	{ 21600, 11, 5 }, { 43200, 5, 11 }, { 86400, 0, 10 }, { 604800, 0, 10 }, { 2592000, 0, 10 },
	{ 31536000, 0, 10 }, { 315360000, 0, 10 },
};

/* How far local time is ahead of UTC. */
static int64_t offset_ns(const struct jfrec_report *r, int64_t ns)
{
	return r->options.zone ? r->options.zone(r->options.zone_ctx, ns / 1000000000) *
					 INT64_C(1000000000)
			       : 0;
}

/* Few enough for a telephone. */
#define MOST_MARKS 6

static void put_axis(struct html *h, const struct timeline_axis *a)
{
	double all = ((double)a->to_ns - (double)a->from_ns) / 1e9;
	size_t i = 0;
	int64_t step_ns, ahead_ns = offset_ns(h->report, a->from_ns);

	while (i + 1 < sizeof(steps) / sizeof(*steps) && all / steps[i].seconds > MOST_MARKS)
		i++;
	step_ns = (int64_t)(steps[i].seconds * 1e9);
	html_put(h, "<div class=\"row axis\"><span></span><svg width=\"100%\" height=\"20\" "
		    "aria-hidden=\"true\" class=\"marks\">");
	for (int64_t at = (a->from_ns + ahead_ns + step_ns - 1) / step_ns * step_ns - ahead_ns;
	     at < a->to_ns; at += step_ns) {
		char text[TIME_TEXT_MAX];
		double x = place(a, at);

		report_time_text(h->report, text, at, true);
		html_putf(h, "<line x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"0\" y2=\"5\"/><text x=\"%.2f%%\" "
			     "y=\"16\"%s>%.*s</text>",
			  x, x, x, x > 92 ? " text-anchor=\"end\"" : "", (int)steps[i].len,
			  text + steps[i].from);
	}
	html_put(h, "</svg></div>\n");
}

/* Findings that have a time -------------------------------------------------------------------- */

static void put_marks(struct html *h, size_t jvm, const struct timeline_axis *a, unsigned first)
{
	const struct jfrec_analysis *all = h->report->analysis;
	unsigned number = first;
	bool has_any = false;

	for (size_t i = 0; i < jfrec_analysis_finding_count(all, jvm); i++) {
		const struct jfrec_rule_finding *f = jfrec_analysis_finding(all, jvm, i);

		if (f->severity < JFREC_SEVERITY_INFO)
			break;
		number++;
		for (size_t k = 0; k < jfrec_finding_evidence_count(f); k++) {
			const struct jfrec_evidence *e = jfrec_finding_evidence_get(f, k);
			double x, width;

			if (e->kind != JFREC_EVIDENCE_RANGE)
				continue;
			x = place(a, e->from_ns);
			width = place(a, e->to_ns) - x;
			if (!has_any)
				html_put(h, "<div class=\"row found\"><span>Findings</span>"
					    "<svg width=\"100%\" height=\"14\" class=\"marks\">");
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
}

/* Strips --------------------------------------------------------------------------------------- */

static void put_in_words(struct html *h, const struct timeline_strip *s)
{
	char most[NUMBER_TEXT_MAX], mean[NUMBER_TEXT_MAX], when[TIME_TEXT_MAX];

	for (unsigned i = 0; i < s->line_count; i++) {
		const struct timeline_line *l = &s->lines[i];

		html_putf(h, "%s%s%sat most %s at %s, %s on average", i ? "; " : "", l->line->name,
			  *l->line->name ? " " : "", number_text(most, s->strip->unit, l->most),
			  report_time_text(h->report, when, l->most_ns, false) + 11,
			  number_text(mean, s->strip->unit, l->mean));
	}
}

static void put_gap_rects(struct html *h, const bool *gaps, size_t count)
{
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && gaps[end] == gaps[i]; end++)
			;
		if (gaps[i])
			html_putf(h, "<rect class=\"gap\" x=\"%zu\" width=\"%zu\" height=\"%d\"/>", i,
				  end - i, CHART_HEIGHT);
	}
}

static void put_legend(struct html *h, const struct timeline_strip *s, const struct scale *scale)
{
	char text[NUMBER_TEXT_MAX];

	html_putf(h, "<span class=\"label\"><b>%s</b>", s->strip->title);
	for (unsigned i = 0; s->line_count > 1 && i < s->line_count; i++)
		html_putf(h, " <i class=\"%s\">%s</i>", i ? "second" : "first", s->lines[i].line->name);
	html_putf(h, " <span class=\"top\">%s%s</span><output class=\"value\"></output></span>",
		  number_text(text, s->strip->unit, scale->most), scale->is_log ? ", log" : "");
}

static void put_strip(struct html *h, size_t jvm, const struct timeline_strip *s,
		      const struct timeline_axis *a, const bool *gaps, const struct scale *scale)
{
	html_putf(h, "<div class=\"row strip-row\" data-strip=\"%zu-%s\">", jvm, s->strip->id);
	put_legend(h, s, scale);
	html_putf(h, "<svg class=\"chart\" role=\"img\" viewBox=\"0 0 %zu %d\" "
		     "preserveAspectRatio=\"none\" aria-label=\"%s: ",
		  a->columns, CHART_HEIGHT, s->strip->title);
	put_in_words(h, s);
	html_put(h, "\">");
	put_gap_rects(h, gaps, a->columns);
	for (unsigned i = s->line_count; i-- > 0;) {
		struct chart_line line = { s->lines[i].kind, s->lines[i].columns, a->columns,
					   i > 0 };

		chart_put_line(h, scale, &line, gaps);
	}
	html_put(h, "</svg></div>\n");
}

/* For the script ------------------------------------------------------------------------------- */

static void put_json(struct html *h, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void put_json(struct html *h, const char *format, ...)
{
	char text[128];
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (len > 0)
		buffer_put(&h->data, text, (size_t)len < sizeof(text) ? (size_t)len : sizeof(text) - 1);
}

static void put_values(struct html *h, const struct history_column *c, size_t count, bool high)
{
	put_json(h, ",\"%s\":[", high ? "high" : "low");
	for (size_t i = 0; i < count; i++) {
		if (c[i].has_value)
			put_json(h, "%s%.4g", i ? "," : "", high ? c[i].high : c[i].low);
		else
			put_json(h, "%snull", i ? "," : "");
	}
	put_json(h, "]");
}

static void put_strip_data(struct html *h, const struct timeline_strip *s, size_t columns,
			   const struct scale *scale, bool is_first)
{
	static const char *const kinds[] = { "gauge", "events", "rate", "rate" };

	put_json(h, "%s{\"id\":\"%s\",\"unit\":\"%s\",\"top\":%.9g,\"lines\":[", is_first ? "" : ",",
		 s->strip->id, unit_names[s->strip->unit], scale->most);
	for (unsigned i = 0; i < s->line_count; i++) {
		const struct timeline_line *l = &s->lines[i];

		put_json(h, "%s{\"name\":\"%s\",\"kind\":\"%s\"", i ? "," : "", l->line->name,
			 kinds[l->kind]);
		if (l->kind == HISTORY_GAUGE)
			put_values(h, l->columns, columns, false);
		put_values(h, l->columns, columns, true);
		put_json(h, "}");
	}
	put_json(h, "]}");
}

/* A JVM ---------------------------------------------------------------------------------------- */

static double most_of(const struct timeline_strip *s)
{
	double most = 0;

	for (unsigned i = 0; i < s->line_count; i++) {
		if (s->lines[i].most > most)
			most = s->lines[i].most;
	}
	return most;
}

static void put_row(struct html *h, const struct timeline_strip *s)
{
	char text[NUMBER_TEXT_MAX], when[TIME_TEXT_MAX];

	for (unsigned i = 0; i < s->line_count; i++) {
		const struct timeline_line *l = &s->lines[i];
		bool is_value = l->kind == HISTORY_GAUGE || l->kind == HISTORY_EVENTS;

		html_putf(h, "<tr><td class=\"l\">%s%s%s<td>%s", s->strip->title,
			  *l->line->name ? ", " : "", l->line->name,
			  is_value ? number_text(text, s->strip->unit, l->history->low) : "");
		html_putf(h, "<td>%s", number_text(text, s->strip->unit, l->mean));
		html_putf(h, "<td>%s<td>%s\n", number_text(text, s->strip->unit, l->most),
			  l->most > 0 ? report_time_text(h->report, when, l->most_ns, true) : "");
	}
}

static void put_table(struct html *h, const struct timeline_strip *all)
{
	html_put(h, "<details class=\"table\"><summary>Timeline as a table</summary>\n<div "
		    "class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Timeline as a "
		    "table\"><table class=\"grid\"><thead><tr><th scope=\"col\" class=\"l\">Value</th>"
		    "<th scope=\"col\">Lowest</th><th scope=\"col\">Average</th><th "
		    "scope=\"col\">Highest</th><th scope=\"col\">When</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < strip_count; i++) {
		if (all[i].strip)
			put_row(h, &all[i]);
	}
	html_put(h, "</tbody></table></div></details>\n");
}

static void put_missing(struct html *h, size_t jvm, const struct timeline_strip *all)
{
	bool has_any = false;

	for (size_t i = 0; i < strip_count; i++) {
		const char *why = all[i].strip ? NULL
					       : why_no_event(h->report->analysis,
							      report_jvm(h->report, jvm),
							      strips[i].event);

		if (!why)
			continue;
		html_putf(h, "%s<li>%s: ", has_any ? "" : "<ul class=\"missing\">\n", strips[i].title);
		markup_put_text(h->out, why);
		html_put(h, "</li>\n");
		has_any = true;
	}
	if (has_any)
		html_put(h, "</ul>\n");
}

static int put_strips(struct html *h, size_t jvm, const struct timeline_axis *a,
		      struct timeline_strip *all, unsigned first_finding)
{
	bool gaps[TIMELINE_COLUMNS], is_first = true;

	timeline_gaps(h->report, jvm, a, gaps);
	put_json(h, "%s{\"strips\":[", jvm ? "," : "");
	put_marks(h, jvm, a, first_finding);
	for (size_t i = 0; i < strip_count; i++) {
		struct scale scale;

		if (timeline_strip_make(h->report, jvm, a, &strips[i], &all[i]) < 0)
			return -1;
		if (!all[i].strip)
			continue;
		scale = scale_for(most_of(&all[i]), strips[i].is_log, strips[i].is_share);
		put_strip(h, jvm, &all[i], a, gaps, &scale);
		put_strip_data(h, &all[i], a->columns, &scale, is_first);
		is_first = false;
	}
	put_json(h, "]}");
	put_axis(h, a);
	return h->data.failed ? -1 : 0;
}

static int put_jvm(struct html *h, size_t jvm, const struct timeline_axis *a, unsigned first_finding)
{
	struct timeline_strip all[MAX_STRIPS] = { 0 };
	int ret;

	if (jfrec_analysis_jvm_count(h->report->analysis) > 1) {
		html_put(h, "<h3>");
		html_put_text(h, report_jvm_name(h->report, jvm));
		html_put(h, "</h3>\n");
	}
	ret = put_strips(h, jvm, a, all, first_finding);
	if (ret == 0) {
		put_table(h, all);
		put_missing(h, jvm, all);
	}
	for (size_t i = 0; i < strip_count; i++)
		timeline_strip_fini(&all[i]);
	return ret;
}

int html_put_timeline(struct html *h)
{
	struct timeline_axis a = timeline_axis(h->report);
	size_t jvms = jfrec_analysis_jvm_count(h->report->analysis);
	unsigned finding = 0;
	int ret = 0;

	put_json(h, "{\"from\":%" PRId64 ",\"to\":%" PRId64 ",\"offset\":%" PRId64
		    ",\"columns\":%zu,\"jvms\":[",
		 a.from_ns / 1000000, a.to_ns / 1000000, offset_ns(h->report, a.from_ns) / 1000000,
		 a.columns);
	html_put(h, "<div class=\"timeline\" id=\"strips\">\n");
	for (size_t i = 0; i < jvms && i < REPORT_JVMS && ret == 0; i++) {
		ret = put_jvm(h, i, &a, finding);
		for (size_t k = 0; k < jfrec_analysis_finding_count(h->report->analysis, i); k++)
			finding += jfrec_analysis_finding(h->report->analysis, i, k)->severity >=
				   JFREC_SEVERITY_INFO;
	}
	put_json(h, "]}");
	html_put(h, "</div>\n");
	return ret < 0 ? -1 : document_put_data("timeline-data", &h->data, h->out);
}
