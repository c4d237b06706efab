/* SPDX-License-Identifier: MIT */
/*
 * allocated.c - how much a JVM allocated, as each kind of event tells it
 */
#include "analyze/allocated.h"

#include "analyze/rule.h"

/* Amounts of less time, or of fewer collections, are left out. */
#define ENOUGH_NS	   ALLOCATION_ENOUGH_NS
#define ENOUGH_COLLECTIONS 5

enum { SAMPLE, IN_TLAB, OUTSIDE, THREADS, OTHERS };
enum { THREAD, BYTES };

static void take_sample(struct allocated *a, const struct event *e, uint32_t thread, int64_t weight)
{
	struct first_sample one = { .thread = thread, .at = e->start_ns, .weight = weight,
				    .is_virtual = event_thread_is_virtual(e, thread) };
	bool has_displaced;
	int kept = first_samples_offer(&a->firsts, &one, &has_displaced);

	if (kept < 0)
		event_no_memory(e);
	if (kept == 0 || has_displaced) {
		a->sampled += (double)one.weight;
		groups_add(&a->events_by_thread, e, (uint32_t[4]){ thread }, (double)one.weight,
			   NULL);
	}
}

static void take_total(struct allocated *a, const struct event *e, uint32_t thread, double bytes)
{
	struct group *g = groups_add(&a->by_thread, e, (uint32_t[4]){ thread }, bytes, NULL);

	if (g && (g->count == 1 || bytes < g->first))
		g->first = bytes;
}

void allocated_take(struct allocated *a, const struct event *e)
{
	uint32_t thread = event_thread(e, THREAD);
	int64_t bytes = e->input == OTHERS ? 0 : event_long(e, BYTES);

	if (e->input == OTHERS)
		a->others += event_bytes(e);
	if (bytes <= 0)
		return;
	if (e->input == SAMPLE) {
		take_sample(a, e, thread, bytes);
	} else if (e->input == THREADS) {
		take_total(a, e, thread, (double)bytes);
	} else {
		*(e->input == IN_TLAB ? &a->buffers : &a->outside) += (double)bytes;
		groups_add(&a->events_by_thread, e, (uint32_t[4]){ thread }, (double)bytes, NULL);
	}
}

void allocated_finish(struct allocated *a)
{
	first_samples_settle(&a->firsts);
	for (size_t i = 0; i < a->firsts.count; i++)
		a->sampled += (double)a->firsts.list[i].fair;
}

void allocated_fini(struct allocated *a)
{
	first_samples_fini(&a->firsts);
	groups_fini(&a->by_thread);
	groups_fini(&a->events_by_thread);
}

static double per_second(double bytes, double ns)
{
	return ns > 0 ? bytes / (ns / 1e9) : NAN;
}

/* Collectors that work beside the application let it allocate, and free, in between. */
double allocation_by_heap(const struct judging *j)
{
	const struct facts *f = j->facts;
	const struct heap_use *after = NULL;
	int64_t from = INT64_MAX, to = INT64_MIN;
	double bytes = 0;
	size_t n = 0;

	if (!uses_collector(j, "G1") && !uses_collector(j, "Parallel") && !uses_collector(j, "Serial"))
		return NAN;
	for (size_t i = 0; i < f->heap_count; i++) {
		const struct heap_use *h = &f->heap[i];

		if (h->used < 0)
			continue;
		if (h->is_after) {
			after = h;
			continue;
		}
		if (!after)
			continue;
		bytes += h->used > after->used ? (double)(h->used - after->used) : 0;
		from = after->at_ns < from ? after->at_ns : from;
		to = h->at_ns;
		after = NULL;
		n++;
	}
	/* Of a time in which nothing was collected it says nothing. */
	return n >= ENOUGH_COLLECTIONS && (double)(to - from) >= 0.5 * (double)recorded_ns(j)
		       ? per_second(bytes, (double)(to - from))
		       : NAN;
}

static bool was_asked_twice(const struct allocated *a, uint32_t thread)
{
	const struct group *g = groups_find(&a->by_thread, (uint32_t[4]){ thread });

	return g && g->count > 1;
}

/* What each thread says, where it was asked twice; one that ended before is in the events only. */
double allocation_by_threads(const struct judging *j)
{
	const struct allocated *a = &j->facts->allocated;
	int64_t first = INT64_MAX, last = INT64_MIN;
	double bytes = 0, others = 0;

	for (uint32_t i = 0; i < a->by_thread.count; i++) {
		const struct group *g = &a->by_thread.list[i];

		bytes += g->most - g->first;
		first = g->first_ns < first ? g->first_ns : first;
		last = g->last_ns > last ? g->last_ns : last;
	}
	if (!a->by_thread.count || (double)(last - first) < ENOUGH_NS)
		return NAN;
	for (uint32_t i = 0; i < a->events_by_thread.count; i++)
		others += was_asked_twice(a, a->events_by_thread.list[i].key[0])
				  ? 0
				  : a->events_by_thread.list[i].sum;
	for (size_t i = 0; i < a->firsts.count; i++)
		others += was_asked_twice(a, (uint32_t)a->firsts.list[i].thread)
				  ? 0
				  : (double)a->firsts.list[i].fair;
	return per_second(bytes, (double)(last - first)) +
	       per_second(others, (double)recorded_ns(j));
}

double allocation_by_samples(const struct judging *j)
{
	double bytes = j->facts->allocated.sampled;

	return bytes > 0 ? per_second(bytes, (double)recorded_ns(j)) : NAN;
}

double allocation_by_buffers(const struct judging *j)
{
	const struct allocated *a = &j->facts->allocated;

	return a->buffers > 0 ? per_second(a->buffers + a->outside, (double)recorded_ns(j)) : NAN;
}

double allocation_by_others(const struct judging *j)
{
	double bytes = j->facts->allocated.others;

	return bytes > 0 ? per_second(bytes, (double)recorded_ns(j)) : NAN;
}

/* By events: buffers are all of it, samples a part that stands for it. NAN: none were recorded. */
static double by_events(const struct judging *j)
{
	const double rates[] = { allocation_by_buffers(j), allocation_by_samples(j),
				 allocation_by_others(j) };

	for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++) {
		if (!isnan(rates[i]))
			return rates[i];
	}
	return type_was_on(j, "jdk.ObjectAllocationSample") ||
			       type_was_on(j, "jdk.ObjectAllocationInNewTLAB")
		       ? 0
		       : NAN;
}

double allocation_rate(const struct judging *j)
{
	double heap = allocation_by_heap(j), threads = allocation_by_threads(j);

	if (isnan(heap) && isnan(threads))
		return by_events(j);
	return isnan(heap) ? threads : isnan(threads) ? heap : fmax(heap, threads);
}
