/* SPDX-License-Identifier: MIT */
/*
 * axis.c - the time axis that all strips of all JVMs share, in columns
 */
#include "report/axis.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "format/clock.h"

/* A gap is cut out if it is longer than this part of all that was recorded. */
#define CUT_SHARE 0.25

struct recorded_span {
	int64_t from_ns, to_ns;
};

struct span_list {
	struct recorded_span *list;
	size_t count, room;
};

/* What was recorded ---------------------------------------------------------------------------- */

static int by_start(const void *a, const void *b)
{
	const struct recorded_span *x = a, *y = b;

	return (x->from_ns > y->from_ns) - (x->from_ns < y->from_ns);
}

static int64_t within(int64_t ns, int64_t least, int64_t most)
{
	return ns < least ? least : ns > most ? most : ns;
}

static bool add_chunks(const struct jfrec_report *r, const struct facts *f, struct span_list *to)
{
	for (size_t i = 0; i < f->chunk_count; i++) {
		const struct chunk_fact *c = &f->chunks[i];
		struct recorded_span s = { within(c->start_ns, r->start_ns, r->end_ns),
				  within(c->end_ns, r->start_ns, r->end_ns) };

		/*
		 * Until when a chunk lasts that is not finished is not known: until the next one.
		 */
		if (c->is_unfinished && i + 1 < f->chunk_count)
			s.to_ns = within(f->chunks[i + 1].start_ns, s.to_ns, r->end_ns);
		if (!array_push(to->list, to->count, to->room, s))
			return false;
	}
	return true;
}

/* Spans that touch become one. */
static void unite(struct span_list *l)
{
	size_t count = 0;

	if (l->count)
		qsort(l->list, l->count, sizeof(*l->list), by_start);
	for (size_t i = 0; i < l->count; i++) {
		struct recorded_span *last = count ? &l->list[count - 1] : NULL;

		if (!last || l->list[i].from_ns > last->to_ns)
			l->list[count++] = l->list[i];
		else if (l->list[i].to_ns > last->to_ns)
			last->to_ns = l->list[i].to_ns;
	}
	l->count = count;
}

/* Parts ---------------------------------------------------------------------------------------- */

static int64_t gap_before(const struct span_list *l, size_t i)
{
	return long_subtract(l->list[i].from_ns, l->list[i - 1].to_ns);
}

static int by_length(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x < *y) - (*x > *y);
}

/* Gaps that are longer than this are cut out: few enough for AXIS_PARTS. INT64_MAX: none is. */
static int64_t longest_shown(const struct span_list *l)
{
	int64_t recorded_ns = 0, least, *gaps;

	if (l->count < 2)
		return INT64_MAX;
	for (size_t i = 0; i < l->count; i++)
		recorded_ns = long_add(recorded_ns,
				       long_subtract(l->list[i].to_ns, l->list[i].from_ns));
	least = (int64_t)((double)recorded_ns * CUT_SHARE);
	if (l->count <= AXIS_PARTS)
		return least;
	gaps = calloc(l->count, sizeof(*gaps));
	if (!gaps)
		return -1;
	for (size_t i = 1; i < l->count; i++)
		gaps[i - 1] = gap_before(l, i);
	qsort(gaps, l->count - 1, sizeof(*gaps), by_length);
	if (gaps[AXIS_PARTS - 1] > least)
		least = gaps[AXIS_PARTS - 1];
	free(gaps);
	return least;
}

static void cut(struct timeline_axis *a, const struct span_list *l, int64_t longest_ns)
{
	struct axis_part *part = &a->parts[0];

	*part = (struct axis_part){ .from_ns = a->from_ns, .to_ns = a->to_ns };
	a->part_count = 1;
	for (size_t i = 1; i < l->count && a->part_count < AXIS_PARTS; i++) {
		if (gap_before(l, i) <= longest_ns)
			continue;
		part->to_ns = l->list[i - 1].to_ns;
		part = &a->parts[a->part_count++];
		*part = (struct axis_part){ .from_ns = l->list[i].from_ns, .to_ns = a->to_ns };
	}
}

double axis_ns(const struct timeline_axis *a)
{
	double all = 0;

	for (unsigned i = 0; i < a->part_count; i++)
		all += (double)a->parts[i].to_ns - (double)a->parts[i].from_ns;
	return all;
}

/* By their length; what rounding leaves is the last one's. */
static void give_columns(struct timeline_axis *a)
{
	size_t free_columns = a->columns - AXIS_CUT * (a->part_count - 1), first = 0;
	/* No part is so short that it cannot be seen. */
	size_t spare = free_columns - AXIS_CUT * a->part_count;
	double all = axis_ns(a);

	for (unsigned i = 0; i < a->part_count; i++) {
		struct axis_part *p = &a->parts[i];
		double share = ((double)p->to_ns - (double)p->from_ns) / all;

		p->first = first;
		p->count = i + 1 < a->part_count ? AXIS_CUT + (size_t)((double)spare * share)
						 : a->columns - first;
		first += p->count + AXIS_CUT;
	}
}

/* A column is 1 ms at least. */
static void lengthen(struct timeline_axis *a)
{
	int64_t least = AXIS_COLUMNS * INT64_C(1000000);
	struct axis_part *last = &a->parts[a->part_count - 1];

	if (axis_ns(a) < (double)least)
		last->to_ns = long_add(last->to_ns, least - (int64_t)axis_ns(a));
	a->to_ns = last->to_ns;
}

int axis_make(const struct jfrec_report *r, struct timeline_axis *a)
{
	size_t jvms = jfrec_analysis_jvm_count(r->analysis);
	struct span_list all = { 0 };
	int64_t longest_ns;
	bool is_good = true;

	*a = (struct timeline_axis){ r->start_ns, r->end_ns, AXIS_COLUMNS, .part_count = 0 };
	for (size_t i = 0; i < jvms && i < REPORT_JVMS && is_good; i++)
		is_good = add_chunks(r, &report_jvm(r, i)->facts, &all);
	if (is_good)
		unite(&all);
	longest_ns = is_good ? longest_shown(&all) : -1;
	if (longest_ns >= 0) {
		cut(a, &all, longest_ns);
		lengthen(a);
		give_columns(a);
	}
	free(all.list);
	return longest_ns < 0 ? -1 : 0;
}

double axis_column(const struct timeline_axis *a, int64_t ns)
{
	const struct axis_part *p = &a->parts[0];

	for (unsigned i = 1; i < a->part_count && a->parts[i].from_ns <= ns; i++)
		p = &a->parts[i];
	/* In doubles: a damaged recording has times from one end of 64 bits to the other. */
	if (ns <= p->from_ns)
		return (double)p->first;
	if (ns >= p->to_ns)
		return (double)(p->first + p->count);
	return (double)p->first + (double)p->count * ((double)ns - (double)p->from_ns) /
					  ((double)p->to_ns - (double)p->from_ns);
}
