/* SPDX-License-Identifier: MIT */
/*
 * readings.c - what periodic events read off several counters at once
 */
#include "analyze/readings.h"

#include <stdlib.h>

#include "analyze/rule.h"
#include "base/array.h"

void readings_add(struct readings *r, const struct event *e)
{
	struct reading one = { .at_ns = e->start_ns };

	if (r->count == MAX_READINGS) {
		r->beyond++;
		return;
	}
	for (unsigned i = 0; i < READING_COLUMNS; i++)
		one.value[i] = event_long(e, i);
	if (!array_push(r->list, r->count, r->room, one))
		event_no_memory(e);
}

static int compare(const void *a, const void *b)
{
	const struct reading *x = a, *y = b;

	if (x->at_ns != y->at_ns)
		return x->at_ns < y->at_ns ? -1 : 1;
	for (unsigned i = 0; i < READING_COLUMNS; i++) {
		if (x->value[i] != y->value[i])
			return x->value[i] < y->value[i] ? -1 : 1;
	}
	return 0;
}

void readings_sort(struct readings *r)
{
	if (r->count)
		qsort(r->list, r->count, sizeof(*r->list), compare);
}

void readings_fini(struct readings *r)
{
	free(r->list);
	*r = (struct readings){ 0 };
}

bool reading_rise(const struct reading *before, const struct reading *after, unsigned column,
		  int64_t *rise)
{
	int64_t a = before->value[column], b = after->value[column];

	if (a == NO_NUMBER || b == NO_NUMBER || a < 0 || b < a)
		return false;
	*rise = b - a;
	return true;
}

int64_t readings_rise(const struct readings *r, unsigned column)
{
	int64_t sum = 0, rise;

	for (size_t i = 1; i < r->count; i++) {
		if (reading_rise(&r->list[i - 1], &r->list[i], column, &rise) &&
		    sum <= INT64_MAX - rise)
			sum += rise;
	}
	return sum;
}

const struct reading *readings_most(const struct readings *r, unsigned column)
{
	const struct reading *most = NULL;

	for (size_t i = 0; i < r->count; i++) {
		if (!most || r->list[i].value[column] > most->value[column])
			most = &r->list[i];
	}
	return most;
}
