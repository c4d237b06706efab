/* SPDX-License-Identifier: MIT */
/*
 * host_cpu.c - which other processes took the processors?
 */
#include "analyze/host.h"
#include "analyze/rules.h"

/* So busy, nothing is left for anybody. */
#define FULL 0.95

/* What those that are named used together. */
static double named_by(const struct jfrec_host_facts *h)
{
	double named = 0;

	for (size_t i = 0; i < h->other_count; i++)
		named += h->others[i].cpus;
	return named;
}

static void show_others(struct judging *j, const struct jfrec_host_facts *h, double others)
{
	double rest = fmax(0, others - named_by(h));

	if (rest > 0.1 * h->machine_cpus)
		show_quantity(j, "processors used by those that ended meanwhile, are hidden, or used less "
				 "than these",
			      rest, JFREC_UNIT_NONE);
	for (size_t i = 0; i < h->other_count; i++)
		show_quantity(j,
			      textf(j, "processors used by %s (process %d)", h->others[i].name,
				    h->others[i].pid),
			      h->others[i].cpus, JFREC_UNIT_NONE);
}

/* The one that used most, if that is much of it. */
static const char *first_text(struct judging *j, const struct jfrec_host_facts *h, double others)
{
	const struct jfrec_host_process *first = h->others;

	return h->other_count && first->cpus >= others / 3
		       ? textf(j, ", most of all %s (process %d) with %.2g", first->name, first->pid,
			       first->cpus)
		       : "";
}

static void show_processes(struct judging *j, const struct jfrec_host_facts *h)
{
	const char *pids = "";

	for (size_t i = 0; i < h->other_count; i++)
		pids = textf(j, "%s%s%d", pids, i ? "," : "", h->others[i].pid);
	if (*pids)
		show_shell(j, "ps -o pid,user,%%cpu,time,args -p %s", pids);
}

static void judge(void *state, struct judging *j)
{
	const struct jfrec_host_facts *h = host_of(j);
	double busy, others;

	(void)state;
	if (!h)
		return;
	if (h->machine_cpus <= 0) {
		too_few(j, "It takes two looks at the processes; `jfrec analyze %d --duration 30s` takes them",
			h->pid);
		return;
	}
	busy = fmin(1, h->busy_cpus / h->machine_cpus);
	others = fmax(0, h->busy_cpus - h->own_cpus);
	judge_by(j, fmin(1, others / h->machine_cpus) * busy);
	if (busy < FULL)
		judge_at_most(j, JFREC_SEVERITY_INFO);
	summarize(j, "Other processes kept %.2f of %.0f processors busy%s; the JVM %.2f %s", others,
		  h->machine_cpus, first_text(j, h, others), h->own_cpus, limit_text(j));
	if (!is_found(j))
		return;
	show_range(j, "between the two readings", h->from_ns, h->to_ns);
	show_others(j, h, others);
	show_processes(j, h);
}

const struct rule rule_host_cpu = {
	.info = {
		.id = "host-cpu",
		.question = "Which other processes took the processors?",
		.matters = "If other processes use the processors, the application is slow for "
			   "no reason of its own, and changing it will not help.",
		.computes = "Of a JVM that runs: what each process used between the beginning of the "
			    "recording and its end (/proc/PID/stat), and how busy the machine was "
			    "(/proc/stat). What others used counts the more the busier the machine "
			    "was. While processors were idle it is info at most.",
		.measures = "load by others, times the load of the machine",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.25,
		.warning = 0.5,
		.advice = "Move what else runs on this machine, lower its priority, or give the JVM "
			  "processors of its own",
		.beware = "From inside a container the processes of others cannot be seen, only that "
			  "the machine is busy.",
	},
	.curve = CURVE,
	.judge = judge,
};
