/* SPDX-License-Identifier: MIT */
/*
 * sampling_reached.c - how many samples should there be, and how many are there?
 *
 * HotSpot's sampler looks at five threads at most in each period, going round. So with k threads
 * that run, k > 5, the period of each is k/5 of what was asked for.
 */
#include <stdlib.h>

#include "analyze/samples.h"
#include "analyze/rules.h"

#define WINDOW_NS INT64_C(30000000000)

/* Threads that the sampler looks at in each period. */
#define AT_ONCE 5

/* A window with less to be expected says nothing; nor does start-up, which is in the JVM mostly. */
#define ENOUGH_PER_SECOND 5
#define ENOUGH_EXPECTED	  250

enum { SAMPLE, LOAD };
enum { THREAD, USER, SYSTEM };

static const struct reads inputs[] = {
	READS("jdk.ExecutionSample", OCCURS, "sampledThread"),
	READS("jdk.ThreadCPULoad", PERIODIC, "eventThread", "user", "system"),
	READS("jdk.CPUInformation", PERIODIC),
	{ 0 },
};

struct state {
	struct groups sampled[2]; /* by thread, by window: samples */
	struct groups loaded[2];  /* by thread, by window: load */
};

static uint32_t window_of(int64_t ns)
{
	return (uint32_t)(ns / WINDOW_NS);
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	struct groups *to;
	uint32_t thread;
	double value = 1;

	if (e->input > LOAD)
		return;
	thread = event_thread(e, THREAD);
	if (e->input == LOAD) {
		value = event_number(e, USER) + event_number(e, SYSTEM);
		if (isnan(value) || is_jvm_thread(event_text_of(e, event_text(e, THREAD))))
			return;
	}
	to = e->input == LOAD ? s->loaded : s->sampled;
	groups_add(&to[0], e, (uint32_t[4]){ thread }, value, NULL);
	groups_add(&to[1], e, (uint32_t[4]){ window_of(e->start_ns) }, value, NULL);
}

static void fini(void *state)
{
	struct state *s = state;

	for (int i = 0; i < 2; i++) {
		groups_fini(&s->sampled[i]);
		groups_fini(&s->loaded[i]);
	}
}

static double sum_of(const struct groups *g, uint32_t key)
{
	for (uint32_t i = 0; i < g->count; i++) {
		if (g->list[i].key[0] == key)
			return g->list[i].sum;
	}
	return 0;
}

/* What a load, a share of the machine over one period of the event, is in CPU seconds. */
static double cpu_seconds(const struct judging *j)
{
	int64_t period = type_period_ns(j, "jdk.ThreadCPULoad");

	return (double)(period > 0 ? period : INT64_C(10000000000)) / 1e9 *
	       (double)j->facts->hw_threads;
}

struct reached {
	double expected, samples, cpu;
};

/* Only windows in which enough is to be expected. */
static struct reached count(const struct judging *j, const struct state *s, double period)
{
	struct reached all = { 0 };
	double seconds = (double)window_ns(j, WINDOW_NS) / 1e9;

	for (uint32_t i = 0; i < s->loaded[1].count; i++) {
		const struct group *g = &s->loaded[1].list[i];
		double cpu = g->sum * cpu_seconds(j), running = cpu / seconds;
		double expected = (running < AT_ONCE ? running : AT_ONCE) / period * seconds;

		if (expected < ENOUGH_PER_SECOND * seconds)
			continue;
		all.expected += expected;
		all.cpu += cpu;
		all.samples += sum_of(&s->sampled[1], g->key[0]);
	}
	return all;
}

/* Threads that burn CPU and are hardly sampled. Returns the share of CPU time that is theirs. */
static double hardly_sampled(struct judging *j, struct state *s, double period, bool show)
{
	double all = groups_sum(&s->loaded[0]) * cpu_seconds(j), missed = 0;
	double running = all / ((double)recorded_ns(j) / 1e9);
	double each = running > AT_ONCE ? AT_ONCE / running : 1;
	unsigned shown = 0;

	groups_sort(&s->loaded[0]);
	for (uint32_t i = 0; i < s->loaded[0].count; i++) {
		const struct group *g = &s->loaded[0].list[i];
		double cpu = g->sum * cpu_seconds(j);

		if (cpu < 1 || sum_of(&s->sampled[0], g->key[0]) >= 0.1 * each * cpu / period)
			continue;
		missed += cpu;
		if (show && shown++ < 5)
			show_thread(j, textf(j, "used %s of CPU, sampled %s times",
					     span_text(j, cpu * 1e9),
					     count_text(j, sum_of(&s->sampled[0], g->key[0]))),
				    g->key[0], all > 0 ? cpu / all : NAN);
	}
	return all > 0 ? missed / all : 0;
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	double period = (double)type_period_ns(j, "jdk.ExecutionSample") / 1e9, missed;
	struct reached r;

	if (is_foreign_sampler(j))
		return;
	if (period <= 0)
		period = 0.02;
	r = count(j, s, period);
	missed = hardly_sampled(j, s, period, false);
	if (r.expected < ENOUGH_EXPECTED) {
		too_few(j, "the program used too little CPU to expect %d samples", ENOUGH_EXPECTED);
		return;
	}
	judge_by(j, r.samples < r.expected ? 1 - r.samples / r.expected : 0);
	if (missed >= 0.25)
		judge_at_least(j, JFREC_SEVERITY_WARNING);
	summarize(j, "%s of the samples are missing: %s were taken where %s were to be expected for "
		     "%s of CPU %s",
		  percent_text(j, fmax(0, 1 - r.samples / r.expected)), count_text(j, r.samples),
		  count_text(j, floor(r.expected)), span_text(j, r.cpu * 1e9), limit_text(j));
	if (missed >= 0.25)
		summarize(j, "threads that used %s of the CPU were hardly sampled: %s samples where %s "
			     "were to be expected",
			  percent_text(j, missed), count_text(j, r.samples),
			  count_text(j, floor(r.expected)));
	if (!is_found(j))
		return;
	hardly_sampled(j, s, period, true);
	show_command(j, "view thread-cpu-load");
}

const struct rule rule_sampling_reached = {
	.info = {
		.id = "sampling-reached",
		.question = "How many samples should there be, and how many are there?",
		.computes = "Expects one jdk.ExecutionSample for each period of CPU time that "
			    "application threads used (jdk.ThreadCPULoad), of five threads at most, "
			    "in windows of 30 s and 250 samples in all; threads that used 25 % of "
			    "the CPU and have less than a tenth of their samples are a warning.",
		.measures = "samples that are missing",
		.unit = JFREC_MEASURE_SHARE,
		.info = 0.5,
		.warning = 0.8,
		.advice = "do not trust the profile of these threads: on JDK 25 and later record "
			  "jdk.CPUTimeSample, else use async-profiler",
		.beware = "Up to JDK 24 a sample at a place without debug information is dropped "
			  "without a trace; threads inside the JVM are never sampled.",
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
