/* SPDX-License-Identifier: MIT */
/*
 * overlaps.c - waits of one thread that overlap, which shows that the clock jumped
 */
#include "analyze/overlaps.h"

#include <stdlib.h>

#include "analyze/rule.h"

/* Shorter waits are not kept, and clocks of processors differ by less. */
#define LONG_NS	   INT64_C(100000000)
#define OVERLAP_NS INT64_C(10000000)

#define FEWEST 3

void overlaps_take(struct overlaps *o, const struct event *e)
{
	uint32_t thread = event_duration(e) >= LONG_NS ? event_thread(e, 0) : 0;

	if (thread)
		spans_add(&o->waits, e,
			  (struct span_of){ .start_ns = e->start_ns,
					    .end_ns = e->end_ns,
					    .id = e->input,
					    .thread = thread });
}

static int compare_waits(const void *a, const void *b)
{
	const struct span_of *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return (x->end_ns > y->end_ns) - (x->end_ns < y->end_ns);
}

static void take_pair(struct overlaps *o, const struct span_of *before, const struct span_of *w)
{
	int64_t to = before->end_ns < w->end_ns ? before->end_ns : w->end_ns;

	if (before->thread != w->thread || before->id != w->id || to - w->start_ns < OVERLAP_NS)
		return;
	/* The same event twice: files were joined that share a chunk. */
	if (before->start_ns == w->start_ns && before->end_ns == w->end_ns)
		return;
	o->count++;
	if (to - w->start_ns <= o->longest_ns)
		return;
	o->longest_ns = to - w->start_ns;
	o->from_ns = w->start_ns;
	o->to_ns = to;
}

void overlaps_finish(struct overlaps *o)
{
	if (o->waits.count)
		qsort(o->waits.list, o->waits.count, sizeof(*o->waits.list), compare_waits);
	for (size_t i = 1; i < o->waits.count; i++)
		take_pair(o, &o->waits.list[i - 1], &o->waits.list[i]);
}

bool clock_jumped(const struct overlaps *o)
{
	return o->count >= FEWEST;
}

void overlaps_fini(struct overlaps *o)
{
	spans_fini(&o->waits);
}
