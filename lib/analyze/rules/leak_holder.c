/* SPDX-License-Identifier: MIT */
/*
 * leak_holder.c - who keeps the objects that are kept?
 */
#include <stdlib.h>

#include "analyze/rules.h"
#include "base/idmap.h"
#include "format/clock.h"

/* References of a chain that are looked at, from the root on: containers lie there. */
#define DEPTH 24

/* Fewer samples say nothing. */
#define ENOUGH 10

/* A holder keeps most of them, and is a collection that is large. */
#define MOST_SHARE 0.5
#define LARGE	   1000

/* Of the time of the recording, in which of its halves what is kept was made: it goes on. */
#define EACH_HALF 0.2

enum { OLD };
enum { OBJECT, ROOT, ALLOCATED, USED };

static const struct reads inputs[] = {
	READS("jdk.OldObjectSample", OCCURS, "object", "root", "allocationTime", "lastKnownHeapUsage"),
	READS("jdk.GCHeapSummary", HELPS),
	READS("jdk.GarbageCollection", HELPS),
	READS("jdk.GCHeapConfiguration", HELPS),
	{ 0 },
};

/* A reference, over all samples that it keeps. */
struct kept_by {
	uint32_t what, class;
	uint32_t depth; /* how far from the root, at most */
	int64_t size;	/* the most elements; -1 */
	size_t samples;
};

struct state {
	struct kept_by *list;
	size_t count, room;
	struct idmap places; /* by `what` */
	size_t samples, chains;
	struct series made; /* when, of those with a chain */
	double used;	    /* of the heap, at most */
};

static struct kept_by *kept_by(struct state *s, const struct event *e, uint32_t what)
{
	struct kept_by new = { .what = what, .size = -1 };

	uint32_t place = idmap_get(&s->places, what);

	if (place != IDMAP_NONE)
		return &s->list[place];
	/* Samples are some hundreds, and their chains have much in common. */
	if (s->count >= 10000)
		return NULL;
	if (!idmap_put(&s->places, what, (uint32_t)s->count) ||
	    !collect_push((void **)&s->list, &s->count, &s->room, &new, sizeof(new))) {
		event_no_memory(e);
		return NULL;
	}
	return &s->list[s->count - 1];
}

static bool is_seen(const struct event_holder *chain, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (chain[k].what == chain[i].what)
			return true;
	}
	return false;
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	struct event_holder chain[DEPTH];
	size_t n;

	if (e->input != OLD)
		return;
	n = event_holders(e, OBJECT, ROOT, chain, DEPTH);
	s->samples++;
	s->chains += n > 0;
	s->used = fmax(s->used, event_number(e, USED));
	if (n)
		series_add(&s->made, e, event_long(e, ALLOCATED), 1);
	for (size_t i = 0; i < n; i++) {
		struct kept_by *k = is_seen(chain, i) ? NULL : kept_by(s, e, chain[i].what);

		if (!k)
			continue;
		k->samples++;
		k->depth = k->depth > i ? k->depth : (uint32_t)i;
		if (chain[i].size > k->size || !k->class) {
			k->size = chain[i].size > k->size ? chain[i].size : k->size;
			k->class = chain[i].class;
		}
	}
}

static void fini(void *state)
{
	struct state *s = state;

	collect_free(s->list);
	idmap_fini(&s->places);
	series_fini(&s->made);
}

static bool keeps_most(const struct state *s, const struct kept_by *k)
{
	return (double)k->samples >= MOST_SHARE * (double)s->chains;
}

/*
 * Of those that keep most samples the one with most elements; the nearest to the root of equal
 * ones.
 */
static const struct kept_by *holder_of(const struct state *s)
{
	const struct kept_by *best = NULL;

	for (size_t i = 0; i < s->count; i++) {
		const struct kept_by *k = &s->list[i];

		if (keeps_most(s, k) && (!best || k->size > best->size ||
					 (k->size == best->size && k->depth < best->depth)))
			best = k;
	}
	return best;
}

/*
 * Were objects that are kept made in both halves of the time? The JVM samples only those that were
 * there before its last collection.
 */
