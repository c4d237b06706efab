/* SPDX-License-Identifier: MIT */
/*
 * live_set_growth.c - does what stays in use grow until the heap is full?
 */
#include <stdlib.h>

#include "analyze/rules.h"

#define HOUR_NS	  3600e9
#define LEAST	  5
#define LONG_NS	  INT64_C(60000000000)
#define SHORT_NS  INT64_C(5000000000)

static const char *const jmc[] = { "IncreasingLiveSet", NULL };

enum { SUMMARY, COLLECTION, KIND, OLD };
enum { GC_ID, TYPE };
enum { CLASS, STACK, TIME, AGE, SIZE };

static const struct reads inputs[] = {
	READS("jdk.GCHeapSummary", OCCURS),
	READS("jdk.GarbageCollection", OCCURS),
	READS("jdk.G1GarbageCollection", HELPS, "gcId", "type"),
	READS("jdk.OldObjectSample", HELPS, "object.type", "stackTrace", "allocationTime", "objectAge",
	      "objectSize"),
	READS("jdk.ClassLoadingStatistics", HELPS),
	READS("jdk.GCHeapConfiguration", HELPS),
	{ 0 },
};

struct state {
	struct spans mixed;    /* id gcId: collections of old regions */
	struct groups objects; /* class, stack: that are kept */
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	uint32_t class, stack;

	if (e->input == KIND) {
		if (strcmp(event_text_of(e, event_text(e, TYPE)), "Mixed") == 0)
			spans_add(&s->mixed, e,
				  (struct span_of){ .start_ns = e->start_ns,
						    .end_ns = e->end_ns,
						    .id = (uint64_t)event_long(e, GC_ID) });
	} else if (e->input == OLD) {
		class = event_text(e, CLASS);
		stack = event_stack(e, STACK);
		groups_add(&s->objects, e, (uint32_t[4]){ class, stack },
			   fmax(1, event_number(e, AGE)), NULL);
	}
}

static void fini(void *state)
{
	struct state *s = state;

	spans_fini(&s->mixed);
	groups_fini(&s->objects);
}

