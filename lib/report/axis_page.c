/* SPDX-License-Identifier: MIT */
/*
 * axis_page.c - the times below the strips of the page
 */
#include "report/axis_page.h"

#include <string.h>

#include "format/clock.h"

double axis_place(const struct timeline_axis *a, int64_t ns)
{
	return 100 * axis_column(a, ns) / (double)a->columns;
}

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

int64_t axis_offset_ns(const struct jfrec_report *r, int64_t ns)
{
	return r->options.zone ? r->options.zone(r->options.zone_ctx, ns / 1000000000) *
					 INT64_C(1000000000)
			       : 0;
}

/* Few enough for a telephone. */
#define MOST_MARKS 6

/* Of all times that 64 bits can hold, the longest steps are fewer. */
#define MOST_STEPS 100

/* Columns between two times that are written. */
#define MARK_COLUMNS 140

/* Below a strip. */
struct axis_marks {
	struct html *h;
	const struct timeline_axis *axis;
	unsigned from, len; /* what is written of a time */
	double next;	    /* the first column where there is room */
};

static void put_mark(struct axis_marks *m, int64_t ns)
{
	double column = axis_column(m->axis, ns), x = axis_place(m->axis, ns);
	char text[HUMAN_MAX];

	html_putf(m->h, "<line x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"0\" y2=\"5\"/>", x, x);
	if (column < m->next)
		return;
	report_time_text(m->h->report, text, ns, true);
	html_putf(m->h, "<text x=\"%.2f%%\" y=\"16\"%s>%.*s</text>", x,
		  x < 4 ? " class=\"first\"" : x > 95 ? " class=\"last\"" : "", (int)m->len, text + m->from);
	m->next = column + MARK_COLUMNS;
}

static void put_part(struct axis_marks *m, const struct axis_part *p, int64_t step_ns)
{
	int64_t ahead_ns = axis_offset_ns(m->h->report, p->from_ns);
	int64_t local_ns = long_add(p->from_ns, ahead_ns + step_ns - 1);
	int64_t at = long_subtract(local_ns / step_ns * step_ns, ahead_ns);

	/* After a cut it is said when it goes on. */
	if (p->first)
		put_mark(m, p->from_ns);
	for (unsigned i = 0; at < p->to_ns && i < MOST_STEPS; i++, at = long_add(at, step_ns))
		put_mark(m, at);
}

static bool is_of_days(struct html *h, const struct timeline_axis *a)
{
	char from[HUMAN_MAX], to[HUMAN_MAX];

	return strncmp(report_time_text(h->report, from, a->from_ns, false),
		       report_time_text(h->report, to, a->to_ns, false), strlen("2026-11-22")) != 0;
}

void html_put_axis(struct html *h, const struct timeline_axis *a)
{
	double all = axis_ns(a) / 1e9;
	struct axis_marks m = { .h = h, .axis = a };
	size_t i = 0;

	while (i + 1 < sizeof(steps) / sizeof(*steps) && all / steps[i].seconds > MOST_MARKS)
		i++;
	m.from = steps[i].from;
	m.len = steps[i].len;
	if (a->part_count > 1 && is_of_days(h, a)) {
		/* "11-22 15:53" */
		m.from = 5;
		m.len = 11;
	}
	html_put(h, "<div class=\"row axis\"><span></span><svg width=\"100%\" height=\"20\" "
		    "aria-hidden=\"true\" class=\"marks\">");
	for (unsigned k = 0; k < a->part_count; k++)
		put_part(&m, &a->parts[k], (int64_t)(steps[i].seconds * 1e9));
	html_put(h, "</svg></div>\n");
}

void html_put_cuts(struct html *h, const struct timeline_axis *a)
{
	char from[HUMAN_MAX], to[HUMAN_MAX], length[HUMAN_MAX];

	for (unsigned i = 1; i < a->part_count; i++) {
		int64_t from_ns = a->parts[i - 1].to_ns, to_ns = a->parts[i].from_ns;

		html_putf(h, "<p class=\"soft\">Left out of the time axis, since nothing was recorded: "
			     "%s to %s, %s.</p>\n",
			  report_time_text(h->report, from, from_ns, false),
			  report_time_text(h->report, to, to_ns, false),
			  number_text(length, JFREC_UNIT_NS, (double)to_ns - (double)from_ns));
	}
}
