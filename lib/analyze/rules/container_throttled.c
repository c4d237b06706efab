/* SPDX-License-Identifier: MIT */
/*
 * container_throttled.c - did the kernel stop the JVM, because its CPU quota was used up?
 */
#include "analyze/container.h"
#include "analyze/readings.h"
#include "analyze/rules.h"

/* An interval says something from so many periods of the quota on. */
#define ENOUGH_PERIODS 100

enum { ELAPSED, THROTTLED, TIME };

static const struct reads inputs[] = {
	READS("jdk.ContainerCPUThrottling", OCCURS,
	      "cpuElapsedSlices", "cpuThrottledSlices", "cpuThrottledTime"),
	READS("jdk.ContainerConfiguration", HELPS),
	{ 0 },
};

static void take(void *state, const struct event *e)
{
	if (e->input == 0)
		readings_add(state, e);
}

static void fini(void *state)
{
	readings_fini(state);
}

struct throttled {
	int64_t elapsed, throttled, time_ns, from_ns, to_ns;
	double share;
};

static struct throttled between(const struct reading *before, const struct reading *after)
{
	struct throttled t = { .from_ns = before->at_ns, .to_ns = after->at_ns };

	if (!reading_rise(before, after, ELAPSED, &t.elapsed) ||
	    !reading_rise(before, after, THROTTLED, &t.throttled) || t.elapsed == 0)
		return (struct throttled){ 0 };
	reading_rise(before, after, TIME, &t.time_ns);
	t.share = (double)t.throttled / (double)t.elapsed;
	return t;
}

/* The worst interval that is long enough, or all of them together if that is worse. */
static struct throttled worst_of(const struct readings *r)
{
	struct throttled all = { .from_ns = r->list[0].at_ns,
				 .to_ns = r->list[r->count - 1].at_ns };
	struct throttled worst = { 0 };

	for (size_t i = 1; i < r->count; i++) {
		struct throttled t = between(&r->list[i - 1], &r->list[i]);

		all.elapsed += t.elapsed;
		all.throttled += t.throttled;
		all.time_ns += t.time_ns;
		if (t.elapsed >= ENOUGH_PERIODS && t.share > worst.share)
			worst = t;
	}
	all.share = all.elapsed ? (double)all.throttled / (double)all.elapsed : 0;
	return all.share > worst.share ? all : worst;
}

/* The longest collection within the span: a throttled JVM collects slowly. */
static void show_pause(struct judging *j, const struct throttled *t)
{
	const struct spans *pauses = &j->facts->pauses;
	double longest = 0;

	for (size_t i = 0; i < pauses->count; i++) {
		const struct span_of *p = &pauses->list[i];

		if (p->start_ns >= t->from_ns && p->end_ns <= t->to_ns &&
		    (double)(p->end_ns - p->start_ns) > longest)
			longest = (double)(p->end_ns - p->start_ns);
	}
	if (longest > 0)
		show_quantity(j, "longest GC pause in that time", longest, JFREC_UNIT_NS);
}

static void show_processors(struct judging *j)
{
	const struct facts *f = j->facts;

	if (quota_cpus(j) > 0)
		show_quantity(j, "quota in CPUs", quota_cpus(j), JFREC_UNIT_NONE);
	if (f->effective_cpus > 0)
		show_quantity(j, "CPUs that the JVM assumes", (double)f->effective_cpus,
			      JFREC_UNIT_NONE);
	if (f->parallel_gc_threads > 0)
		show_quantity(j, "GC threads", (double)f->parallel_gc_threads,
			      JFREC_UNIT_NONE);
	show_command(j, "view container-throttling");
}

static void judge_single(struct judging *j, const struct reading *r)
{
	double share = r->value[ELAPSED] > 0
			       ? (double)r->value[THROTTLED] / (double)r->value[ELAPSED]
			       : 0;

	judge_by(j, share);
	judge_at_most(j, JFREC_SEVERITY_INFO);
	summarize(j, "%s of the CPU periods were throttled since the control group was made %s",
		  percent_text(j, share), limit_text(j));
	doubt(j, "there is one reading only, which says nothing of the time recorded");
	show_processors(j);
}

static void judge(void *state, struct judging *j)
{
	struct readings *r = state;
	struct throttled t;

	if (container_is_unseen(j, "jdk.ContainerCPUThrottling"))
		return;
	readings_sort(r);
	if (r->count < 2) {
		judge_single(j, &r->list[0]);
		return;
	}
	t = worst_of(r);
	judge_by(j, t.share);
	summarize(j, "%s of the CPU periods were throttled from %s on: %lld of %lld, threads stood "
		     "still for %s in %s %s",
		  percent_text(j, t.share), time_text(j, t.from_ns), (long long)t.throttled,
		  (long long)t.elapsed, span_text(j, (double)t.time_ns),
		  span_text(j, (double)(t.to_ns - t.from_ns)), limit_text(j));
	if (!t.throttled) {
		summarize(j, "The kernel did not throttle the container while it was recorded");
		return;
	}
	/* Fewer processors than one it cannot assume. */
	if (j->facts->effective_cpus == 1)
		advise(j, "Raise the CPU limit of the container, or let fewer threads be at work at once");
	show_range(j, "throttled", t.from_ns, t.to_ns);
	show_quantity(j, "time that threads stood still, added up", (double)t.time_ns,
		      JFREC_UNIT_NS);
	show_pause(j, &t);
	show_processors(j);
}

const struct rule rule_container_throttled = {
	.info = {
		.id = "container-throttled",
		.question = "Did the kernel stop the JVM because its CPU quota was used up?",
		.matters = "A container that has used up its CPU quota stands still for the "
			   "rest of each 100 ms. Answers that take 20 ms then take 120 ms, "
			   "though the processors look idle.",
		.computes = "Takes the differences of neighbouring jdk.ContainerCPUThrottling events "
			    "(the counters run since the control group was made): throttled periods "
			    "of all periods, in the worst interval of at least 100 periods and over "
			    "all. A period is mostly 100 ms.",
		.measures = "throttled periods of all periods of the quota",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.05,
		.warning = 0.25,
		.advice = "Raise the CPU limit of the container, or use fewer threads: "
			  "-XX:ActiveProcessorCount and smaller pools",
		.beware = "The time is the sum over all threads, so it may be longer than the "
			  "interval. A short burst after long idling is throttled, too.",
		.jdk_from = 11,
	},
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct readings),
	.take = take,
	.judge = judge,
	.fini = fini,
};