static bool goes_on(const struct judging *j, const struct state *s)
{
	const struct facts *f = j->facts;
	int64_t end =
		f->collection_count ? f->collections[f->collection_count - 1].start_ns : f->end_ns;
	int64_t middle = f->start_ns + long_subtract(end, f->start_ns) / 2;
	size_t later = 0;

	for (size_t i = 0; i < s->made.count; i++)
		later += s->made.list[i].at_ns >= middle;
	return (double)later >= EACH_HALF * (double)s->made.count &&
	       (double)(s->made.count - later) >= EACH_HALF * (double)s->made.count;
}

/* Does what collections leave grow, by a tenth of the heap and from nearly each to the next? */
static bool heap_grows(const struct facts *f)
{
	double first = NAN, last = NAN;
	size_t up = 0, n = 0;

	for (size_t i = 0; i < f->heap_count; i++) {
		if (!f->heap[i].is_after || f->heap[i].used < 0)
			continue;
		up += (double)f->heap[i].used > last;
		n += !isnan(last);
		first = isnan(first) ? (double)f->heap[i].used : first;
		last = (double)f->heap[i].used;
	}
	return n >= 3 && f->heap_max > 0 && up * 10 >= n * 8 &&
	       last - first >= 0.1 * (double)f->heap_max;
}

static int compare_depths(const void *a, const void *b)
{
	const struct kept_by *x = a, *y = b;

	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	return (x->what > y->what) - (x->what < y->what);
}

/* The references that keep most samples, from the root on. */
static void show_path(struct judging *j, struct state *s)
{
	unsigned shown = 0;

	qsort(s->list, s->count, sizeof(*s->list), compare_depths);
	for (size_t i = 0; i < s->count && shown < 8; i++) {
		const struct kept_by *k = &s->list[i];

		if (!keeps_most(s, k))
			continue;
		shown++;
		show_name(j, JFREC_EVIDENCE_CLASS, "kept by", text_at(j, k->what),
			  (double)k->samples / (double)s->chains);
	}
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	const struct kept_by *k;
	double share;

	if (s->chains < ENOUGH) {
		too_few(j, s->samples ? "Objects were sampled without what refers to them; `jfrec record "
					"--settings memory-leak --path-to-gc-roots` records it"
				      : "No object was sampled that stayed in use");
		return;
	}
	k = holder_of(s);
	if (!k) {
		summarize(j, "Nothing keeps most of the objects that were sampled");
		return;
	}
	share = (double)k->samples / (double)s->chains;
	/* Who records the references looks for a leak. */
	if (k->size >= LARGE)
		judge_at_least(j, goes_on(j, s) && heap_grows(j->facts) ? JFREC_SEVERITY_WARNING
									 : JFREC_SEVERITY_INFO);
	if (k->size >= 0)
		summarize(j, "%s, a %s of %lld, keeps %s of the objects that were sampled",
			  text_at(j, k->what), text_at(j, k->class), (long long)k->size,
			  percent_text(j, share));
	else
		summarize(j, "%s keeps %s of the objects that were sampled", text_at(j, k->what),
			  percent_text(j, share));
	show_path(j, s);
	show_quantity(j, "objects sampled with what keeps them", (double)s->chains,
		      JFREC_UNIT_NONE);
	if (s->used > 0)
		show_quantity(j, "heap in use when they were made, at most", s->used,
			      JFREC_UNIT_BYTES);
	show_command(j, "flame --profile holders");
}

const struct rule rule_leak_holder = {
	.info = {
		.id = "leak-holder",
		.question = "Who keeps the objects that are kept?",
		.matters = "A leak is mended where it is kept, not where it is allocated: in the "
			   "collection that only grows.",
		.computes = "Follows the references that keep sampled objects alive "
			    "(jdk.OldObjectSample, recorded with path-to-gc-roots), and takes the "
			    "largest collection that keeps half of them. From 1000 elements on it is "
			    "info; a warning if it keeps objects of both halves of the recording and "
			    "what collections leave grows by a tenth of the heap.",
		.advice = "Remove what is no longer needed from it, or bound it",
		.beware = "A cache that is still filling looks the same. Looking for the references "
			  "stops the application.",
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
