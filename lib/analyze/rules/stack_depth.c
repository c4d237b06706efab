/* SPDX-License-Identifier: MIT */
/*
 * stack_depth.c - are stack traces cut, so that what lies below is not seen?
 */
#include "analyze/rules.h"

static const char *const jmc[] = { "StackdepthSetting", NULL };

enum { STACK };

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.ExecutionSample", OCCURS, "stackTrace"),
	READS_EITHER(1, "jdk.CPUTimeSample", OCCURS, "stackTrace"),
	READS_EITHER(1, "jdk.ObjectAllocationSample", OCCURS, "stackTrace"),
	READS_EITHER(1, "jdk.ObjectAllocationInNewTLAB", OCCURS, "stackTrace"),
	READS_EITHER(1, "jdk.ObjectAllocationOutsideTLAB", OCCURS, "stackTrace"),
	{ 0 },
};

#define TYPES 5

/* One or two of a few samples do not warrant a warning. */
#define ENOUGH 20

struct state {
	uint64_t stacks[TYPES], cut[TYPES], depth;
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	uint32_t stack = event_stack(e, STACK);
	size_t depth = event_stack_depth(e, stack);

	if (!stack)
		return;
	s->stacks[e->input]++;
	s->cut[e->input] += event_stack_is_truncated(e, stack);
	if (depth > s->depth)
		s->depth = depth;
}

static void judge(void *state, struct judging *j)
{
	const struct state *s = state;
	double worst = 0, stacks = 0;
	size_t type = 0;

	for (size_t i = 0; i < TYPES; i++) {
		double share = s->stacks[i] ? (double)s->cut[i] / (double)s->stacks[i] : 0;

		stacks += (double)s->stacks[i];
		if (share > worst) {
			worst = share;
			type = i;
		}
	}
	if (stacks < 20) {
		too_few(j, "%s stack traces of samples and allocations say nothing; 20 are needed",
			count_text(j, stacks));
		return;
	}
	judge_by(j, worst);
	if (s->cut[type] < ENOUGH)
		judge_at_most(j, JFREC_SEVERITY_INFO);
	if (worst <= 0) {
		summarize(j, "No stack trace of samples and allocations was cut");
		return;
	}
	summarize(j, "%s of the stack traces of %s were cut %s", percent_text(j, worst),
		  inputs[type].type, limit_text(j));
	show_quantity(j, "stack traces", (double)s->stacks[type], JFREC_UNIT_NONE);
	show_quantity(j, "of these cut", (double)s->cut[type], JFREC_UNIT_NONE);
	show_quantity(j, "frames kept, at most", (double)s->depth, JFREC_UNIT_NONE);
	show_command(j, "print --stack-depth 64 --events %s", inputs[type].type);
}

const struct rule rule_stack_depth = {
	.info = {
		.id = "stack-depth",
		.jmc = jmc,
		.question = "Are stack traces cut, so that what lies below is not seen?",
		.matters = "If stack traces are truncated, it is not known who asked for the "
			   "work, and a flame graph falls into pieces.",
		.computes = "The share of stack traces that are marked as cut, for each kind of sample "
			    "and allocation; the worst counts. Fewer than 20 are info at most.",
		.measures = "share of stack traces that are cut",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.01,
		.warning = 0.2,
		.advice = "Start the JVM with -XX:FlightRecorderOptions:stackdepth=128",
		.beware = "Deeper stack traces cost more.",
		.differs = "JDK Mission Control counts all events, also those for which cut stack "
			   "traces do no harm.",
	},
	.about = ABOUT_RECORDING,
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
};
