/* SPDX-License-Identifier: MIT */
/*
 * container_cpu_view.c - does the JVM size itself for the processors that it has?
 */
#include "analyze/container.h"
#include "analyze/rules.h"

/* Later JVMs take cpu.shares for a weight, not for a limit. */
#define JDK_WITHOUT_SHARES 19

static const struct reads inputs[] = {
	READS("jdk.ContainerConfiguration", OCCURS, "cpuShares"),
	READS("jdk.GCConfiguration", HELPS),
	READS("jdk.CPUInformation", HELPS),
	{ 0 },
};

static void take(void *state, const struct event *e)
{
	if (e->input == 0)
		*(int64_t *)state = event_long(e, 0);
}

/* What does not fit; NULL: it fits. */
static const char *misfit(struct judging *j, int64_t shares)
{
	const struct facts *f = j->facts;

	if (f->effective_cpus == 1 && shares > 0 && shares < 1024 && f->jdk < JDK_WITHOUT_SHARES &&
	    quota_cpus(j) == 0 && f->hw_threads > 1)
		return textf(j, "The JVM takes cpu.shares of %lld for a limit and assumes 1 CPU of %lld",
			     (long long)shares, (long long)f->hw_threads);
	/* Of a quota of one processor or less that is the right view. */
	if (f->effective_cpus == 1 && uses_collector(j, "Serial") &&
	    !(quota_cpus(j) > 0 && quota_cpus(j) <= 1))
		return "The JVM assumes 1 CPU, so it took the serial collector and few compiler threads";
	if (f->effective_cpus > 0 && f->parallel_gc_threads > f->effective_cpus)
		return textf(j, "%lld GC threads share %lld CPUs", (long long)f->parallel_gc_threads,
			     (long long)f->effective_cpus);
	return NULL;
}

static void judge(void *state, struct judging *j)
{
	const struct facts *f = j->facts;
	const char *text;

	if (container_is_unseen(j, "jdk.ContainerConfiguration"))
		return;
	text = misfit(j, *(int64_t *)state);
	if (!text) {
		summarize(j, "The JVM assumes %lld CPUs of %lld", (long long)f->effective_cpus,
			  (long long)f->hw_threads);
		return;
	}
	judge_at_least(j, JFREC_SEVERITY_INFO);
	summarize(j, "%s", text);
	if (quota_cpus(j) > 0)
		show_quantity(j, "quota in CPUs", quota_cpus(j), JFREC_UNIT_NONE);
	show_quantity(j, "CPUs that the JVM assumes", (double)f->effective_cpus,
		      JFREC_UNIT_NONE);
	show_quantity(j, "CPUs of the host", (double)f->hw_threads, JFREC_UNIT_NONE);
	show_command(j, "view container-configuration");
}

const struct rule rule_container_cpu_view = {
	.is_of_java = true,
	.info = {
		.id = "container-cpu-view",
		.question = "Does the JVM size itself for the processors that it has?",
		.matters = "The JVM chooses its collector and the number of its threads by the "
			   "processors that it sees. If it sees too few, it is slow; if too "
			   "many, it is throttled.",
		.computes = "Compares jdk.ContainerConfiguration.effectiveCpuCount with the quota, the "
			    "collector and the number of its threads.",
		.advice = "Set -XX:ActiveProcessorCount to what the container really has, and choose "
			  "the collector by hand (-XX:+UseG1GC)",
		.beware = "All shares of jdk.CPULoad are of the processors of the host, not of those "
			  "that the JVM assumes.",
		.jdk_from = 11,
	},
	.inputs = inputs,
	.state_size = sizeof(int64_t),
	.take = take,
	.judge = judge,
};
