/* SPDX-License-Identifier: MIT */
/*
 * gc_parallelism.c - do the threads of the collector get processors?
 */
#include "analyze/rules.h"

/* The three times are measured in ticks of 10 ms: less says nothing. */
#define LEAST_NS 100e6

static const char *const jmc[] = { "GcInvertedParallelism", NULL };

enum { USER, SYSTEM, REAL };

static const struct reads inputs[] = {
	READS("jdk.GCCPUTime", OCCURS, "userTime", "systemTime", "realTime"),
	READS("jdk.GCConfiguration", HELPS),
	{ 0 },
};

struct state {
	uint64_t long_ones, starved;
	double worst_missing, worst_real;
	int64_t worst_at;
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	double cpu = event_number(e, USER) + event_number(e, SYSTEM), real = event_number(e, REAL);

	if (isnan(cpu) || real < LEAST_NS)
		return;
	s->long_ones++;
	if (real - cpu <= LEAST_NS || cpu >= 0.9 * real)
		return;
	s->starved++;
	if (real - cpu > s->worst_missing) {
		s->worst_missing = real - cpu;
		s->worst_real = real;
		s->worst_at = e->start_ns;
	}
}

static void judge(void *state, struct judging *j)
{
	const struct state *s = state;

	if (uses_collector(j, "Serial")) {
		not_for_this_jvm(j, "The Serial collector has one thread");
		return;
	}
	judge_by(j, (double)s->starved);
	if (!s->starved) {
		summarize(j, "The collector's threads had processors in all of %llu long collections",
			  (unsigned long long)s->long_ones);
		return;
	}
	summarize(j, "In %llu of %llu long collections the collector had less than one processor, the "
		     "worst waited for %s of %s at %s",
		  (unsigned long long)s->starved, (unsigned long long)s->long_ones,
		  span_text(j, s->worst_missing), span_text(j, s->worst_real),
		  time_text(j, s->worst_at));
	show_quantity(j, "processors that the JVM may use", usable_cpus(j), JFREC_UNIT_NONE);
	show_quantity(j, "threads of the collector", (double)j->facts->parallel_gc_threads,
		      JFREC_UNIT_NONE);
	show_command(j, "view gc-cpu-time");
}

const struct rule rule_gc_parallelism = {
	.info = {
		.id = "gc-parallelism",
		.jmc = jmc,
		.question = "Do the threads of the collector get processors?",
		.matters = "Threads of the collector that wait for a processor make each pause "
			   "longer, for all threads of the application.",
		.computes = "Counts collections of 100 ms or longer that used less than 90 % of one "
			    "processor, and missed more than 100 ms of it (jdk.GCCPUTime).",
		.measures = "collections that waited for processors",
		.unit = JFREC_UNIT_NONE,
		.info = 1,
		.warning = INFINITY,
		.advice = "Give the JVM more processors, or look for what else takes them: see "
			  "cpu-others and container-throttled",
		.beware = "A machine that swaps, or reads mapped files from a slow disk, looks the "
			  "same.",
		.differs = "JDK Mission Control warns of single collections of a few milliseconds; the "
			   "times are measured in steps of 10 ms.",
	},
	.about = ABOUT_SYMPTOM,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
};
