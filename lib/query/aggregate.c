/* SPDX-License-Identifier: MIT */
/*
 * aggregate.c - what a column knows of a group
 */
#include "query/aggregate.h"

#include <math.h>

#include "query/bag.h"

/* Adding --------------------------------------------------------------------------------------- */

/* Seconds and nanos each for themselves: means are made of both sums. */
static void add_span(struct value *sum, const struct value *v)
{
	if (value_is_null(sum))
		*sum = (struct value){ .kind = VALUE_SPAN };
	sum->i = long_add(sum->i, v->i);
	sum->nanos += v->nanos;
	if (sum->nanos >= 1000000000) {
		sum->nanos -= 1000000000;
		sum->i = long_add(sum->i, 1);
	}
}

static bool add_sum(struct cell *c, const struct value *v, struct arena *a)
{
	if (v->kind == VALUE_SPAN) {
		add_span(&c->first, v);
	} else if (value_is_integral(v)) {
		if (value_is_null(&c->first))
			c->first = value_of_long(0);
		c->first.i = long_add(c->first.i, v->i);
	} else if (value_is_finite(v)) {
		return bag_add_double(&c->bag, v->d, a);
	}
	return true;
}

static bool add_mean(struct cell *c, const struct value *v, struct arena *a)
{
	if (v->kind == VALUE_SPAN) {
		add_span(&c->first, v);
	} else if (value_is_finite(v)) {
		if (!bag_add_double(&c->bag, value_double(v), a))
			return false;
	} else {
		return true;
	}
	c->count++;
	return true;
}

static void add_extreme(struct cell *c, const struct value *v, int sign)
{
	const struct value *most = &c->first;

	if (v->kind == VALUE_SPAN && most->kind == VALUE_SPAN && v->i == most->i) {
		/* Most spans are shorter than a second. */
		if (sign * (v->nanos - most->nanos) > 0)
			c->first = *v;
		return;
	}
	if (!value_is_comparable(v))
		return;
	if (value_is_null(&c->first) || sign * value_compare(v, &c->first) > 0)
		c->first = *v;
}

static void add_difference(struct cell *c, const struct value *v)
{
	if (v->kind != VALUE_TIME && !value_is_finite(v))
		return;
	if (!c->count++)
		c->first = *v;
	c->last = *v;
}

static bool add_statistic(struct cell *c, enum aggregator which, const struct value *v,
			  struct arena *a)
{
	if (v->kind == VALUE_SPAN)
		return bag_add_ns(&c->bag, value_ns(v), a);
	/* The JDK's median alone takes what is not finite. */
	if (!value_is_finite(v) && (which != AGGREGATE_MEDIAN || !value_is_number(v)))
		return true;
	return bag_add_double(&c->bag, value_double(v), a);
}

bool cell_add_more(struct cell *c, enum aggregator a, const struct value *v, int64_t end_ns,
		   struct arena *arena)
{
	switch (a) {
	case AGGREGATE_FIRST:
		if (!c->is_fed)
			c->first = *v;
		break;
	case AGGREGATE_LAST_BATCH:
		c->count = end_ns;
		c->first = *v;
		break;
	case AGGREGATE_SUM:
		c->is_fed = true;
		return add_sum(c, v, arena);
	case AGGREGATE_AVG:
		return add_mean(c, v, arena);
	case AGGREGATE_MIN:
		add_extreme(c, v, -1);
		break;
	case AGGREGATE_MAX:
		add_extreme(c, v, 1);
		break;
	case AGGREGATE_DIFF:
		add_difference(c, v);
		break;
	case AGGREGATE_LIST:
		return bag_add_value(&c->bag, v, arena);
	case AGGREGATE_SET:
	case AGGREGATE_UNIQUE:
		return bag_add_once(&c->bag, v, arena);
	default:
		return add_statistic(c, a, v, arena);
	}
	c->is_fed = true;
	return true;
}

/* Merging -------------------------------------------------------------------------------------- */

struct value value_merge(struct objects *os, const struct value *v, struct arena *arena)
{
	struct value_list *list;
	struct value *items;

	if (v->kind == VALUE_OBJECT)
		return value_of_object(objects_merge(os, v->object));
	if (v->kind != VALUE_LIST)
		return *v;
	list = arena_alloc(arena, sizeof(*list));
	items = arena_alloc(arena, (v->list->count + 1) * sizeof(*items));
	if (!list || !items) {
		os->out_of_memory = true;
		return value_null();
	}
	for (size_t i = 0; i < v->list->count; i++)
		items[i] = value_merge(os, &v->list->items[i], arena);
	*list = (struct value_list){ v->list->count, items };
	return (struct value){ .kind = VALUE_LIST, .list = list };
}

/* The numbers of a chunk onto the sum of those before. */
static void fold(struct cell *to, const struct bag *from)
{
	if (!from)
		return;
	if (to->first.kind != VALUE_DOUBLE)
		to->first = value_of_double(value_double(&to->first));
	for (const struct word_block *b = from->first; b; b = b->next) {
		for (uint32_t i = 0; i < b->count; i++)
			to->first.d += b->words[i].d;
	}
}

static bool merge_sum(struct cell *to, const struct cell *from, struct arena *arena)
{
	bool ok = true;

	if (!value_is_null(&from->first))
		ok = add_sum(to, &from->first, arena);
	fold(to, from->bag);
	return ok;
}

