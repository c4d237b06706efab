/* SPDX-License-Identifier: MIT */
/*
 * chart.c - a strip of the timeline as SVG
 */
#include "report/chart.h"

#include <math.h>

/* What is shorter than 10 us is drawn as high as that. */
#define LOG_LEAST 1e4

struct scale scale_for(double most, bool is_log, bool is_share)
{
	static const double steps[] = { 1, 1.5, 2, 3, 4, 5, 6, 8, 10 };
	double power;

	if (is_share && most <= 1)
		return (struct scale){ 1, 0, false };
	if (!(most > 0))
		return (struct scale){ 1, LOG_LEAST, is_log };
	power = pow(10, floor(log10(most)));
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		if (steps[i] * power >= most)
			return (struct scale){ steps[i] * power, LOG_LEAST, is_log };
	}
	return (struct scale){ most, LOG_LEAST, is_log };
}

int scale_y(const struct scale *s, double value)
{
	double share = value / s->most;

	/* Something is never drawn as nothing. */
	if (s->is_log)
		share = value <= s->least || s->most <= s->least
				? 0.06
				: 0.06 + 0.94 * log(value / s->least) / log(s->most / s->least);
	if (value > 0 && share < 1.0 / CHART_HEIGHT)
		share = 1.0 / CHART_HEIGHT;
	if (!(share > 0))
		share = 0;
	/* A line at the top is not cut in half. */
	return CHART_HEIGHT - (int)lround((share > 1 ? 1 : share) * (CHART_HEIGHT - 3));
}

/* The next column with a value from `from` on; `until` if there is none, or a gap is before it. */
static size_t next_value(const struct chart_line *l, const bool *gaps, size_t from, bool *breaks)
{
	*breaks = false;
	for (; from < l->count; from++) {
		if (gaps[from])
			*breaks = true;
		if (l->columns[from].has_value)
			return from;
	}
	return l->count;
}

/* The columns of a stretch without gaps: its end, and the next one's beginning. */
static size_t stretch_end(const struct chart_line *l, const bool *gaps, size_t first, size_t *next)
{
	size_t last = first;
	bool breaks;

	for (;;) {
		*next = next_value(l, gaps, last + 1, &breaks);
		if (*next == l->count || breaks)
			return last;
		last = *next;
	}
}

/* What a column shows: how the line comes in, how far it goes up and down, and how it leaves. */
static void put_column(struct html *h, const struct scale *s, const struct history_column *c,
		       size_t x, bool is_first, int *at)
{
	int low = scale_y(s, c->low), high = scale_y(s, c->high);
	int first = scale_y(s, c->first), last = scale_y(s, c->last), near, far;

	if (is_first)
		html_putf(h, "M%zu %d", x, first);
	else if (first == *at)
		html_putf(h, "H%zu", x);
	else
		html_putf(h, "L%zu %d", x, first);
	/* The way over both extremes to the last value: a tooth of a saw ends where it should. */
	near = first == high ? high : low;
	far = first == high ? low : high;
	if (near != first)
		html_putf(h, "V%d", near);
	if (far != near)
		html_putf(h, "V%d", far);
	if (last != far)
		html_putf(h, "V%d", last);
	*at = last;
}

/* A line through a stretch; `fills`: closed at the ground. */
static void put_stretch(struct html *h, const struct scale *s, const struct chart_line *l,
			size_t first, size_t last, bool fills)
{
	int at = -1;

	for (size_t i = first; i <= last; i++) {
		if (l->columns[i].has_value)
			put_column(h, s, &l->columns[i], i, i == first, &at);
	}
	html_put(h, "h.9");
	if (fills)
		html_putf(h, "V%dH%zuz", CHART_HEIGHT, first);
}

static void put_gauge(struct html *h, const struct scale *s, const struct chart_line *l,
		      const bool *gaps, bool fills)
{
	size_t next;
	bool breaks;

	for (size_t i = next_value(l, gaps, 0, &breaks); i < l->count; i = next)
		put_stretch(h, s, l, i, stretch_end(l, gaps, i, &next), fills);
}

/* Steps as high as the rate, from the ground and back to it. */
static void put_rate(struct html *h, const struct scale *s, const struct chart_line *l,
		     const bool *gaps)
{
	int before = CHART_HEIGHT;

	html_putf(h, "M0 %d", CHART_HEIGHT);
	for (size_t i = 0; i < l->count; i++) {
		bool has = l->columns[i].has_value && !(gaps[i] && l->columns[i].high <= 0);
		int y = has ? scale_y(s, l->columns[i].high) : CHART_HEIGHT;

		if (y != before)
			html_putf(h, "H%zuV%d", i, y);
		before = y;
	}
	html_putf(h, "H%zuV%d", l->count, CHART_HEIGHT);
}

static void put_events(struct html *h, const struct scale *s, const struct chart_line *l)
{
	for (size_t i = 0; i < l->count; i++) {
		if (l->columns[i].has_value)
			html_putf(h, "M%zu.5 %dV%d", i, CHART_HEIGHT,
				  scale_y(s, l->columns[i].high));
	}
}

void chart_put_line(struct html *h, const struct scale *s, const struct chart_line *l,
		    const bool *gaps)
{
	static const char *const classes[] = { [HISTORY_GAUGE] = "line", [HISTORY_EVENTS] = "stems",
					       [HISTORY_RATE] = "steps", [HISTORY_COUNTER] = "steps" };

	if (l->kind == HISTORY_GAUGE && !l->is_second) {
		html_put(h, "<path class=\"area\" d=\"");
		put_gauge(h, s, l, gaps, true);
		html_put(h, "\"/>");
	}
	html_putf(h, "<path class=\"%s%s\" d=\"", classes[l->kind], l->is_second ? " second" : "");
	if (l->kind == HISTORY_GAUGE)
		put_gauge(h, s, l, gaps, false);
	else if (l->kind == HISTORY_EVENTS)
		put_events(h, s, l);
	else
		put_rate(h, s, l, gaps);
	html_put(h, "\"/>");
}
