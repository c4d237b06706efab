/* SPDX-License-Identifier: MIT */
/*
 * covered.c - the time that spans cover, each moment of it once
 */
#include "base/covered.h"

#include <stdlib.h>

#include "base/array.h"

bool covered_add(struct covered *c, int64_t start_ns, int64_t end_ns)
{
	if (end_ns <= start_ns)
		return true;
	return array_push(c->list, c->count, c->room, (struct covered_span){ start_ns, end_ns });
}

static int by_start(const void *x, const void *y)
{
	int64_t a = ((const struct covered_span *)x)->start_ns;
	int64_t b = ((const struct covered_span *)y)->start_ns;

	return (a > b) - (a < b);
}

int64_t covered_ns(struct covered *c)
{
	int64_t sum = 0, end = INT64_MIN;

	if (c->count)
		qsort(c->list, c->count, sizeof(*c->list), by_start);
	for (size_t i = 0; i < c->count; i++) {
		int64_t from = c->list[i].start_ns > end ? c->list[i].start_ns : end, part;

		if (c->list[i].end_ns <= from)
			continue;
		end = c->list[i].end_ns;
		if (__builtin_sub_overflow(end, from, &part) ||
		    __builtin_add_overflow(sum, part, &sum))
			return INT64_MAX;
	}
	return sum;
}

void covered_fini(struct covered *c)
{
	free(c->list);
	*c = (struct covered){ 0 };
}
