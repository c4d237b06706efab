/* SPDX-License-Identifier: MIT */
/*
 * gc_pause_target.c - does G1 keep its target for pauses?
 */
#include "analyze/rules.h"

static const char *const jmc[] = { "GcPauseTargetRule", NULL };

enum { GC_TIME, TARGET, SLICE };

static const struct reads inputs[] = {
	READS("jdk.G1MMU", OCCURS, "gcTime", "pauseTarget", "timeSlice"),
	READS("jdk.CPULoad", HELPS),
	{ 0 },
};

/* Of fewer slices one more or less decides. */
#define ENOUGH_SLICES 20

struct state {
	uint64_t slices, over, far_over;
	double worst_ns, target_ns, slice_ns;
	int64_t worst_at;
	struct spans over_at;
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	double gc = event_number(e, GC_TIME), target = event_number(e, TARGET);

	if (isnan(gc) || isnan(target) || target <= 0)
		return;
	s->slices++;
	if (gc > target) {
		s->over++;
		spans_add(&s->over_at, e,
			  (struct span_of){ .start_ns = e->start_ns, .end_ns = e->start_ns });
	}
	s->far_over += gc >= 2 * target;
	if (gc > s->worst_ns || (gc == s->worst_ns && e->start_ns < s->worst_at)) {
		s->worst_ns = gc;
		s->worst_at = e->start_ns;
		s->target_ns = target;
		s->slice_ns = event_number(e, SLICE);
	}
}

static void fini(void *state)
{
	spans_fini(&((struct state *)state)->over_at);
}

/* A collector that gets no processors keeps no target: that is not for want of heap. */
static void look_at_processors(const struct state *s, struct judging *j)
{
	size_t taken = 0;

	for (size_t i = 0; i < s->over_at.count; i++)
		taken += processors_were_taken(j, s->over_at.list[i].start_ns,
					       s->over_at.list[i].end_ns);
	if (taken <= s->over_at.count / 2)
		return;
	judge_at_most(j, JFREC_SEVERITY_INFO);
	doubt(j, "other processes had most of the processors in %zu of these slices: see cpu-others",
	      taken);
}

static void judge(void *state, struct judging *j)
{
	const struct state *s = state;
	double share;

	if (!s->slices) {
		summarize(j, "There were no time slices to compare");
		return;
	}
	share = (double)s->over / (double)s->slices;
	judge_by(j, share);
	if (s->far_over)
		judge_at_least(j, JFREC_SEVERITY_WARNING);
	if (s->slices < ENOUGH_SLICES)
		judge_at_most(j, JFREC_SEVERITY_INFO);
	look_at_processors(s, j);
	/* G1 counts no more than the slice. */
	summarize(j, "%llu of %llu time slices had more collection than the target of %s, the worst "
		     "%s%s at %s %s",
		  (unsigned long long)s->over, (unsigned long long)s->slices,
		  span_text(j, s->target_ns), span_text(j, s->worst_ns),
		  s->worst_ns >= s->slice_ns ? " or more" : "", time_text(j, s->worst_at),
		  limit_text(j));
	show_quantity(j, "share of slices over the target", share, JFREC_UNIT_PERCENT);
	show_quantity(j, "slices over twice the target", (double)s->far_over, JFREC_UNIT_NONE);
	show_command(j, "print --events jdk.G1MMU");
}

const struct rule rule_gc_pause_target = {
	.info = {
		.id = "gc-pause-target",
		.jmc = jmc,
		.question = "Does G1 keep its target for pauses, -XX:MaxGCPauseMillis?",
		.matters = "You told G1 how long pauses may be, or it took 200 ms. Pauses "
			   "beyond that mean that it cannot do its work in the time it has.",
		.computes = "The share of time slices (jdk.G1MMU) in which collections took longer "
			    "than the target; one of twice the target is a warning. It is info at "
			    "most if other processes had most of the processors (jdk.CPULoad) in "
			    "more than half of these slices, and of fewer than 20 slices.",
		.measures = "share of slices over the target",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.01,
		.warning = 0.1,
		.advice = "Give the collector more heap, or a target that it can keep "
			  "(-XX:MaxGCPauseMillis)",
		.beware = "The target is a soft one: one slice of a thousand over it is as intended.",
		.differs = "JDK Mission Control warns of a single slice over the target.",
	},
	.about = ABOUT_SYMPTOM,
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
