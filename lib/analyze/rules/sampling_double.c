/* SPDX-License-Identifier: MIT */
/*
 * sampling_double.c - do two samplers run at once?
 */
#include "analyze/rules.h"

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.ExecutionSample", OCCURS),
	READS_EITHER(1, "jdk.CPUTimeSample", OCCURS),
	{ 0 },
};

static void judge(void *state, struct judging *j)
{
	double execution = (double)type_count(j, "jdk.ExecutionSample");
	double cpu_time = (double)type_count(j, "jdk.CPUTimeSample");

	(void)state;
	if (execution + cpu_time == 0) {
		too_few(j, "There are no samples");
		return;
	}
	if (execution == 0 || cpu_time == 0) {
		summarize(j, "One sampler ran");
		return;
	}
	judge_at_least(j, JFREC_SEVERITY_INFO);
	summarize(j, "Two samplers ran at once: %s samples of one and %s of the other show the same "
		     "time",
		  count_text(j, execution), count_text(j, cpu_time));
}

const struct rule rule_sampling_double = {
	.info = {
		.id = "sampling-double",
		.question = "Do two samplers run at once?",
		.matters = "Two samplers cost twice, and adding up what they say counts "
			   "everything twice.",
		.computes = "Looks whether there are both jdk.ExecutionSample and jdk.CPUTimeSample.",
		.advice = "Switch one of them off (`--set ExecutionSample#enabled=false`), and never add "
			  "them up",
		.jdk_from = 25,
	},
	.about = ABOUT_RECORDING,
	.inputs = inputs,
	.judge = judge,
};
