/* SPDX-License-Identifier: MIT */
/*
 * process_start.c - does the JVM start other processes, and how often?
 */
#include "analyze/rules.h"

static const char *const jmc[] = { "ProcessStarted", NULL };

enum { COMMAND, STACK };

static const struct reads inputs[] = {
	READS("jdk.ProcessStart", OCCURS, "command", "stackTrace"),
	{ 0 },
};

struct state {
	struct groups programs; /* the first word of the command */
};

/* Arguments may be secret. */
static uint32_t program_of(const struct event *e)
{
	const char *command = event_text_of(e, event_text(e, COMMAND));
	char program[256];

	snprintf(program, sizeof(program), "%.*s", (int)strcspn(command, " \t\n"), command);
	return event_put_text(e, program);
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	bool is_most;
	struct group *g = groups_add(&s->programs, e, (uint32_t[4]){ program_of(e) }, 1, &is_most);

	if (g && is_most)
		g->most_stack = event_stack(e, STACK);
}

static void fini(void *state)
{
	groups_fini(&((struct state *)state)->programs);
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	double n = (double)groups_count(&s->programs), rate = n / ((double)recorded_ns(j) / 1e9);

	judge_by(j, rate);
	if (n > 0)
		judge_at_least(j, JFREC_SEVERITY_INFO);
	if (n <= 0) {
		summarize(j, "No process was started");
		return;
	}
	summarize(j, "%s process%s started, %s per second", count_text(j, n),
		  n == 1 ? " was" : "es were", count_text(j, rate));
	groups_sort(&s->programs);
	for (uint32_t i = 0; i < s->programs.count && i < 3; i++) {
		const struct group *g = &s->programs.list[i];

		show_name(j, JFREC_EVIDENCE_FILE,
			  textf(j, "started %s times", count_text(j, g->sum)),
			  text_at(j, g->key[0]), g->sum / n);
		show_stack(j, "by", g->most_stack, NAN);
	}
	show_command(j, "print --events jdk.ProcessStart");
}

const struct rule rule_process_start = {
	.info = {
		.id = "process-start",
		.jmc = jmc,
		.question = "Does the JVM start other processes, and how often?",
		.matters = "Starting processes is slow and takes memory. If you do not expect "
			   "it, it may be an intruder.",
		.computes = "Counts jdk.ProcessStart (from JDK 17 on). Any is info.",
		.measures = "processes started per second",
		.unit = JFREC_UNIT_HERTZ,
		.info = 1,
		.warning = 1,
		.advice = "If these are expected, ignore this rule; else find out who asks for them: "
			  "starting a process costs milliseconds, and is what intruders do",
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
