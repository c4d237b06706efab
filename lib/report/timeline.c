/* SPDX-License-Identifier: MIT */
/*
 * timeline.c - the values of a JVM over time, cut into the columns of a picture
 */
#include "report/timeline.h"

#include <stdlib.h>
#include <string.h>

/* Rates are those of a second, or of this part of a short recording. */
#define WINDOW_NS    INT64_C(1000000000)
#define WINDOW_PARTS 100

static int64_t window_of(const struct timeline_axis *a)
{
	double part = axis_ns(a) / WINDOW_PARTS;

	return part < (double)WINDOW_NS ? (int64_t)part : WINDOW_NS;
}

static int64_t column_ns(const struct axis_part *p, size_t column)
{
	return p->from_ns + (int64_t)(((double)p->to_ns - (double)p->from_ns) *
				      ((double)column + 0.5) / (double)p->count);
}

/* The part, and what is next to it: half of what is cut out on either side. */
static struct history_span span_of(const struct timeline_axis *a, unsigned part)
{
	const struct axis_part *p = &a->parts[part];
	struct history_span s = { p->from_ns, p->to_ns, INT64_MIN, INT64_MAX };

	if (part > 0)
		s.first_ns = p->from_ns - (p->from_ns - p[-1].to_ns) / 2;
	if (part + 1 < a->part_count)
		s.last_ns = p->to_ns + (p[1].from_ns - p->to_ns) / 2;
	return s;
}

static bool fill(struct history *s, enum history_kind kind, const struct timeline_axis *a,
		 struct history_column *columns)
{
	for (unsigned i = 0; i < a->part_count; i++) {
		struct history_span span = span_of(a, i);

		if (!history_columns(s, kind, &span, window_of(a), columns + a->parts[i].first,
				     a->parts[i].count))
			return false;
	}
	return true;
}

/* The greatest of what is drawn: of values it is known when it was. */
static void find_most(const struct timeline_axis *a, struct timeline_line *l, double seconds)
{
	const struct history *s = l->history;

	l->most = 0;
	if (l->kind == HISTORY_GAUGE || l->kind == HISTORY_EVENTS) {
		l->most = s->high;
		l->most_ns = s->high_ns;
		l->mean = s->sum / (double)s->events;
		return;
	}
	for (unsigned k = 0; k < a->part_count; k++) {
		const struct history_column *c = l->columns + a->parts[k].first;

		for (size_t i = 0; i < a->parts[k].count; i++) {
			if (!c[i].has_value || !(c[i].high > l->most))
				continue;
			l->most = c[i].high;
			l->most_ns = column_ns(&a->parts[k], i);
		}
	}
	l->mean = seconds <= 0 ? 0
		  : l->kind == HISTORY_COUNTER ? (s->high - s->low) / seconds
					       : s->sum / seconds;
}

int timeline_strip_make(struct jfrec_report *r, size_t jvm, const struct timeline_axis *axis,
			const struct strip *strip, struct timeline_strip *to)
{
	const struct facts *f = &report_jvm(r, jvm)->facts;
	struct lines *lines = report_jvm(r, jvm)->watched;

	*to = (struct timeline_strip){ 0 };
	for (unsigned i = 0; i < strip->line_count; i++) {
		enum line_id id;
		struct history *s = strip_history(lines, &strip->lines[i], &id);
		struct timeline_line *l = &to->lines[to->line_count];

		if (!s)
			continue;
		*l = (struct timeline_line){ .line = &strip->lines[i],
					     .kind = strip_kind(strip, id),
					     .history = s };
		l->columns = calloc(axis->columns, sizeof(*l->columns));
		to->line_count++;
		to->strip = strip;
		if (!l->columns || !fill(s, l->kind, axis, l->columns))
			return -1;
		find_most(axis, l, (double)(f->end_ns - f->start_ns) / 1e9);
	}
	return 0;
}

void timeline_strip_fini(struct timeline_strip *s)
{
	for (unsigned i = 0; i < s->line_count; i++)
		free(s->lines[i].columns);
}

/* Losses --------------------------------------------------------------------------------------- */

static void mark(const struct timeline_axis *a, int64_t from_ns, int64_t to_ns, bool *columns)
{
	double last = axis_column(a, to_ns);

	for (size_t i = (size_t)axis_column(a, from_ns); i < a->columns && (double)i < last; i++)
		columns[i] = true;
}

static void mark_cuts(const struct timeline_axis *a, bool *columns)
{
	for (unsigned i = 1; i < a->part_count; i++)
		memset(columns + a->parts[i].first - AXIS_CUT, true, AXIS_CUT);
}

int timeline_losses(const struct jfrec_report *r, size_t jvm, const struct timeline_axis *axis,
		    struct timeline_losses *to)
{
	const struct facts *f = &report_jvm(r, jvm)->facts;
	struct history *lost = &((struct lines *)report_jvm(r, jvm)->watched)->of[LINE_LOST];
	struct history_column columns[AXIS_COLUMNS] = { 0 };
	struct recorded_gap gap = { 0 };

	*to = (struct timeline_losses){ 0 };
	mark_cuts(axis, to->is_gap);
	if (f->start_ns > axis->from_ns)
		mark(axis, axis->from_ns, f->start_ns, to->is_gap);
	while (report_next_gap(f, &gap))
		mark(axis, gap.from_ns, gap.to_ns, to->is_gap);
	if (f->end_ns < axis->to_ns && f->end_ns < r->end_ns)
		mark(axis, f->end_ns, axis->to_ns, to->is_gap);
	if (!fill(lost, HISTORY_EVENTS, axis, columns))
		return -1;
	for (size_t i = 0; i < axis->columns; i++) {
		to->has_lost[i] = columns[i].has_value;
		to->has_any_lost |= columns[i].has_value;
	}
	return 0;
}
