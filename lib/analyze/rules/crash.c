/* SPDX-License-Identifier: MIT */
/*
 * crash.c - did the JVM die?
 */
#include "analyze/rules.h"

static const char *const jmc[] = { "DumpReason", "Fatal Errors", NULL };

enum { DUMP, SHUTDOWN };

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.DumpReason", OCCURS, "reason"),
	READS_EITHER(1, "jdk.Shutdown", OCCURS, "reason"),
	{ 0 },
};

struct state {
	uint32_t fatal, end; /* reasons */
	int64_t fatal_ns, end_ns;
	bool is_out_of_memory;
};

static bool has_word(const char *text, const char *word)
{
	return strcasestr(text, word) != NULL;
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	uint32_t reason = event_text(e, 0);
	const char *text = event_text_of(e, reason);
	bool out = has_word(text, "out of memory");

	if ((e->input == DUMP && (out || has_word(text, "crash") || has_word(text, "core dump"))) ||
	    (e->input == SHUTDOWN && has_word(text, "VM Error"))) {
		s->fatal = reason;
		s->fatal_ns = e->start_ns;
		s->is_out_of_memory |= out;
	} else if (e->input == SHUTDOWN) {
		s->end = reason;
		s->end_ns = e->start_ns;
	}
}

static void judge(void *state, struct judging *j)
{
	const struct state *s = state;

	if (s->fatal) {
		judge_at_least(j, JFREC_SEVERITY_WARNING);
		summarize(j, "The JVM died at %s: %s", time_text(j, s->fatal_ns),
			  text_at(j, s->fatal));
		show_range(j, "when", s->fatal_ns, s->fatal_ns);
		show_command(j, "print --events jdk.Shutdown,jdk.DumpReason");
		if (s->is_out_of_memory)
			advise(j, "See live-set-growth and heap-exhausted for what filled its memory");
		return;
	}
	if (s->end)
		summarize(j, "The JVM ended at %s: %s", time_text(j, s->end_ns), text_at(j, s->end));
	else
		summarize(j, "Nothing says that the JVM died");
}

const struct rule rule_crash = {
	.info = {
		.id = "crash",
		.jmc = jmc,
		.question = "Did the JVM die?",
		.matters = "A crash loses all that was in memory. Its cause is in files that "
			   "are easily overlooked.",
		.computes = "Looks for a crash or lack of memory in jdk.DumpReason, and for an error "
			    "of the JVM in jdk.Shutdown. A normal end is ok.",
		.advice = "Read hs_err_pid*.log in the directory in which the JVM was started",
		.beware = "A JVM that the kernel kills writes nothing: its last chunk has no end.",
		.differs = "JDK Mission Control calls the normal end of a program info.",
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
};
