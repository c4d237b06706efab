/* SPDX-License-Identifier: MIT */
/*
 * html_times.c - when the stacks of a page were seen
 *
 * The time of all profiles is cut into spans of one length, as short as leaves at most SPANS_MAX.
 * Varints (seven bits each, the lowest first):
 *
 *    spans: count, 0 if the times are not known, and nothing follows
 *    length of one in ms; begin of the first: ms since 1970
 *
 * Then for each profile:
 *
 *    unit: the weight that the numbers below count
 *    of each span: bytes of its entries, its weight
 *    of each span: its entries, one for each node that was seen:
 *       number of the node - that of the entry before << 1 | not 1; if it is not 1, the weight
 *
 * Nodes are numbered in the order of the walk, those left out that weigh nothing themselves.
 *
 * Weights are multiples of the unit where they have one in common (the period of samples). Else
 * the unit is small, and what rounding leaves of a node is carried to its next entry. So sums over
 * any time are off by less than a unit for each node. Nodes begin with a part of a unit, each with
 * another one: so what rounding takes from some, it gives to others.
 *
 * Where the entries would take more than the page has room for, the unit is larger: light stacks
 * are then seen in fewer spans, and are heavier there.
 */
#include "profiles/html_times.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/protobuf.h"

/* A day has spans of 10 s. */
#define SPANS_MAX 8641

/* Of all: what is lost by rounding is less, for each node. The second: if nothing is lost. */
#define UNITS_MAX 10000000
#define EXACT_UNITS_MAX 1000000000

/* Entries that are sorted at once. */
#define BATCH (1u << 18)

struct seen {
	int64_t weight;
	uint32_t span, node;
};

/* What is written of one profile. */
struct timeline {
	struct times *times;
	struct tree *tree;
	const struct jfrec_stacks *stacks;
	size_t kind;
	uint32_t *order;  /* by node: its number */
	int64_t *carried; /* by number: what rounding left */
	uint32_t walked;
	const struct time_axis *axis;
	int64_t all, common;
	uint32_t *counts;	   /* by span: entries */
	uint32_t begin, end;	   /* the spans at hand */
	size_t room;		   /* for entries, in bytes; 0: no bound */
	struct seen *seen;	   /* their entries */
	size_t seen_count, seen_room;
	struct buffer entries, *lengths; /* `lengths`: bytes and weight of each span */
	int64_t unit;
};

static int number_node(void *ctx, uint32_t node, unsigned depth)
{
	struct timeline *t = ctx;

	(void)depth;
	t->order[node] = t->walked;
	t->walked += stacks_weight(t->stacks, t->kind, t->tree->nodes[node].self) > 0;
	return 1;
}

/* How long, and in which unit ------------------------------------------------------------------ */

