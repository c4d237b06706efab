/* SPDX-License-Identifier: MIT */
/*
 * timeline.c - the values of a JVM over time, cut into the columns of a picture
 */
#include "report/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "format/clock.h"

/* Rates are those of a second, or of this part of a short recording. */
#define WINDOW_NS    INT64_C(1000000000)
#define WINDOW_PARTS 100

/* Chunks that follow each other have no gap of this length. */
#define GAP_NS INT64_C(1000000000)

struct timeline_axis timeline_axis(const struct jfrec_report *r)
{
	struct timeline_axis a = { r->start_ns, r->end_ns, TIMELINE_COLUMNS };

	/* A column is 1 ms at least. */
	if (long_subtract(a.to_ns, a.from_ns) < TIMELINE_COLUMNS * INT64_C(1000000))
		a.to_ns = long_add(a.from_ns, TIMELINE_COLUMNS * INT64_C(1000000));
	return a;
}

static int64_t window_of(const struct timeline_axis *a)
{
	int64_t part = long_subtract(a->to_ns, a->from_ns) / WINDOW_PARTS;

	return part < WINDOW_NS ? part : WINDOW_NS;
}

static int64_t column_ns(const struct timeline_axis *a, size_t column)
{
	return a->from_ns + (int64_t)(((double)a->to_ns - (double)a->from_ns) * ((double)column + 0.5) /
				      (double)a->columns);
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
	for (size_t i = 0; i < a->columns; i++) {
		if (l->columns[i].has_value && l->columns[i].high > l->most) {
			l->most = l->columns[i].high;
			l->most_ns = column_ns(a, i);
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
		if (!l->columns ||
		    !history_columns(s, l->kind, axis->from_ns, axis->to_ns, window_of(axis),
				     l->columns, axis->columns))
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

static void mark(const struct timeline_axis *a, int64_t from_ns, int64_t to_ns, bool *gaps)
{
	double per_ns = (double)a->columns / ((double)a->to_ns - (double)a->from_ns);
	double first = ((double)from_ns - (double)a->from_ns) * per_ns;
	double last = ((double)to_ns - (double)a->from_ns) * per_ns;

	for (size_t i = first < 0 ? 0 : (size_t)first; i < a->columns && (double)i < last; i++)
		gaps[i] = true;
}

void timeline_gaps(const struct jfrec_report *r, size_t jvm, const struct timeline_axis *axis,
		   bool *gaps)
{
	const struct facts *f = &report_jvm(r, jvm)->facts;
	int64_t end_ns = f->start_ns;

	memset(gaps, 0, axis->columns * sizeof(*gaps));
	if (f->start_ns > axis->from_ns)
		mark(axis, axis->from_ns, f->start_ns, gaps);
	for (size_t i = 0; i < f->chunk_count; i++) {
		const struct chunk_fact *c = &f->chunks[i];
		/* Until when a chunk lasts that is not finished is not known. */
		bool is_open = i > 0 && f->chunks[i - 1].is_unfinished;

		if (!is_open && long_subtract(c->start_ns, end_ns) > GAP_NS)
			mark(axis, end_ns, c->start_ns, gaps);
		if (c->end_ns > end_ns)
			end_ns = c->end_ns;
	}
	if (f->end_ns < axis->to_ns && f->end_ns < r->end_ns)
		mark(axis, f->end_ns, axis->to_ns, gaps);
}
