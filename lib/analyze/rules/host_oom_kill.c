/* SPDX-License-Identifier: MIT */
/*
 * host_oom_kill.c - did the kernel kill a process beside the JVM for want of memory?
 */
#include "analyze/host.h"
#include "analyze/rules.h"

static void judge(void *state, struct judging *j)
{
	const struct jfrec_host_facts *h = host_of(j);

	(void)state;
	if (!h)
		return;
	if (!h->kills_file) {
		none_came(j, "What its control group counts of that cannot be seen from here");
		return;
	}
	if (h->kills > 0) {
		judge_at_least(j, JFREC_SEVERITY_WARNING);
		summarize(j, "The kernel killed %lld process%s of its control group for want of memory "
			     "while it was recorded",
			  (long long)h->kills, h->kills == 1 ? "" : "es");
		show_range(j, "between the two readings", h->from_ns, h->to_ns);
	} else if (h->kills_before > 0) {
		judge_at_least(j, JFREC_SEVERITY_INFO);
		summarize(j, "The kernel has killed %lld process%s of its control group for want of memory "
			     "since the group was made",
			  (long long)h->kills_before, h->kills_before == 1 ? "" : "es");
	} else {
		summarize(j, "The kernel killed no process of its control group for want of memory");
		return;
	}
	show_quantity(j, "killed before it was recorded", (double)h->kills_before, JFREC_UNIT_NONE);
	show_shell_file(j, "cat", h->kills_file);
}

const struct rule rule_host_oom_kill = {
	.info = {
		.id = "host-oom-kill",
		.question = "Did the kernel kill processes beside the JVM for want of memory?",
		.matters = "The kernel kills without a word in any log of the application. Today it was "
			   "a process beside the JVM; the next one may be the JVM.",
		.computes = "Of a JVM that runs: the difference of oom_kill in memory.events (version 1: "
			    "memory.oom_control) of its control group between the beginning of the "
			    "recording and its end: a warning. What was counted before is info, but "
			    "not in the root group, which has all that is in no other.",
		.advice = "Raise the memory limit of its container or service, or let the processes in it "
			  "use less: `dmesg` names who was killed, and what each of them had",
	},
	.judge = judge,
};
