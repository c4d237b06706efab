/* SPDX-License-Identifier: MIT */
/*
 * host_throttled.c - did the kernel stop the JVM, by what its control groups count?
 */
#include "analyze/host.h"
#include "analyze/rules.h"

/* So many periods, mostly of 100 ms, say something of a time. */
#define ENOUGH_PERIODS 50

static void judge_since_made(struct judging *j, const struct jfrec_host_facts *h, double share)
{
	judge_at_most(j, JFREC_SEVERITY_INFO);
	summarize(j, "%s of the CPU periods were throttled since the control group was made %s",
		  percent_text(j, share), limit_text(j));
	doubt(j, "that is not the time that was recorded: `jfrec analyze %d --duration 30s` looks at both "
		 "ends of a time",
	      h->pid);
}

static void judge_span(struct judging *j, const struct jfrec_host_facts *h, double share)
{
	if (h->periods < ENOUGH_PERIODS)
		judge_at_most(j, JFREC_SEVERITY_INFO);
	summarize(
		j,
		"The kernel stopped the JVM in %s of the CPU periods: %lld of %lld, its processors "
		"stood still for %s in %s %s",
		percent_text(j, share), (long long)h->throttled, (long long)h->periods,
		span_text(j, (double)h->throttled_ns),
		span_text(j, (double)(h->to_ns - h->from_ns)), limit_text(j));
	show_range(j, "between the two readings", h->from_ns, h->to_ns);
}

static void judge(void *state, struct judging *j)
{
	const struct jfrec_host_facts *h = host_of(j);
	double share;

	(void)state;
	if (!h)
		return;
	if (!h->has_cpu_group) {
		none_came(j, "The control group of its processors cannot be seen from here");
		return;
	}
	if (!h->cpu_file || !h->throttled) {
		summarize(j, "The kernel never throttled it");
		return;
	}
	share = (double)h->throttled / (double)h->periods;
	judge_by(j, share);
	if (host_has_span(h))
		judge_span(j, h, share);
	else
		judge_since_made(j, h, share);
	show_quantity(j, "time that processors stood still, added up", (double)h->throttled_ns,
		      JFREC_UNIT_NS);
	if (host_has_span(h) && h->machine_cpus > 0)
		show_quantity(j, "processors that the JVM used", h->own_cpus, JFREC_UNIT_NONE);
	show_shell_file(j, "cat", h->cpu_file);
}

const struct rule rule_host_throttled = {
	.info = {
		.id = "host-throttled",
		.question = "Did the kernel stop the JVM, by what its control groups count?",
		.matters = "A process that has used up its CPU quota stands still for the rest of "
			   "each 100 ms, and its answers wait. No recording of a few seconds has it.",
		.computes = "Of a JVM that runs: the difference of nr_throttled and nr_periods in "
			    "cpu.stat of its control group, and of those around it, between the "
			    "beginning of the recording and its end; the worst of them counts. Where "
			    "there was only one look, what was counted since the group was made is "
			    "info at most.",
		.measures = "throttled periods of all periods of the quota",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.05,
		.warning = 0.25,
		.advice = "Raise the CPU limit of its container or service, or use fewer threads: "
			  "-XX:ActiveProcessorCount and smaller pools",
		.beware = "A quota of a group around it is used up by all that is in that group.",
	},
	.curve = CURVE,
	.judge = judge,
};
