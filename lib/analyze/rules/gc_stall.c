/* SPDX-License-Identifier: MIT */
/*
 * gc_stall.c - did the concurrent collector lose the race against the application?
 */
#include "analyze/rules.h"

static const char *const jmc[] = { "GcStall", NULL };

static const struct reads inputs[] = {
	READS("jdk.GarbageCollection", OCCURS),
	READS("jdk.GCConfiguration", PERIODIC),
	READS("jdk.ConcurrentModeFailure", HELPS),
	{ 0 },
};

static void judge(void *state, struct judging *j)
{
	const struct facts *f = j->facts;
	uint64_t failures = type_count(j, "jdk.ConcurrentModeFailure");
	const struct collection *worst = NULL;
	size_t asked = 0, forced = 0;

	(void)state;
	if (!uses_collector(j, "G1") && !uses_collector(j, "CMS")) {
		not_for_this_jvm(j, "The %s collector does not work beside the application, or says "
				    "in other ways that it was late",
				 collector_name(j) ? collector_name(j) : "unknown");
		return;
	}
	for (size_t i = 0; i < f->collection_count; i++) {
		const struct collection *c = &f->collections[i];

		if (!collection_is_full(j, c))
			continue;
		if (cause_is_asked_for(text_at(j, c->cause))) {
			asked++;
			continue;
		}
		forced++;
		if (!worst || c->end_ns - c->start_ns > worst->end_ns - worst->start_ns)
			worst = c;
	}
	judge_by(j, (double)(failures + forced));
	if (!is_found(j)) {
		summarize(j, "The collector kept up with the application");
		return;
	}
	summarize(j, "The collector could not finish in time: %zu full collection%s and %llu failure%s "
		     "of concurrent work; %zu more were asked for",
		  forced, plural((double)forced), (unsigned long long)failures,
		  plural((double)failures), asked);
	if (worst)
		show_range(j, "longest", worst->start_ns, worst->end_ns);
	show_command(j, "view gc");
}

const struct rule rule_gc_stall = {
	.info = {
		.id = "gc-stall",
		.jmc = jmc,
		.question = "Did the concurrent collector lose the race against the application?",
		.matters = "These collectors work beside the application. If they do not "
			   "finish in time, the application has to wait for them, mostly for "
			   "seconds.",
		.computes = "Counts full collections of G1 and CMS that were not asked for, and "
			    "jdk.ConcurrentModeFailure.",
		.measures = "full collections and failures of concurrent work",
		.unit = JFREC_MEASURE_NUMBER,
		.info = 1,
		.warning = 1,
		.advice = "Let the collector begin earlier (-XX:InitiatingHeapOccupancyPercent), give "
			  "it more threads (-XX:ConcGCThreads) or more heap (-Xmx)",
		.beware = "Stalls of ZGC and degenerated collections of Shenandoah have rules of "
			  "their own.",
		.differs = "JDK Mission Control also warns where all full collections were asked for.",
	},
	.about = ABOUT_SYMPTOM,
	.inputs = inputs,
	.judge = judge,
};