static int64_t greatest_divisor(int64_t a, int64_t b)
{
	while (b) {
		int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static int look(void *ctx, int64_t at_ns, uint32_t node, int64_t weight)
{
	struct time_axis *axis = ctx;

	(void)node;
	(void)weight;
	if (!axis->has_times || at_ns < axis->first_ns)
		axis->first_ns = at_ns;
	if (!axis->has_times || at_ns > axis->last_ns)
		axis->last_ns = at_ns;
	axis->has_times = true;
	return 0;
}

int html_times_look(struct jfrec_stacks *s, unsigned side, size_t kind, struct time_axis *axis)
{
	struct times *t = stacks_times(s, side, kind);

	if (t->width > axis->width)
		axis->width = t->width;
	return times_each(t, look, axis);
}

static uint32_t span_of(const struct time_axis *axis, int64_t at_ns)
{
	return (uint32_t)((at_ns - axis->first_ns) / axis->width_ns);
}

/* The shortest spans of which there are not too many; none, if the times are those of damage. */
static void choose_spans(struct time_axis *axis)
{
	uint32_t most = axis->max_count ? axis->max_count : SPANS_MAX;
	int64_t first_ns = axis->first_ns;

	axis->count = 0;
	for (unsigned i = axis->width; first_ns >= 0 && (axis->width_ns = times_width_ns(i)) != 0;
	     i++) {
		axis->first_ns = first_ns - first_ns % axis->width_ns;
		if ((axis->last_ns - axis->first_ns) / axis->width_ns < most) {
			axis->count = span_of(axis, axis->last_ns) + 1;
			return;
		}
	}
}

#define DAY_S 86400

void html_times_put_axis(struct time_axis *axis, struct buffer *to)
{
	if (axis->has_times)
		choose_spans(axis);
	buffer_leb128(to, axis->count);
	if (!axis->count)
		return;
	buffer_leb128(to, (uint64_t)(axis->width_ns / 1000000));
	buffer_leb128(to, (uint64_t)(axis->first_ns / 1000000));
	/* No zone is a day behind. */
	buffer_leb128(to, (uint64_t)(axis->offset_s + DAY_S));
}

static int weigh(void *ctx, int64_t at_ns, uint32_t node, int64_t weight)
{
	struct timeline *t = ctx;

	(void)at_ns;
	(void)node;
	t->all = long_add(t->all, weight);
	t->common = greatest_divisor(weight, t->common);
	return 0;
}

static void choose_unit(struct timeline *t)
{
	t->unit = t->all / UNITS_MAX + 1;
	if (t->common > t->all / EXACT_UNITS_MAX)
		t->unit = t->common;
}

/* Entries -------------------------------------------------------------------------------------- */

static int count_entry(void *ctx, int64_t at_ns, uint32_t node, int64_t weight)
{
	struct timeline *t = ctx;

	(void)node;
	(void)weight;
	t->counts[span_of(t->axis, at_ns)]++;
	return 0;
}

static int collect(void *ctx, int64_t at_ns, uint32_t node, int64_t weight)
{
	struct timeline *t = ctx;
	uint32_t span = span_of(t->axis, at_ns);

	if (span < t->begin || span >= t->end)
		return 0;
	return array_push(t->seen, t->seen_count, t->seen_room,
			  (struct seen){ weight, span, t->order[node] })
		       ? 0
		       : -1;
}

static int by_span(const void *x, const void *y)
{
	const struct seen *a = x, *b = y;

	if (a->span != b->span)
		return a->span < b->span ? -1 : 1;
	return a->node < b->node ? -1 : a->node > b->node;
}

/* How many units the weight is, with what was left before. */
static uint64_t units_of(struct timeline *t, uint32_t node, int64_t weight)
{
	int64_t with_rest = long_add(weight, t->carried[node]);
	int64_t units = with_rest / t->unit;

	t->carried[node] = with_rest - units * t->unit;
	return (uint64_t)units;
}

/* The entries of a span, from `i` on; returns the first of the next. */
static size_t put_span(struct timeline *t, uint32_t span, size_t i)
{
	size_t begun = t->entries.len;
	uint64_t sum = 0;
	uint32_t before = 0;

	while (i < t->seen_count && t->seen[i].span == span) {
		uint32_t node = t->seen[i].node;
		int64_t weight = 0;
		uint64_t units;

		for (; i < t->seen_count && t->seen[i].span == span && t->seen[i].node == node; i++)
			weight = long_add(weight, t->seen[i].weight);
		units = units_of(t, node, weight);
		if (!units)
			continue;
		buffer_leb128(&t->entries, (uint64_t)(node - before) << 1 | (units != 1));
		if (units != 1)
			buffer_leb128(&t->entries, units);
		before = node;
		sum += units;
	}
	buffer_leb128(t->lengths, t->entries.len - begun);
	buffer_leb128(t->lengths, sum);
	return i;
}

/* Spans are worked out in batches, so that memory stays bounded. */
static int put_batch(struct timeline *t)
{
	int64_t width_ns = t->axis->width_ns, begin_ns = t->axis->first_ns + t->begin * width_ns;
	size_t at = 0;

	t->seen_count = 0;
	if (times_between(t->times, begin_ns, begin_ns + (t->end - t->begin) * width_ns, collect,
			  t) < 0)
		return -1;
	if (t->seen_count)
		qsort(t->seen, t->seen_count, sizeof(*t->seen), by_span);
	for (uint32_t span = t->begin; span < t->end; span++)
		at = put_span(t, span, at);
	return 0;
}

/* Multiples of the golden section lie evenly between 0 and 1, however many there are. */
static void carry_parts(struct timeline *t)
{
	for (uint32_t i = 0; i < t->walked; i++)
		t->carried[i] = (int64_t)((double)(uint32_t)(i * 2654435769u) / 4294967296.0 *
					  (double)t->unit);
}

static bool is_full(const struct timeline *t)
{
	return t->room && t->entries.len > t->room;
}

/* 1: that was all; 0: there was no room for all. */
static int put_spans(struct timeline *t)
{
	uint32_t spans = t->axis->count;

	carry_parts(t);
	for (t->begin = 0; t->begin < spans && !is_full(t); t->begin = t->end) {
		uint64_t count = 0;

		for (t->end = t->begin; t->end < spans; t->end++) {
			count += t->counts[t->end];
			if (count > BATCH && t->end > t->begin)
				break;
		}
		if (put_batch(t) < 0)
			return -1;
	}
	return !is_full(t);
}

/* An entry is at least a unit, and seldom more than a byte: one more attempt is enough. */
static int put_with_room(struct timeline *t, struct buffer *to)
{
	struct buffer lengths = { 0 };
	int done;

	t->lengths = &lengths;
	done = put_spans(t);
	if (done == 0) {
		t->unit = t->all / (int64_t)t->room + 1;
		t->room = 0;
		buffer_clear(&t->entries);
		buffer_clear(&lengths);
		done = put_spans(t);
	}
	buffer_leb128(to, (uint64_t)t->unit);
	buffer_put(to, lengths.data, lengths.len);
	buffer_put(to, t->entries.data, t->entries.len);
	if (t->entries.failed || lengths.failed || to->failed)
		done = -1;
	buffer_fini(&lengths);
	return done;
}

static int put_timeline(struct jfrec_stacks *s, struct timeline *t, struct buffer *to)
{
	struct stacks_walk walk = { s, t->tree, number_node, NULL, t };

	t->order = calloc((size_t)t->tree->count + 1, sizeof(*t->order));
	t->carried = calloc((size_t)t->tree->count + 1, sizeof(*t->carried));
	t->counts = calloc((size_t)t->axis->count + 1, sizeof(*t->counts));
	if (!t->order || !t->carried || !t->counts || stacks_visit(&walk) < 0 ||
	    times_each(t->times, weigh, t) < 0 || times_each(t->times, count_entry, t) < 0)
		return -1;
	choose_unit(t);
	return put_with_room(t, to) < 0 ? -1 : 0;
}

int html_times_put(struct jfrec_stacks *s, unsigned side, size_t kind, const struct time_axis *axis,
		   struct buffer *to)
{
	struct timeline t = { .stacks = s,
			      .kind = kind,
			      .axis = axis,
			      .tree = stacks_tree(s, side, kind),
			      .times = stacks_times(s, side, kind),
			      .room = axis->room };
	int ret = put_timeline(s, &t, to);

	free(t.order);
	free(t.carried);
	free(t.counts);
	free(t.seen);
	buffer_fini(&t.entries);
	return ret;
}
