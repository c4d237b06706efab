/* SPDX-License-Identifier: MIT */
/*
 * chart.h - a strip of the timeline as SVG
 *
 * A picture is as many units wide as there are columns and CHART_HEIGHT high; the browser
 * stretches it. Columns in a gap, of which nothing is known, have no value and break lines.
 */
#ifndef JFREC_REPORT_CHART_H
#define JFREC_REPORT_CHART_H

#include "report/html.h"

#define CHART_HEIGHT 120

/* How values become heights. */
struct scale {
	double most, least; /* least: what a logarithm begins with */
	bool is_log;
};

/* A round number that is not less than the greatest value. */
struct scale scale_for(double most, bool is_log, bool is_share);

/* From the top: 0 to CHART_HEIGHT. */
int scale_y(const struct scale *s, double value);

struct chart_line {
	enum history_kind kind;
	const struct history_column *columns;
	size_t count;
	bool is_second; /* dashed, and not filled */
};

/* The path of a line. gaps: by column, is it in one? */
void chart_put_line(struct html *h, const struct scale *s, const struct chart_line *l,
		    const bool *gaps);

#endif
