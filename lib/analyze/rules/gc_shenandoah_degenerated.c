/* SPDX-License-Identifier: MIT */
/*
 * gc_shenandoah_degenerated.c - did Shenandoah have to stop the application to finish its work?
 */
#include "analyze/rules.h"

static const struct reads inputs[] = {
	READS("jdk.GCPhasePause", OCCURS),
	READS("jdk.GarbageCollection", HELPS),
	READS("jdk.GCConfiguration", PERIODIC),
	{ 0 },
};

struct counts {
	size_t degenerated, full;
	const struct span_of *longest;
};

static bool begins(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static struct counts count(const struct judging *j)
{
	const struct spans *pauses = &j->facts->pauses;
	struct counts n = { 0 };

	for (size_t i = 0; i < pauses->count; i++) {
		const struct span_of *p = &pauses->list[i];
		const char *name = text_at(j, p->what);

		if (begins(name, "Pause Degenerated"))
			n.degenerated++;
		else if (begins(name, "Pause Full"))
			n.full++;
		else
			continue;
		if (!n.longest || p->end_ns - p->start_ns > n.longest->end_ns - n.longest->start_ns)
			n.longest = p;
	}
	return n;
}

static void judge(void *state, struct judging *j)
{
	struct counts n;
	size_t cycles = j->facts->collection_count;
	double share;

	(void)state;
	if (!uses_collector(j, "Shenandoah")) {
		not_for_this_jvm(j, "Only Shenandoah has degenerated collections");
		return;
	}
	n = count(j);
	if (!n.degenerated && !n.full) {
		summarize(j, "Shenandoah finished its work beside the application");
		return;
	}
	share = cycles > n.degenerated ? (double)n.degenerated / (double)cycles : 1;
	judge_by(j, share);
	if (n.full)
		judge_at_least(j, JFREC_SEVERITY_WARNING);
	summarize(j, "Shenandoah was too late: %zu degenerated and %zu full collections of %zu %s",
		  n.degenerated, n.full, cycles, limit_text(j));
	show_range(j, "longest pause", n.longest->start_ns, n.longest->end_ns);
	show_quantity(j, "its length", (double)(n.longest->end_ns - n.longest->start_ns),
		      JFREC_UNIT_NS);
	show_events(j, "jdk.GCPhasePause", n.longest->start_ns, n.longest->end_ns, NULL);
}

const struct rule rule_gc_shenandoah_degenerated = {
	.info = {
		.id = "gc-shenandoah-degenerated",
		.question = "Did Shenandoah have to stop the application to finish its work?",
		.matters = "Shenandoah works beside the application. A degenerated or full "
			   "collection stops the application after all.",
		.computes = "Counts the pauses Pause Degenerated GC (jdk.GCPhasePause), of all "
			    "collections. Any Pause Full is a warning.",
		.measures = "share of collections that degenerated",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0,
		.warning = 0.05,
		.advice = "Raise -Xmx, allocate less (see allocation-site), or start earlier with "
			  "-XX:ShenandoahInitFreeThreshold and -XX:ShenandoahMinFreeThreshold",
		.beware = "Shenandoah also slows threads down that allocate (pacing); no event shows "
			  "that.",
		.jdk_from = 11,
	},
	.inputs = inputs,
	.judge = judge,
};
