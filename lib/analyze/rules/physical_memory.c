/* SPDX-License-Identifier: MIT */
/*
 * physical_memory.c - is the machine out of memory?
 */
#include "analyze/rules.h"

static const char *const jmc[] = { "LowOnPhysicalMemory", NULL };

enum { MEMORY, SWAP, RESIDENT };
enum { TOTAL, USED };

static const struct reads inputs[] = {
	READS("jdk.PhysicalMemory", PERIODIC, "totalSize", "usedSize"),
	READS("jdk.SwapSpace", HELPS, "totalSize", "freeSize"),
	READS("jdk.ResidentSetSize", HELPS, "size"),
	{ 0 },
};

struct state {
	double total, most_used, most_resident;
	struct series swapped;
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	double total = event_number(e, TOTAL), second = event_number(e, USED);

	if (e->input == RESIDENT) {
		s->most_resident = fmax(s->most_resident, total);
	} else if (e->input == SWAP) {
		series_add(&s->swapped, e, e->start_ns, total - second);
	} else if (total > 0) {
		s->total = total;
		s->most_used = fmax(s->most_used, second);
	}
}

static void fini(void *state)
{
	series_fini(&((struct state *)state)->swapped);
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	double resident, grown = 0, swapped = 0;

	if (s->total <= 0) {
		none_came(j, "The recording does not say how much memory the machine has");
		return;
	}
	/* In a container it is its limit that counts: container-memory. */
	resident = j->facts->has_container ? 0 : s->most_resident / s->total;
	series_sort(&s->swapped);
	if (s->swapped.count) {
		swapped = s->swapped.list[s->swapped.count - 1].value;
		grown = swapped - s->swapped.list[0].value;
	}
	judge_by(j, resident);
	if (grown >= 0.01 * s->total)
		judge_at_least(j, JFREC_SEVERITY_INFO);
	if (grown >= 0.01 * s->total)
		summarize(j, "The machine moved %s more of its memory to swap; it has %s",
			  bytes_text(j, grown), bytes_text(j, s->total));
	else if (is_found(j))
		summarize(j, "This JVM has %s of the machine's memory of %s %s",
			  percent_text(j, resident), bytes_text(j, s->total), limit_text(j));
	else
		summarize(j, "%s of the machine's memory of %s was in use, what it caches of files "
			     "included",
			  percent_text(j, s->most_used / s->total), bytes_text(j, s->total));
	show_quantity(j, "in use, files included", s->most_used / s->total, JFREC_UNIT_PERCENT);
	if (s->most_resident > 0)
		show_quantity(j, "of this JVM", s->most_resident, JFREC_UNIT_BYTES);
	if (s->swapped.count)
		show_quantity(j, "in swap", swapped, JFREC_UNIT_BYTES);
	show_command(j, "print --events jdk.PhysicalMemory");
}

const struct rule rule_physical_memory = {
	.info = {
		.id = "physical-memory",
		.jmc = jmc,
		.question = "Is the machine out of memory?",
		.matters = "If the machine runs out of memory, it moves the heap to disk, "
			   "which makes collections a hundred times slower, or kills the "
			   "process.",
		.computes = "Compares the memory that the JVM itself has (jdk.ResidentSetSize) with "
			    "that of the machine; swap that grows by 1 % of the memory is info.",
		.measures = "memory of the JVM, as a share of the machine's",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.8,
		.warning = 0.95,
		.advice = "Lower -Xmx, or move something off this machine",
		.beware = "JDKs before 21 say neither what the JVM has nor what is in swap. For the "
			  "limit of a container see container-memory.",
		.differs = "JDK Mission Control counts as used what Linux caches of files, so it warns "
			   "on nearly any machine that has been up for some time.",
	},
	.about = ABOUT_SYMPTOM,
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
