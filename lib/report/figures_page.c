/* SPDX-License-Identifier: MIT */
/*
 * figures_page.c - key figures of the page, each with a small picture of how it went over time
 */
#include <math.h>
#include <stdlib.h>

#include "report/chart.h"

/* Columns of a small picture. */
#define SPARK_COLUMNS 80

static double most_of(const struct history_column *columns)
{
	double most = 0;

	for (size_t i = 0; i < SPARK_COLUMNS; i++) {
		if (columns[i].has_value && columns[i].high > most)
			most = columns[i].high;
	}
	return most;
}

/* The timeline has the same for those who do not see it. */
static void put_spark(struct html *h, size_t jvm, const struct figure *f)
{
	const struct facts *facts = &report_jvm(h->report, jvm)->facts;
	struct history_span span = { facts->start_ns, facts->end_ns, INT64_MIN, INT64_MAX };
	struct history_column columns[SPARK_COLUMNS] = { 0 };
	const bool gaps[SPARK_COLUMNS] = { false };
	struct chart_line line = { f->kind, columns, SPARK_COLUMNS, false };
	int64_t column_ns = (span.to_ns - span.from_ns) / SPARK_COLUMNS;
	struct scale scale;

	if (!f->history || column_ns <= 0 ||
	    !history_columns(f->history, f->kind, &span, column_ns, columns, SPARK_COLUMNS))
		return;
	scale = scale_for(most_of(columns), f->kind == HISTORY_EVENTS,
			  f->unit == JFREC_UNIT_PERCENT);
	html_putf(h, "<svg class=\"spark\" aria-hidden=\"true\" viewBox=\"0 0 %d %d\" "
		     "preserveAspectRatio=\"none\">", SPARK_COLUMNS, CHART_HEIGHT);
	chart_put_line(h, &scale, &line, gaps);
	html_put(h, "</svg>");
}

static void put_figure(struct html *h, size_t jvm, const struct figure *f)
{
	char text[HUMAN_MAX];

	html_putf(h, "<div><dt>%s</dt><dd><b>%s</b>", report_words(h->report, f->label),
		  number_text(text, f->unit, f->value));
	if (f->value_is || f->peak_is)
		html_put(h, " <span class=\"soft\">");
	if (f->value_is)
		html_put(h, f->value_is);
	if (f->peak_is)
		html_putf(h, "%s%s %s", f->value_is ? ", " : "",
			  number_text(text, f->unit, f->peak), f->peak_is);
	if (f->value_is || f->peak_is)
		html_put(h, "</span>");
	put_spark(h, jvm, f);
	html_put(h, "</dd></div>\n");
}

void html_put_figures(struct html *h, size_t jvm)
{
	struct figure figures[MAX_FIGURES];
	size_t n = report_figures(h->report, jvm, figures);

	if (!n) {
		html_put(h, "<p class=\"missing\">Nothing was recorded that has key figures, such as "
			    "the CPU load; <code>jfrec start --settings continuous</code> records "
			    "them.</p>\n");
		return;
	}
	html_put(h, "<dl class=\"figures\">\n");
	for (size_t i = 0; i < n; i++) {
		/* What never happened is no figure. */
		if (figures[i].value != 0 || figures[i].peak > 0)
			put_figure(h, jvm, &figures[i]);
	}
	html_put(h, "</dl>\n");
}
