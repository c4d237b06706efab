/* SPDX-License-Identifier: MIT */
/*
 * recording_short.c - was it recorded for long enough?
 */
#include "analyze/rules.h"

static void judge(void *state, struct judging *j)
{
	double ns = (double)recorded_ns(j);

	(void)state;
	j->finding->value = ns;
	summarize(j, "%s were recorded", span_text(j, ns));
	if (ns >= j->info)
		return;
	judge_at_least(j, JFREC_SEVERITY_INFO);
	summarize(j, "Only %s were recorded %s: rates and shares may be of start-up alone",
		  span_text(j, ns), limit_text(j));
}

const struct rule rule_recording_short = {
	.info = {
		.id = "recording-short",
		.question = "Was it recorded for long enough?",
		.matters = "In the first seconds a program loads and compiles its code. What "
			   "it does then says little about the rest of the day.",
		.computes = "Compares the time from the first chunk's start to the last one's end with "
			    "the limit, below which it is info.",
		.measures = "time recorded; shorter is a finding",
		.unit = JFREC_UNIT_NS,
		.info = 20e9,
		.warning = INFINITY,
		.advice = "Record for a minute at least (`jfrec record --duration 60s`)",
	},
	.about = ABOUT_RECORDING,
	.is_doubt = true,
	.judge = judge,
};
