/* SPDX-License-Identifier: MIT */
/*
 * intervals.c - when threads were busy with something: spans of time, by thread
 */
#include "read/intervals.h"

#include <stdlib.h>

#include "base/array.h"

void intervals_fini(struct intervals *s)
{
	free(s->items);
	free(s->first);
	idmap_fini(&s->threads);
	*s = (struct intervals){ 0 };
}

int intervals_add(struct intervals *s, uint64_t thread, int64_t begin_ns, int64_t end_ns)
{
	uint32_t *number;

	if (end_ns <= begin_ns)
		return 0;
	number = idmap_put(&s->threads, thread, s->threads.count);
	return number && array_push(s->items, s->count, s->room,
				    (struct interval){ begin_ns, end_ns, *number })
		       ? 0
		       : -1;
}

static int by_thread_and_time(const void *x, const void *y)
{
	const struct interval *a = x, *b = y;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return (a->begin_ns > b->begin_ns) - (a->begin_ns < b->begin_ns);
}

/* Those that overlap or follow without a gap become one. */
static void join(struct intervals *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct interval *next = &s->items[i];
		struct interval *last = kept ? &s->items[kept - 1] : NULL;

		if (!last || last->thread != next->thread || last->end_ns < next->begin_ns)
			s->items[kept++] = *next;
		else if (last->end_ns < next->end_ns)
			last->end_ns = next->end_ns;
	}
	s->count = kept;
}

int intervals_sort(struct intervals *s)
{
	size_t at = 0;

	if (s->count)
		qsort(s->items, s->count, sizeof(*s->items), by_thread_and_time);
	join(s);
	free(s->first);
	s->first = calloc((size_t)s->threads.count + 1, sizeof(*s->first));
	if (!s->first)
		return -1;
	for (uint32_t thread = 0; thread <= s->threads.count; thread++) {
		while (at < s->count && s->items[at].thread < thread)
			at++;
		s->first[thread] = at;
	}
	return 0;
}

bool intervals_touch(const struct intervals *s, uint32_t thread, int64_t begin_ns, int64_t end_ns)
{
	size_t low, high, first;

	if (thread == NO_THREAD)
		return false;
	low = first = s->first[thread];
	high = s->first[thread + 1];
	/* The first one that begins after it. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int64_t at = s->items[middle].begin_ns;

		if (at < end_ns || at == begin_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low > first && s->items[low - 1].end_ns > begin_ns;
}
