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
	uint64_t failures = type_count(j, "jdk.ConcurrentModeFailure");

	(void)state;
	if (!uses_collector(j, "G1") && !uses_collector(j, "CMS")) {
		not_for_this_jvm(j, "The %s collector does not work beside the application, or says "
				    "in other ways that it was late",
				 collector_name(j) ? collector_name(j) : "unknown");
		return;
	}
	/* Of each of G1's a full collection follows. */
	judge_by(j, uses_collector(j, "G1") ? 0 : (double)failures);
	if (!is_found(j)) {
		summarize(j, "No concurrent work failed; gc-full counts full collections");
		return;
	}
	summarize(j, "The collector could not finish in time: its concurrent work failed %llu time%s",
		  (unsigned long long)failures, plural((double)failures));
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
		.computes = "Counts jdk.ConcurrentModeFailure of CMS. The full collections that G1 and CMS "
			    "fall back to are left to gc-full.",
		.measures = "failures of concurrent work",
		.unit = JFREC_UNIT_NONE,
		.info = 1,
		.warning = 1,
		.advice = "Let the collector begin earlier (-XX:InitiatingHeapOccupancyPercent), give "
			  "it more threads (-XX:ConcGCThreads) or more heap (-Xmx)",
		.beware = "Stalls of ZGC and degenerated collections of Shenandoah have rules of "
			  "their own.",
		.differs = "JDK Mission Control counts full collections here, too, even if all of them "
			   "were asked for.",
	},
	.about = ABOUT_SYMPTOM,
	.inputs = inputs,
	.judge = judge,
};