static int compare_ids(const void *a, const void *b)
{
	const struct span_of *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

/* They are in the order of their ids. */
static bool is_mixed(const struct state *s, uint64_t id)
{
	const struct span_of key = { .id = id };

	return s->mixed.count &&
	       bsearch(&key, s->mixed.list, s->mixed.count, sizeof(key), compare_ids);
}

/* Does the collection look at old objects, so that what is left is in use? */
static bool is_thorough(const struct judging *j, const struct state *s, const struct collection *c)
{
	static const char *const names[] = { "G1Full", "SerialOld", "ParallelOld", "PSMarkSweep",
					     "ZGC", "Z", "ZGC Major", "Shenandoah",
					     "ConcurrentMarkSweep" };
	const char *name = text_at(j, c->name);

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return is_mixed(s, c->id);
}

/* The use of the heap after collections of old objects. */
static void gather(const struct judging *j, const struct state *s, struct series *use)
{
	const struct facts *f = j->facts;
	size_t c = 0;

	for (size_t i = 0; i < f->heap_count; i++) {
		const struct heap_use *h = &f->heap[i];

		if (!h->is_after || h->used < 0)
			continue;
		while (c < f->collection_count && f->collections[c].id != h->id &&
		       f->collections[c].end_ns < h->at_ns)
			c++;
		for (size_t k = c; k < f->collection_count && k < c + 8; k++) {
			if (f->collections[k].id != h->id)
				continue;
			if (is_thorough(j, s, &f->collections[k]))
				use->list[use->count++] =
					(struct point){ h->at_ns, (double)h->used };
			break;
		}
	}
	series_sort(use);
}

/* Of all pairs of neighbours, the share in which the later one is greater. */
static double rising_share(const struct series *s, size_t from)
{
	size_t up = 0, n = 0;

	for (size_t i = from; i < s->count; i++) {
		for (size_t k = i + 1; k < s->count && k < i + 50; k++) {
			up += s->list[k].value > s->list[i].value;
			n++;
		}
	}
	return n ? (double)up / (double)n : 0;
}

struct growth {
	double per_second, last, most, share_per_hour, span_s;
	bool is_sure, is_nearly_full;
	size_t points;
};

/* What all collections left, young ones too; collections that look at old objects. */
static struct series all_use(struct judging *j)
{
	const struct facts *f = j->facts;
	struct series all = { .list = judging_memory(j, (f->heap_count + 1) * sizeof(*all.list)) };

	for (size_t i = 0; all.list && i < f->heap_count; i++) {
		if (f->heap[i].is_after && f->heap[i].used >= 0)
			all.list[all.count++] =
				(struct point){ f->heap[i].at_ns, (double)f->heap[i].used };
	}
	series_sort(&all);
	return all;
}

static size_t old_collections(const struct judging *j, const struct state *s)
{
	const struct facts *f = j->facts;
	size_t n = 0;

	for (size_t i = 0; i < f->collection_count; i++)
		n += is_thorough(j, s, &f->collections[i]) ||
		     strcmp(text_at(j, f->collections[i].name), "G1Old") == 0;
	return n;
}

static int compare_values(const void *a, const void *b)
{
	double x = ((const struct point *)a)->value, y = ((const struct point *)b)->value;

	return (x > y) - (x < y);
}

/*
 * The middle value of the last so many points; what follows the end of the program does not count.
 */
static double median_of_last(struct judging *j, const struct series *s, size_t n)
{
	struct point *last = judging_memory(j, n * sizeof(*last));

	if (!last || !n)
		return 0;
	memcpy(last, s->list + s->count - n, n * sizeof(*last));
	qsort(last, n, sizeof(*last), compare_values);
	return last[n / 2].value;
}

static double most_of_first(const struct series *s, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = s->list[i].value > most ? s->list[i].value : most;
	return most;
}

/* The first point with that value. */
static size_t place_of(const struct series *s, double value)
{
	size_t i = 0;

	while (i + 1 < s->count && s->list[i].value < value)
		i++;
	return i;
}

/* How many points of a sorted series are not later. */
static size_t count_until(const struct series *s, int64_t at_ns)
{
	size_t n = 0;

	while (n < s->count && s->list[n].at_ns <= at_ns)
		n++;
	return n;
}

/*
 * In a recording that is too short for a slope: did the heap fill from far below, and stay full
 * though old objects were collected?
 */
static bool has_filled(struct judging *j, const struct state *s)
{
	double full = (double)j->facts->heap_max, end, first, peak;
	struct series all = all_use(j), rising = all;
	int64_t span;

	if (full <= 0 || all.count < 2 * LEAST || old_collections(j, s) < LEAST)
		return false;
	span = all.list[all.count - 1].at_ns - all.list[0].at_ns;
	if (span < SHORT_NS)
		return false;
	/* A steady leak is at a third of its way then; a program that starts up has done it all. */
	end = median_of_last(j, &all, all.count / 5 + 1);
	/* An OutOfMemoryError may have made some room again: then the way to the peak counts. */
	peak = most_of_first(&all, all.count);
	if (peak >= 0.9 * full) {
		end = peak;
		rising.count = place_of(&all, peak) + 1;
	}
	first = most_of_first(&all, count_until(&all, all.list[0].at_ns + span / 3));
	return end >= 0.65 * full && end - first >= 0.25 * full && rising.count >= LEAST &&
	       rising_share(&rising, 0) >= 0.6;
}

static struct growth growth_of(struct judging *j, const struct state *s, const struct series *use)
{
	const struct facts *f = j->facts;
	int64_t warm = f->warm_ns != NO_NUMBER ? f->warm_ns : INT64_MIN;
	struct growth g = { .is_nearly_full = has_filled(j, s) };
	size_t from = 0;
	double first, full = (double)f->heap_max;

	while (from < use->count && use->list[from].at_ns < warm)
		from++;
	/* A short recording is all start-up. */
	if (use->count - from < LEAST)
		from = 0;
	g.points = use->count - from;
	if (g.points < 2)
		return g;
	first = use->list[from].value;
	g.last = use->list[use->count - 1].value;
	for (size_t i = from; i < use->count; i++)
		g.most = fmax(g.most, use->list[i].value);
	g.span_s = (double)(use->list[use->count - 1].at_ns - use->list[from].at_ns) / 1e9;
	g.per_second = series_slope(use, use->list[from].at_ns);
	if (g.per_second > 0 && full > g.last)
		g.share_per_hour = g.per_second * 3600 / (full - g.last);
	else if (g.per_second > 0 && full > 0)
		g.share_per_hour = 3600;
	g.is_sure = rising_share(use, from) >= 0.75 &&
		    g.per_second * g.span_s >= 0.05 * fmax(first, 1);
	return g;
}

static void show_objects(struct judging *j, struct state *s)
{
	double all;

	groups_sort(&s->objects);
	all = groups_sum(&s->objects);
	for (uint32_t i = 0; i < s->objects.count && i < 3; i++) {
		const struct group *g = &s->objects.list[i];

		show_name(j, JFREC_EVIDENCE_CLASS,
			  textf(j, "kept longest, %s samples", count_text(j, (double)g->count)),
			  text_at(j, g->key[0]), all > 0 ? g->sum / all : NAN);
		show_stack(j, "allocated", g->key[1], NAN);
	}
	if (s->objects.count)
		show_command(j, "view memory-leaks-by-site");
}

static void tell(struct judging *j, const struct growth *g)
{
	double full = (double)j->facts->heap_max;
	double left = g->per_second > 0 ? fmax(0, full - g->last) / g->per_second : INFINITY;

	if (!is_found(j)) {
		summarize(j, "What stays in use after collections does not grow towards the limit of "
			     "the heap");
		return;
	}
	/* Where it is full, nothing grows any more: what it was before is the rate that matters. */
	if (g->is_nearly_full || g->per_second <= 0)
		summarize(j, "The heap of %s has filled, though old objects were collected",
			  bytes_text(j, full));
	else if (full > 0)
		summarize(j, "What stays in use grows by %s/s and will fill the heap of %s in %s; it "
			     "is %s now",
			  bytes_text(j, g->per_second), bytes_text(j, full),
			  span_text(j, left * 1e9), bytes_text(j, g->last));
	else
		summarize(j, "What stays in use grows by %s/s; it is %s now",
			  bytes_text(j, g->per_second), bytes_text(j, g->last));
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	struct series use = { 0 };
	struct growth g;

	use.list = j->facts->heap_count
			   ? judging_memory(j, j->facts->heap_count * sizeof(*use.list))
			   : NULL;
	if (s->mixed.count)
		qsort(s->mixed.list, s->mixed.count, sizeof(*s->mixed.list), compare_ids);
	if (use.list)
		gather(j, s, &use);
	g = growth_of(j, s, &use);
	if (g.is_nearly_full)
		judge_at_least(j, JFREC_SEVERITY_WARNING);
	else if (g.points < LEAST || g.span_s * 1e9 < (double)LONG_NS) {
		too_few(j, "The heap after %zu collections of old objects in %s says nothing about "
			   "growth; %d over a minute are needed",
			g.points, span_text(j, g.span_s * 1e9), LEAST);
		return;
	}
	judge_by(j, g.is_sure || g.is_nearly_full ? g.share_per_hour : 0);
	tell(j, &g);
	if (g.per_second > 0 && !g.is_nearly_full)
		show_quantity(j, "growth per second", g.per_second, JFREC_UNIT_BYTES);
	if (g.most > g.last && is_found(j))
		show_quantity(j, "most in use after a collection", g.most, JFREC_UNIT_BYTES);
	show_quantity(j, "in use after the last collection", g.last, JFREC_UNIT_BYTES);
	show_quantity(j, "collections examined", (double)g.points, JFREC_UNIT_NONE);
	if (!is_found(j))
		return;
	show_objects(j, s);
	show_command(j, "print --events jdk.GCHeapSummary");
	if (!s->objects.count)
		advise(j, "Record with `jfrec record --settings memory-leak --path-to-gc-roots` to see "
			  "which objects are kept, by whom, and who allocated them");
}

const struct rule rule_live_set_growth = {
	.info = {
		.id = "live-set-growth",
		.jmc = jmc,
		.question = "Does what stays in use grow until the heap is full?",
		.matters = "Memory that is never given back fills the heap, first slowing the "
			   "application down by more and more collections, in the end killing "
			   "it with an OutOfMemoryError.",
		.computes = "Takes the heap that is in use after collections that look at old objects, "
			    "once start-up is over, and how fast it grows between each two of them: "
			    "the middle one of these rates counts. At least 5 collections over a "
			    "minute are needed, and the later of two must mostly leave more. A heap that has filled from below 40 % to above 65 %, and stays so "
			    "through five collections of old objects, is a warning.",
		.measures = "share of the rest of the heap that fills in an hour",
		.unit = JFREC_UNIT_PERCENT,
		.info = 1.0 / 24,
		.warning = 1,
		.advice = "Look at the objects that are kept longest, and at what refers to them: a "
			  "collection that only grows, a cache without a limit",
		.beware = "A cache that is still filling looks like a leak; a slow leak needs a long "
			  "recording.",
		.differs = "JDK Mission Control warns at 1 % per second, which leaves two minutes, and "
			   "says ok if objects were sampled without their references.",
	},
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
