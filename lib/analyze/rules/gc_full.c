/* SPDX-License-Identifier: MIT */
/*
 * gc_full.c - did the collector fall back to a full stop-the-world collection?
 */
#include "analyze/heap.h"
#include "analyze/rules.h"

static const char *const jmc[] = { "FullGc", NULL };

static const struct reads inputs[] = {
	READS("jdk.GarbageCollection", OCCURS),
	READS("jdk.GCConfiguration", PERIODIC),
	READS("jdk.OldGarbageCollection", HELPS),
	READS("jdk.GCHeapSummary", HELPS),
	{ 0 },
};

/*
 * Of the serial and the parallel collector: fewer, or a smaller share of all, are as it should be.
 */
#define USUAL	   5
#define MANY_SHARE 0.1
#define MOST_SHARE 0.25

struct counts {
	size_t asked, forced;
	int64_t asked_ns, forced_ns;
	const struct collection *longest;
	const char *cause, *asked_cause;
};

static struct counts count(const struct judging *j)
{
	const struct facts *f = j->facts;
	struct counts n = { 0 };

	for (size_t i = 0; i < f->collection_count; i++) {
		const struct collection *c = &f->collections[i];
		const char *cause = text_at(j, c->cause);

		if (!collection_is_full(j, c))
			continue;
		if (cause_is_asked_for(cause)) {
			n.asked++;
			n.asked_ns += c->end_ns - c->start_ns;
			n.asked_cause = cause;
			continue;
		}
		n.forced++;
		n.forced_ns += c->end_ns - c->start_ns;
		n.cause = cause;
		if (!n.longest || c->end_ns - c->start_ns > n.longest->end_ns - n.longest->start_ns)
			n.longest = c;
	}
	return n;
}

/* With these collectors some are the usual thing: not so many, and not so large a share of all. */
static void judge_usual(struct judging *j)
{
	struct heap_state h = j->facts->heap_state;
	double share = h.collections ? (double)h.full / (double)h.collections : 0;

	if (h.full >= USUAL && share >= MANY_SHARE)
		judge_at_least(j,
			       share >= MOST_SHARE ? JFREC_SEVERITY_WARNING : JFREC_SEVERITY_INFO);
	summarize(j, "%zu of %zu collections were full ones, and stopped the application for %s", h.full,
		  h.collections, span_text(j, h.full_ns));
	if (!is_found(j))
		return;
	j->finding->value = (double)h.full;
	show_quantity(j, "share of full collections", share, JFREC_UNIT_PERCENT);
	show_quantity(j, "stays in use after collections", h.live, JFREC_UNIT_BYTES);
	show_command(j, "print --events jdk.GarbageCollection --where 'name == \"SerialOld\" or name == "
			"\"ParallelOld\" or name == \"PSMarkSweep\"'");
}

static void judge(void *state, struct judging *j)
{
	struct counts n;

	(void)state;
	if (uses_collector(j, "Serial") || uses_collector(j, "Parallel")) {
		judge_usual(j);
		return;
	}
	if (!uses_collector(j, "G1") && !uses_collector(j, "CMS")) {
		not_for_this_jvm(j, "Full collections do not exist with the %s collector",
				 collector_name(j) ? collector_name(j) : "unknown");
		return;
	}
	n = count(j);
	judge_by(j, (double)n.forced);
	if (n.asked)
		judge_at_least(j, JFREC_SEVERITY_INFO);
	if (n.forced) {
		summarize(j, "%zu full collection%s stopped the application for %s, since the "
			     "collector could not keep up (cause %s)",
			  n.forced, plural((double)n.forced), span_text(j, (double)n.forced_ns),
			  n.cause);
		show_range(j, "longest", n.longest->start_ns, n.longest->end_ns);
	} else if (n.asked) {
		summarize(j, "%zu full collection%s, all asked for (cause %s), stopped the "
			     "application for %s",
			  n.asked, plural((double)n.asked), n.asked_cause,
			  span_text(j, (double)n.asked_ns));
		advise(j, "Find who asks: see gc-explicit and gc-by-tools");
	} else {
		summarize(j, "There were no full collections");
		return;
	}
	show_quantity(j, "full collections that were asked for", (double)n.asked,
		      JFREC_UNIT_NONE);
	show_command(j, "print --events jdk.GarbageCollection --where 'name == \"G1Full\" or name == "
			"\"SerialOld\"'");
}

const struct rule rule_gc_full = {
	.info = {
		.id = "gc-full",
		.jmc = jmc,
		.question = "Did the collector fall back to a full stop-the-world collection?",
		.matters = "G1 collects in small steps. If it has to stop everything and "
			   "collect the whole heap at once, it has lost control: the heap is "
			   "too small, or something fills it.",
		.computes = "Counts collections of G1 that are G1Full (SerialOld before JDK 10), "
			    "and of CMS that are SerialOld. Those asked for, by "
			    "System.gc(), a heap dump or a histogram, are info only. With the serial "
			    "and the parallel collector five of them that are a tenth of all "
			    "collections are info, a quarter of all a warning.",
		.measures = "full collections that were not asked for",
		.unit = JFREC_UNIT_NONE,
		.info = 1,
		.warning = 1,
		.advice = "Raise -Xmx, or find what fills the heap (live-set-growth, gc-humongous); "
			  "for cause Metadata GC Threshold see metaspace-growth",
		.beware = "jdk.ObjectCount in the settings makes full collections of its own.",
		.differs = "JDK Mission Control warns of full collections that were asked for, too.",
	},
	.about = ABOUT_SYMPTOM,
	.inputs = inputs,
	.judge = judge,
};