static bool merge_values(struct cell *to, const struct cell *from, enum aggregator a,
			 struct objects *os, struct arena *arena)
{
	const struct bag *b = from->bag;
	bool ok = true;

	for (size_t i = 0; b && i < b->count && ok; i++) {
		struct value v = value_merge(os, &b->values[i], arena);

		ok = a == AGGREGATE_LIST ? bag_add_value(&to->bag, &v, arena)
					 : bag_add_once(&to->bag, &v, arena);
	}
	return ok;
}

static void merge_difference(struct cell *to, const struct cell *from)
{
	if (!from->count)
		return;
	if (!to->count)
		to->first = from->first;
	to->last = from->last;
	to->count += from->count;
}

static bool merge_mean(struct cell *to, const struct cell *from)
{
	if (!value_is_null(&from->first))
		add_span(&to->first, &from->first);
	fold(to, from->bag);
	to->count += from->count;
	return true;
}

bool cell_merge(struct cell *to, const struct cell *from, enum aggregator a, struct objects *os,
		struct arena *arena)
{
	struct value v;

	switch (a) {
	case AGGREGATE_COUNT:
		to->count += from->count;
		break;
	case AGGREGATE_SUM:
		return merge_sum(to, from, arena);
	case AGGREGATE_AVG:
		return merge_mean(to, from);
	case AGGREGATE_DIFF:
		merge_difference(to, from);
		break;
	case AGGREGATE_LIST:
	case AGGREGATE_SET:
	case AGGREGATE_UNIQUE:
		return merge_values(to, from, a, os, arena);
	case AGGREGATE_NONE:
	case AGGREGATE_FIRST:
	case AGGREGATE_LAST:
	case AGGREGATE_LAST_BATCH:
	case AGGREGATE_MIN:
	case AGGREGATE_MAX:
		if (!from->is_fed)
			break;
		v = value_merge(os, &from->first, arena);
		if (!cell_add(to, a, &v, from->count, arena))
			return false;
		break;
	default:
		return !from->bag || bag_add_words(&to->bag, from->bag, arena);
	}
	to->is_fed |= from->is_fed;
	return !os->out_of_memory;
}

/* Results -------------------------------------------------------------------------------------- */

/* Math.round(): half up. */
static int64_t rounded(double d)
{
	return double_to_long(floor(d + 0.5));
}

static struct value mean(const struct cell *c)
{
	double ns;

	if (!c->count)
		return value_null();
	if (c->first.kind != VALUE_SPAN)
		return value_of_double(value_double(&c->first) / (double)c->count);
	ns = (1e9 * (double)c->first.i + c->first.nanos) / (double)c->count;
	return value_of_span(timespan_from_ns(rounded(ns)));
}

static struct value time_difference(const struct cell *c)
{
	struct timespan t = { long_subtract(c->last.i, c->first.i),
			      c->last.nanos - c->first.nanos };

	if (c->count < 2)
		return (struct value){
			.kind = VALUE_SPAN, .i = SPAN_FOREVER_SECONDS, .nanos = 999999999
		};
	if (t.nanos < 0) {
		t.nanos += 1000000000;
		t.seconds--;
	}
	return value_of_span(t);
}

static struct value difference(const struct cell *c)
{
	const struct value *a = &c->first, *b = &c->last;

	if (!c->count)
		return value_null();
	if (a->kind == VALUE_TIME && b->kind == VALUE_TIME)
		return time_difference(c);
	if (value_is_integral(a) && value_is_integral(b))
		return value_of_long(long_subtract(b->i, a->i));
	if (a->kind == VALUE_FLOAT && b->kind == VALUE_FLOAT)
		return (struct value){ .kind = VALUE_FLOAT,
				       .d = (double)((float)b->d - (float)a->d) };
	return value_of_double(value_double(b) - value_double(a));
}

static struct value list_of(const struct bag *b, struct arena *arena)
{
	struct value_list *list = arena_zalloc(arena, 1, sizeof(*list));

	if (!list)
		return value_null();
	if (b)
		*list = (struct value_list){ b->count, b->values };
	return (struct value){ .kind = VALUE_LIST, .list = list };
}

struct value cell_result(const struct cell *c, enum aggregator a, struct arena *arena)
{
	switch (a) {
	case AGGREGATE_COUNT:
		return value_of_long(c->count);
	case AGGREGATE_UNIQUE:
		return (struct value){ .kind = VALUE_INT,
				       .i = c->bag ? (int64_t)c->bag->count : 0 };
	case AGGREGATE_AVG:
		return mean(c);
	case AGGREGATE_DIFF:
		return difference(c);
	case AGGREGATE_LIST:
	case AGGREGATE_SET:
		return list_of(c->bag, arena);
	case AGGREGATE_MEDIAN:
		return bag_median(c->bag);
	case AGGREGATE_P90:
		return bag_percentile(c->bag, 0.9);
	case AGGREGATE_P95:
		return bag_percentile(c->bag, 0.95);
	case AGGREGATE_P99:
		return bag_percentile(c->bag, 0.99);
	case AGGREGATE_P999:
		return bag_percentile(c->bag, 0.999);
	case AGGREGATE_STDEV:
		return bag_deviation(c->bag);
	default:
		return value_is_null(&c->first) ? value_null() : c->first;
	}
}
