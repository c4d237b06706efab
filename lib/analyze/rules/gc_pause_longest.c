/* SPDX-License-Identifier: MIT */
/*
 * gc_pause_longest.c - how long was the worst stop for a collection, or the worst row of stops?
 */
#include <stdlib.h>

#include "analyze/rules.h"

static const char *const jmc[] = { "LongGcPause", "HighGc", NULL };

enum { PAUSE, LEVEL_1, LEVEL_2, LEVEL_3 };
enum { GC_ID, NAME };

static const struct reads inputs[] = {
	READS("jdk.GCPhasePause", OCCURS),
	READS("jdk.GCPhasePauseLevel1", HELPS, "gcId", "name"),
	READS("jdk.GCPhasePauseLevel2", HELPS, "gcId", "name"),
	READS("jdk.GarbageCollection", HELPS),
	READS("jdk.GCHeapSummary", HELPS),
	READS("jdk.CPULoad", HELPS),
	READS("jdk.GCCPUTime", HELPS),
	{ 0 },
};

struct state {
	struct spans phases; /* id gcId, what the name */
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;

	spans_add(&s->phases, e,
		  (struct span_of){ e->start_ns, e->end_ns, (uint64_t)event_long(e, GC_ID),
				    event_text(e, NAME), 0 });
}

static void fini(void *state)
{
	spans_fini(&((struct state *)state)->phases);
}

static const struct collection *collection_of(const struct facts *f, const struct span_of *pause)
{
	for (size_t i = 0; i < f->collection_count; i++) {
		if (f->collections[i].id == pause->id &&
		    f->collections[i].start_ns <= pause->end_ns &&
		    f->collections[i].end_ns >= pause->start_ns)
			return &f->collections[i];
	}
	return NULL;
}

static void show_phases(struct judging *j, struct spans *phases, const struct span_of *pause)
{
	double whole = (double)(pause->end_ns - pause->start_ns);

	spans_sort(phases);
	for (size_t i = 0; i < phases->count; i++) {
		const struct span_of *p = &phases->list[i];
		double length = (double)(p->end_ns - p->start_ns);

		if (p->id == pause->id && p->start_ns >= pause->start_ns - 1000000 &&
		    p->end_ns <= pause->end_ns + 1000000 && length >= 0.1 * whole)
			show_quantity(j, textf(j, "phase %s", text_at(j, p->what)), length,
				      JFREC_UNIT_NS);
	}
}

static void show_heap(struct judging *j, uint64_t gc, const struct span_of *pause)
{
	const struct facts *f = j->facts;

	for (size_t i = 0; i < f->heap_count; i++) {
		const struct heap_use *h = &f->heap[i];

		if (h->id == gc && llabs(h->at_ns - pause->start_ns) < 60000000000 && h->used >= 0)
			show_quantity(j, h->is_after ? "heap after it" : "heap before it",
				      (double)h->used, JFREC_UNIT_BYTES);
	}
}

static void advise_collector(struct judging *j)
{
	if (uses_collector(j, "Serial") || uses_collector(j, "Parallel"))
		advise(j, "The %s collector stops the application for all of its work: use G1 "
			  "(-XX:+UseG1GC) or ZGC (-XX:+UseZGC)%s",
		       collector_name(j), live_share(j) < 0.5 ? ", or a smaller heap" : "");
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	const struct span_of *longest = spans_longest(&j->facts->pauses);
	struct cluster c = spans_densest(&j->facts->pauses, NULL);
	double ns = longest ? (double)(longest->end_ns - longest->start_ns) : 0;
	const struct collection *gc = longest ? collection_of(j->facts, longest) : NULL;

	double worked = gc_worked(j);

	/* It counts what the collector would have taken with a processor of its own. */
	judge_by(j, c.mass * worked);
	if (ns * worked >= 1e9)
		judge_at_least(j, JFREC_SEVERITY_INFO);
	if (!longest && hidden_by_threshold(j, "jdk.GCPhasePause", j->info))
		return;
	if (!longest) {
		summarize(j, "No collection stopped the application");
		return;
	}
	if (c.parts > 1 && c.mass > 1.2 * ns)
		summarize(j, "GC stopped the application %zu times in a row, for %s of %s from %s %s",
			  c.parts, span_text(j, c.mass), span_text(j, c.end - c.start),
			  time_text(j, (int64_t)c.start), limit_text(j));
	else
		summarize(j, "A collection stopped the application for %s at %s %s",
			  span_text(j, ns), time_text(j, longest->start_ns), limit_text(j));
	show_range(j, "longest pause", longest->start_ns, longest->end_ns);
	show_quantity(j, "its length", ns, JFREC_UNIT_NS);
	if (gc)
		show_note(j, "it was collection %llu, %s, made for: %s",
			  (unsigned long long)gc->id, text_at(j, gc->name), text_at(j, gc->cause));
	show_phases(j, &s->phases, longest);
	show_heap(j, longest->id, longest);
	show_events(j, "jdk.GCPhasePause", longest->start_ns, longest->end_ns, NULL);
	advise_collector(j);
	if (is_found(j) && worked < 1)
		advise(j, "Collections waited %s of their time for a processor: give the JVM more of them, "
			  "or fewer other programs beside it",
		       percent_text(j, 1 - worked));
	if (is_found(j) && processors_were_taken(j, longest->start_ns, longest->end_ns))
		doubt(j, "other processes had most of the processors at the time of the longest: see "
			 "cpu-others");
}

const struct rule rule_gc_pause_longest = {
	.info = {
		.id = "gc-pause-longest",
		.jmc = jmc,
		.question = "How long was the worst stop for a collection?",
		.matters = "A pause of a second is a second in which nothing answers: "
			   "timeouts, failed health checks, a slow page.",
		.computes = "Takes the longest pause (jdk.GCPhasePause), or several that follow "
			    "each other so closely that they are felt as one. A single pause of a "
			    "second is info in any case. Where collectors had a processor for less than "
			    "60 % of their time (jdk.GCCPUTime), only that share counts.",
		.measures = "time paused in the worst row of pauses",
		.unit = JFREC_UNIT_NS,
		.info = 125e6,
		.warning = 602e6,
		.advice = "Look at what the pause did (`jfrec view gc-pause-phases RECORDING`), lower "
			  "-XX:MaxGCPauseMillis, or use a collector with short pauses (-XX:+UseZGC)",
		.beware = "A machine that is short of processors, or swaps, makes any pause long.",
		.differs = "JDK Mission Control has two rules, of which one calls the same pause "
			   "info and the other warning; this is the higher of both, of all pauses.",
	},
	.about = ABOUT_SYMPTOM,
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
