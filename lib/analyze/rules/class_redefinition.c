/* SPDX-License-Identifier: MIT */
/*
 * class_redefinition.c - do agents keep changing classes while the program runs?
 */
#include "analyze/rules.h"

enum { COUNT, STACK };

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.RetransformClasses", OCCURS, "classCount", "stackTrace"),
	READS_EITHER(1, "jdk.RedefineClasses", OCCURS, "classCount", "stackTrace"),
	{ 0 },
};

struct state {
	struct series classes;
	uint32_t stack;
	int64_t at_ns;
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;

	series_add(&s->classes, e, e->start_ns, event_number(e, COUNT));
	if (!s->stack || e->start_ns > s->at_ns) {
		s->stack = event_stack(e, STACK);
		s->at_ns = e->start_ns;
	}
}

static void fini(void *state)
{
	series_fini(&((struct state *)state)->classes);
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	int64_t warm = j->facts->warm_ns != NO_NUMBER ? j->facts->warm_ns : j->facts->start_ns;
	/* Not the time between the two: a clock that was set counts as a gap between chunks. */
	double minutes = (double)(recorded_ns(j) - (warm - j->facts->start_ns)) / 60e9;
	double n = 0, classes = 0, rate;

	for (size_t i = 0; i < s->classes.count; i++) {
		if (s->classes.list[i].at_ns < warm)
			continue;
		n++;
		classes += isnan(s->classes.list[i].value) ? 0 : s->classes.list[i].value;
	}
	if (minutes < 1) {
		too_few(j, "Less than a minute was recorded after start-up");
		return;
	}
	rate = n / minutes;
	judge_by(j, rate);
	summarize(j, "Classes were changed %s times a minute after start-up, %s classes in all %s",
		  count_text(j, rate), count_text(j, classes), limit_text(j));
	if (!is_found(j))
		return;
	show_stack(j, "changed by", s->stack, NAN);
	show_command(j, "print --events jdk.RetransformClasses,jdk.RedefineClasses");
}

const struct rule rule_class_redefinition = {
	.info = {
		.id = "class-redefinition",
		.question = "Do agents keep changing classes while the program runs?",
		.matters = "Each change of a class stops all threads and throws compiled code "
			   "away.",
		.computes = "Counts how often a minute, once start-up is over, an agent changes classes "
			    "(jdk.RetransformClasses, jdk.RedefineClasses).",
		.measures = "changes a minute",
		.unit = JFREC_MEASURE_NUMBER,
		.info = 1,
		.warning = INFINITY,
		.advice = "Find the agent (`jfrec view jdk-agents RECORDING`) and let it instrument at "
			  "start only",
		.jdk_from = 17,
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
