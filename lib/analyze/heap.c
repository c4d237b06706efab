/* SPDX-License-Identifier: MIT */
/*
 * heap.c - is the heap large enough for what stays in use?
 */
#include "analyze/heap.h"

#include <stdlib.h>

#include "analyze/rule.h"

#define WINDOW_NS INT64_C(60000000000)

/* A collection that leaves more of the heap in use has hardly helped. */
#define FULL_SHARE 0.9
#define FULL_ROW   10

/* What stays in use takes so much of the heap that collections cannot rest. */
#define TIGHT_SHARE 0.65

/* Collections that hurt: 5 % of a minute, and 1 s of it. */
#define HURTS_SHARE 0.05
#define HURTS_NS    1e9

/* With fewer full ones it may be the start, or chance. */
#define MANY_FULL	5
#define MANY_FULL_SHARE 0.2

bool is_forced_full(const struct judging *j, const struct collection *c)
{
	static const char *const names[] = { "G1Full", "SerialOld", "ParallelOld", "PSMarkSweep" };
	const char *name = text_at(j, c->name), *cause = text_at(j, c->cause);

	if (cause_is_asked_for(cause) || strncmp(cause, "Metadata", strlen("Metadata")) == 0)
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return false;
}

static int compare_uses(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* A full collection that nobody asked for. */
struct full {
	uint64_t id;
	int64_t start_ns;
};

struct fulls {
	struct full *list; /* by id, then by start; NULL: memory is gone */
	size_t count;
};

static int compare_fulls(const void *a, const void *b)
{
	const struct full *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

static struct fulls fulls_of(const struct judging *j, struct heap_state *h)
{
	const struct facts *f = j->facts;
	struct fulls l = { malloc((f->collection_count + 1) * sizeof(*l.list)), 0 };

	for (size_t i = 0; i < f->collection_count; i++) {
		const struct collection *c = &f->collections[i];

		if (!is_forced_full(j, c))
			continue;
		h->full++;
		h->full_ns += (double)(c->end_ns - c->start_ns);
		if (l.list)
			l.list[l.count++] = (struct full){ c->id, c->start_ns };
	}
	if (l.count)
		qsort(l.list, l.count, sizeof(*l.list), compare_fulls);
	return l;
}

/* Is it what a full collection left? */
static bool is_after_full(const struct fulls *l, const struct heap_use *h)
{
	size_t low = 0, high = l->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (l->list[middle].id < h->id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < l->count && l->list[low].id == h->id && h->at_ns >= l->list[low].start_ns;
}

/* A position in a sorted list; NAN of an empty one. The list is sorted. */
static double quantile(double *list, size_t n, double share)
{
	if (n)
		qsort(list, n, sizeof(*list), compare_uses);
	return n ? list[(size_t)((double)n * share)] : NAN;
}

/*
 * The middle of what full collections of the second half left, if there are three; else the lower
 * quarter of what all left: what young ones leave also waits to be collected.
 */
static double live_bytes(const struct judging *j, const struct fulls *all_fulls)
{
	const struct facts *f = j->facts;
	double *uses = malloc((f->heap_count + 1) * 2 * sizeof(*uses)), *full, live;
	int64_t middle = f->heap_count ? f->heap[f->heap_count / 2].at_ns : 0;
	size_t n = 0, fulls = 0;

	if (!uses)
		return NAN;
	full = uses + f->heap_count + 1;
	for (size_t i = 0; i < f->heap_count; i++) {
		if (!f->heap[i].is_after || f->heap[i].used < 0 || f->heap[i].at_ns < middle)
			continue;
		uses[n++] = (double)f->heap[i].used;
		if (fulls < 1000 && is_after_full(all_fulls, &f->heap[i]))
			full[fulls++] = (double)f->heap[i].used;
	}
	live = fulls >= 3 ? quantile(full, fulls, 0.5) : quantile(uses, n, 0.25);
	free(uses);
	return live;
}

static void find_row(const struct facts *f, struct heap_state *h)
{
	int64_t from = 0;
	size_t row = 0;

	for (size_t i = 0; f->heap_max > 0 && i < f->heap_count; i++) {
		const struct heap_use *use = &f->heap[i];

		if (!use->is_after)
			continue;
		if ((double)use->used <= FULL_SHARE * (double)f->heap_max) {
			row = 0;
			continue;
		}
		from = row++ ? from : use->at_ns;
		if (row > h->full_row) {
			h->full_row = row;
			h->row_from_ns = from;
			h->row_to_ns = use->at_ns;
		}
	}
}

static bool is_tight(const struct judging *j, const struct heap_state *h)
{
	double worked = gc_worked(j);
	bool hurts = h->pause_share * worked >= HURTS_SHARE && h->pauses_ns * worked >= HURTS_NS;
	/* G1 makes full ones for other reasons, too, such as large arrays. */
	double full = h->collections && !uses_collector(j, "G1")
			      ? (double)h->full / (double)h->collections
			      : 0;

	if (h->full_row >= FULL_ROW)
		return true;
	if (h->full >= MANY_FULL && full >= MANY_FULL_SHARE && h->pause_share >= HURTS_SHARE)
		return true;
	return h->live_share >= TIGHT_SHARE && (hurts || h->full >= MANY_FULL);
}

struct heap_state find_heap_state(const struct judging *j)
{
	struct heap_state h = { .live = NAN, .live_share = NAN };
	const struct facts *f = j->facts;
	int64_t width = window_ns(j, WINDOW_NS);
	struct fulls fulls;
	struct worst w;

	if (!uses_collector(j, "G1") && !uses_collector(j, "Parallel") && !uses_collector(j, "Serial"))
		return h;
	h.collections = f->collection_count;
	fulls = fulls_of(j, &h);
	h.live = fulls.list ? live_bytes(j, &fulls) : NAN;
	free(fulls.list);
	if (f->heap_max > 0)
		h.live_share = h.live / (double)f->heap_max;
	find_row(f, &h);
	w = spans_worst(&f->pauses, width, f->start_ns, f->end_ns);
	h.pauses_ns = (double)w.covered_ns;
	h.pause_share = h.pauses_ns / (double)width;
	h.is_tight = is_tight(j, &h);
	return h;
}
