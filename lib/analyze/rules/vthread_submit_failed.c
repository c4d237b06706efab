/* SPDX-License-Identifier: MIT */
/*
 * vthread_submit_failed.c - was a virtual thread refused by its scheduler?
 */
#include "analyze/rules.h"

static const struct reads inputs[] = {
	READS("jdk.VirtualThreadSubmitFailed", OCCURS, "stackTrace"),
	{ 0 },
};

struct state {
	uint64_t count;
	int64_t first_ns;
	uint32_t stack;
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;

	if (!s->count++ || e->start_ns < s->first_ns) {
		s->first_ns = e->start_ns;
		s->stack = event_stack(e, 0);
	}
}

static void judge(void *state, struct judging *j)
{
	const struct state *s = state;

	judge_by(j, (double)s->count);
	if (!s->count) {
		summarize(j, "No virtual thread was refused by the scheduler");
		return;
	}
	summarize(j,
		  "The scheduler refused virtual threads %llu time%s, first at %s: they may "
		  "never run",
		  (unsigned long long)s->count, plural((double)s->count),
		  time_text(j, s->first_ns));
	show_stack(j, "refused at", s->stack, NAN);
	show_command(j, "print --events jdk.VirtualThreadSubmitFailed");
}

const struct rule rule_vthread_submit_failed = {
	.info = {
		.id = "vthread-submit-failed",
		.question = "Was a virtual thread refused by its scheduler?",
		.matters = "A virtual thread that was refused may never run: a request gets no "
			   "answer.",
		.computes = "Counts jdk.VirtualThreadSubmitFailed.",
		.measures = "virtual threads refused",
		.unit = JFREC_UNIT_NONE,
		.info = 1,
		.warning = 1,
		.advice = "Look at the exception's message (`jfrec print --events "
			  "jdk.VirtualThreadSubmitFailed RECORDING`): mostly the limit of processes "
			  "and threads is reached (`ulimit -u`, pids.max of the container)",
		.jdk_from = 21,
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
};
