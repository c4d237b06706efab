/* SPDX-License-Identifier: MIT */
/*
 * heap_exhausted.c - did the JVM run out of heap?
 *
 * An OutOfMemoryError that the JVM throws leaves no event on any JDK; what it leaves are the
 * last tries before it.
 */
#include "analyze/rules.h"

/* Full collections so close together are one try after the other. */
#define ROW_NS INT64_C(2000000000)

enum { HEAP_DUMP };
enum { ON_OUT_OF_MEMORY };

static const struct reads inputs[] = {
	READS("jdk.HeapDump", HELPS, "onOutOfMemoryError"),
	READS("jdk.GarbageCollection", OCCURS),
	READS("jdk.GCHeapSummary", PERIODIC),
	READS("jdk.GCHeapConfiguration", PERIODIC),
	{ 0 },
};

struct state {
	int64_t dumped_ns;
	bool is_dumped;
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;

	if (e->input != HEAP_DUMP || event_long(e, ON_OUT_OF_MEMORY) != 1)
		return;
	if (!s->is_dumped || e->start_ns < s->dumped_ns)
		s->dumped_ns = e->start_ns;
	s->is_dumped = true;
}

struct around {
	int64_t before, after;
};

static struct around heap_around(const struct facts *f, const struct collection *c)
{
	struct around a = { -1, -1 };

	for (size_t i = 0; i < f->heap_count; i++) {
		const struct heap_use *h = &f->heap[i];

		if (h->id != c->id || h->at_ns < c->start_ns - ROW_NS ||
		    h->at_ns > c->end_ns + ROW_NS)
			continue;
		if (h->is_after)
			a.after = h->used;
		else
			a.before = h->used;
	}
	return a;
}

static bool is_full(const char *name)
{
	return strcmp(name, "G1Full") == 0 || strcmp(name, "SerialOld") == 0 ||
	       strcmp(name, "ParallelOld") == 0;
}

/* A full collection that nobody asked for and that did not help. */
static bool was_in_vain(const struct judging *j, const struct collection *c)
{
	const char *cause = text_at(j, c->cause);
	double max = (double)j->facts->heap_max;
	struct around a;

	if (!is_full(text_at(j, c->name)) || cause_is_asked_for(cause) || max <= 0 ||
	    strncmp(cause, "Metadata", strlen("Metadata")) == 0)
		return false;
	a = heap_around(j->facts, c);
	if (a.after < 0)
		return false;
	if ((double)a.after >= 0.95 * max)
		return true;
	return a.before >= a.after && (double)(a.before - a.after) < 0.02 * max &&
	       ((double)a.after >= 0.8 * max || strcmp(cause, "G1 Compaction Pause") == 0);
}

static void judge(void *state, struct judging *j)
{
	const struct facts *f = j->facts;
	const struct state *s = state;
	const struct collection *last = NULL, *first = NULL;
	size_t rows = 0;

	for (size_t i = 0; i < f->collection_count; i++) {
		const struct collection *c = &f->collections[i];

		if (!was_in_vain(j, c))
			continue;
		if (last && c->start_ns - last->end_ns <= ROW_NS) {
			rows++;
			first = first ? first : last;
		}
		last = c;
	}
	if (s->is_dumped) {
		judge_at_least(j, JFREC_SEVERITY_WARNING);
		summarize(j, "An OutOfMemoryError made the JVM dump its heap at %s",
			  time_text(j, s->dumped_ns));
	} else if (rows) {
		judge_at_least(j, JFREC_SEVERITY_WARNING);
		summarize(j, "An allocation failed, or nearly did, at %s: %zu full collections in a "
			     "row freed hardly anything",
			  time_text(j, first->start_ns), rows + 1);
	} else {
		summarize(j, "Nothing shows that the heap was exhausted");
		return;
	}
	if (first)
		show_range(j, "full collections in vain", first->start_ns, last->end_ns);
	show_quantity(j, "largest heap", (double)f->heap_max, JFREC_UNIT_BYTES);
	show_command(j, "view gc");
}

const struct rule rule_heap_exhausted = {
	.info = {
		.id = "heap-exhausted",
		.question = "Did the JVM run out of heap?",
		.matters = "After an OutOfMemoryError a program is in no known state: threads "
			   "have ended, work is half done. The JVM records no event of it; "
			   "this rule finds its traces.",
		.computes = "Looks for two full collections within 2 s, not asked for by a call or a "
			    "tool, that left 95 % of the largest heap in use or freed less than 2 % of it, and "
			    "for a jdk.HeapDump made by an OutOfMemoryError.",
		.advice = "Raise -Xmx, or find what fills the heap (live-set-growth); "
			  "-XX:+HeapDumpOnOutOfMemoryError shows it the next time",
		.beware = "An OutOfMemoryError that the JVM throws leaves no event on any JDK, so "
			  "that the heap may have been exhausted all the same.",
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
};
