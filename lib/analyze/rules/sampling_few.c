/* SPDX-License-Identifier: MIT */
/*
 * sampling_few.c - are there enough samples to say where the time goes?
 */
#include "analyze/rules.h"
#include "analyze/samples.h"

#define ENOUGH 100

/* A program that used less CPU has nothing to sample. */
#define BUSY_SECONDS 10

static const struct reads inputs[] = {
	SAMPLE_INPUTS,
	READS("jdk.CPULoad", HELPS),
	READS("jdk.CPUInformation", HELPS),
	{ 0 },
};

static void take(void *state, const struct event *e)
{
	samples_take(state, e);
}

static void fini(void *state)
{
	samples_fini(state);
}

/* How much CPU threads of the application used, in seconds; 0 where it is not known. */
static double used_seconds(const struct judging *j)
{
	double threads = busy_by_threads(j, true), cpus = isnan(threads) ? busy_cpus(j) : threads;

	return isnan(cpus) ? 0 : cpus * (double)recorded_ns(j) / 1e9;
}

static void judge(void *state, struct judging *j)
{
	double n = (double)groups_count(samples_best(state)), used = used_seconds(j);

	summarize(j, "There are %s samples", count_text(j, n));
	if (n >= ENOUGH || used < BUSY_SECONDS)
		return;
	judge_at_least(j, JFREC_SEVERITY_INFO);
	summarize(j, "There are only %s samples for %s of CPU of its threads: a share of 10 %% may be off by %s",
		  count_text(j, n), span_text(j, used * 1e9),
		  n > 0 ? percent_text(j, 1.96 * sqrt(0.1 * 0.9 / n)) : "anything");
	show_quantity(j, "samples", n, JFREC_UNIT_NONE);
}

const struct rule rule_sampling_few = {
	.info = {
		.id = "sampling-few",
		.question = "Are there enough samples to say where the time goes?",
		.matters = "With few samples, chance decides which method looks hot.",
		.computes = "Counts samples: fewer than 100 are info, if the JVM used 10 s of CPU.",
		.advice = "Record longer, or with a shorter period (`jfrec start --settings profile`)",
	},
	.about = ABOUT_RECORDING,
	.inputs = inputs,
	.state_size = sizeof(struct samples),
	.take = take,
	.judge = judge,
	.fini = fini,
};
