/* SPDX-License-Identifier: MIT */
/*
 * host_memory.c - how near is the JVM to the limit at which the kernel kills?
 */
#include "analyze/host.h"
#include "analyze/rules.h"

static void judge(void *state, struct judging *j)
{
	const struct jfrec_host_facts *h = host_of(j);
	double share;

	(void)state;
	if (!h)
		return;
	if (!h->memory_limit_name || !h->memory_limit) {
		none_came(j, "No limit of its memory can be seen from here");
		return;
	}
	share = (double)h->memory_used / (double)h->memory_limit;
	judge_by(j, share);
	summarize(j, "%s of %s are in use at last, less the cache (%s): %s %s",
		  bytes_text(j, (double)h->memory_used), bytes_text(j, (double)h->memory_limit),
		  h->memory_limit_name, percent_text(j, share), limit_text(j));
	if (!is_found(j))
		return;
	show_quantity(j, "memory used, less the cache", (double)h->memory_used, JFREC_UNIT_BYTES);
	show_quantity(j, "limit", (double)h->memory_limit, JFREC_UNIT_BYTES);
	show_shell(j, "jfrec doctor %d", h->pid);
}

const struct rule rule_host_memory = {
	.info = {
		.id = "host-memory",
		.question = "How near is the JVM to the limit of memory at which the kernel kills?",
		.matters = "At the limit the kernel kills a process at once, mostly the largest: the "
			   "JVM.",
		.computes = "Of a JVM that runs, at the end of the recording: what its control group, "
			    "each one around it, and the machine use of the memory that they may, "
			    "less the cache, which the kernel takes back. That counts where least "
			    "is left.",
		.measures = "memory used less the cache, as a share of the limit",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.90,
		.warning = 0.97,
		.advice = "Raise the memory limit, or lower -Xmx or -XX:MaxRAMPercentage; see "
			  "native-memory for what grows outside of the heap",
		.beware = "Others in the same control group, or on the same machine, use it, too.",
	},
	.about = ABOUT_SYMPTOM,
	.curve = CURVE,
	.judge = judge,
};
