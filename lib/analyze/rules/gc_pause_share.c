/* SPDX-License-Identifier: MIT */
/*
 * gc_pause_share.c - what share of time did collections stop the application?
 */
#include "analyze/rules.h"
#include "base/idmap.h"

#define WINDOW_NS INT64_C(60000000000)

/* 5 % of a minute: with less in all, a large share is that of a short recording. */
#define LEAST_NS INT64_C(3000000000)

static const char *const jmc[] = { "GcPauseRatio", NULL };

static const struct reads inputs[] = {
	READS("jdk.GCPhasePause", OCCURS),
	READS("jdk.GarbageCollection", HELPS),
	READS("jdk.GCHeapSummary", HELPS),
	READS("jdk.GCCPUTime", HELPS),
	{ 0 },
};

static bool began_in(const struct collection *c, const struct worst *w)
{
	return c->start_ns >= w->from_ns && c->start_ns < w->to_ns;
}

/* The cause of most collections that began in the span; of equal ones that which came first. */
static const char *common_cause(const struct judging *j, const struct worst *w)
{
	const struct facts *f = j->facts;
	struct idmap counts = { 0 }; /* by cause */
	uint32_t best = 0, most = 0, *n = NULL;

	for (size_t i = 0; i < f->collection_count; i++) {
		const struct collection *c = &f->collections[i];

		if (c->cause && began_in(c, w) && (n = idmap_put(&counts, c->cause, 0)) != NULL)
			++*n;
	}
	for (size_t i = 0; n && i < f->collection_count; i++) {
		const struct collection *c = &f->collections[i];
		uint32_t here = began_in(c, w) ? idmap_get(&counts, c->cause) : 0;

		if (here != IDMAP_NONE && here > most) {
			most = here;
			best = c->cause;
		}
	}
	idmap_fini(&counts);
	return text_at(j, best);
}

static size_t pauses_in(const struct facts *f, const struct worst *w)
{
	size_t n = 0;

	for (size_t i = 0; i < f->pauses.count; i++)
		n += f->pauses.list[i].end_ns > w->from_ns && f->pauses.list[i].start_ns < w->to_ns;
	return n;
}

static void judge(void *state, struct judging *j)
{
	const struct facts *f = j->facts;
	int64_t width = window_ns(j, WINDOW_NS);
	struct worst w = spans_worst(&f->pauses, width, f->start_ns, f->end_ns);
	double share = (double)w.covered_ns / (double)width, live = live_share(j);
	double worked = gc_worked(j);
	const struct span_of *longest = spans_longest(&f->pauses);
	const char *cause = common_cause(j, &w);

	(void)state;
	/* It counts what the collector would have taken with a processor of its own. */
	judge_by(j, share * worked);
	if ((double)w.covered_ns * worked < (double)LEAST_NS)
		judge_at_most(j, JFREC_SEVERITY_INFO);
	summarize(j, "GC stopped the application for %s of %s from %s%s %s", percent_text(j, share),
		  span_text(j, (double)width), time_text(j, w.from_ns),
		  worked < 1 ? textf(j, ", %s of that to wait for a processor", percent_text(j, 1 - worked))
			     : "",
		  limit_text(j));
	if (!longest)
		return;
	show_range(j, "worst window", w.from_ns, w.to_ns);
	show_quantity(j, "pauses in it", (double)pauses_in(f, &w), JFREC_UNIT_NONE);
	show_quantity(j, "share of all the time",
		      (double)spans_union(&f->pauses, f->start_ns, f->end_ns) /
			      (double)recorded_ns(j),
		      JFREC_UNIT_PERCENT);
	show_quantity(j, "longest pause", (double)(longest->end_ns - longest->start_ns),
		      JFREC_UNIT_NS);
	if (*cause)
		show_note(j, "most collections were made for: %s", cause);
	show_quantity(j, "heap in use after collections, of its maximum", live, JFREC_UNIT_PERCENT);
	show_command(j, "view gc-pauses");
	if (live > 0.7)
		advise(j, "%s of %s stay in use after collections: raise -Xmx, or find what is kept "
			  "(live-set-growth)",
		       bytes_text(j, live * (double)f->heap_max),
		       bytes_text(j, (double)f->heap_max));
}

const struct rule rule_gc_pause_share = {
	.info = {
		.id = "gc-pause-share",
		.jmc = jmc,
		.question = "What share of time did collections stop the application?",
		.matters = "While a garbage collection pauses the application, no request is "
			   "answered. A tenth of the time in pauses is a tenth less work, and "
			   "the slowest answers get slower still.",
		.computes = "Adds up the pauses of garbage collections (jdk.GCPhasePause) in "
			    "windows of 60 seconds, or of the whole recording if it is shorter, "
			    "and takes the worst window. Less than 3 seconds in it are info at most. Where "
			    "the collector had a processor for less than 60 % of its time "
			    "(jdk.GCCPUTime), only that share counts: others had the processors.",
		.measures = "share of the worst window in which collections stopped the application",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.05,
		.warning = 0.10,
		.advice = "Allocate less: `jfrec flame --profile alloc RECORDING` shows where; or give "
			  "the collector more heap with -Xmx",
		.beware = "Work that collectors do beside the application costs processors, not "
			  "pauses. ZGC and Shenandoah hold threads back in other ways: see "
			  "gc-zgc-stall.",
		.differs = "JDK Mission Control divides by 60 seconds also where less was recorded, "
			   "so a short recording needs longer pauses to be noticed.",
	},
	.about = ABOUT_SYMPTOM,
	.curve = CURVE,
	.inputs = inputs,
	.judge = judge,
};
