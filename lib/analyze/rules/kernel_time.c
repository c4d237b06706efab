/* SPDX-License-Identifier: MIT */
/*
 * kernel_time.c - does the JVM spend more time in the kernel than in its own code?
 */
#include "analyze/rules.h"

#define WINDOW_NS INT64_C(60000000000)

/* So many values at least are a mean. */
#define FEWEST 5

static const struct reads inputs[] = {
	READS("jdk.CPULoad", PERIODIC, "jvmUser", "jvmSystem"),
	READS("jdk.CPUInformation", HELPS),
	{ 0 },
};

struct state {
	struct series user, system;
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	double user = event_number(e, 0), system = event_number(e, 1);

	/* A pair each, so that the series have the same times. */
	if (e->input != 0 || !(user >= 0 && user <= 1 && system >= 0 && system <= 1))
		return;
	series_add(&s->user, e, e->start_ns, user);
	series_add(&s->system, e, e->start_ns, system);
}

static void fini(void *state)
{
	struct state *s = state;

	series_fini(&s->user);
	series_fini(&s->system);
}

/* Means of a minute, or of all if it is shorter. */
struct minute {
	double user, system;
	int64_t from_ns, to_ns;
};

static double sum_from(const struct series *s, size_t from, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += s->list[from + i].value;
	return sum;
}

/* The minute with most time in the kernel of those in which it is the greater part; else of all. */
static struct minute worst_minute(const struct state *s)
{
	struct minute worst = { 0 };
	bool has_greater = false;
	size_t to = 0;

	for (size_t i = 0; i < s->user.count; i = to) {
		struct minute m = { .from_ns = s->user.list[i].at_ns };
		size_t count;

		while (to < s->user.count && s->user.list[to].at_ns - m.from_ns < WINDOW_NS)
			to++;
		count = to - i;
		/* What is left at the end is part of the minute before. */
		if (count < FEWEST && i)
			break;
		m.to_ns = s->user.list[to - 1].at_ns;
		m.user = sum_from(&s->user, i, count) / (double)count;
		m.system = sum_from(&s->system, i, count) / (double)count;
		if (m.system > m.user ? !has_greater || m.system > worst.system
				      : !has_greater && m.system > worst.system)
			worst = m;
		has_greater |= m.system > m.user;
	}
	return worst;
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	double cpus = (double)j->facts->hw_threads;
	struct minute m;

	if (cpus <= 0) {
		not_for_this_jvm(j, "The recording does not say how many processors there are");
		return;
	}
	if (s->user.count < FEWEST) {
		too_few(j, "%zu values of jdk.CPULoad are too few for a mean; %d are needed", s->user.count,
			FEWEST);
		return;
	}
	series_sort(&s->user);
	series_sort(&s->system);
	m = worst_minute(s);
	judge_by(j, m.system * cpus);
	if (m.system <= m.user) {
		judge_at_most(j, JFREC_SEVERITY_OK);
		summarize(j, "The kernel works for the JVM less than the JVM itself does");
		return;
	}
	summarize(j, "The kernel worked for the JVM on %s processors, more than the JVM itself, on %s %s",
		  count_text(j, m.system * cpus), count_text(j, m.user * cpus), limit_text(j));
	show_range(j, "most", m.from_ns, m.to_ns);
	show_quantity(j, "processors used in the kernel", m.system * cpus, JFREC_UNIT_NONE);
	show_quantity(j, "processors used by the JVM's own code", m.user * cpus,
		      JFREC_UNIT_NONE);
	show_command_if(j, "jdk.FileForce", "print --events jdk.FileForce");
	show_command_if(j, "jdk.NativeMethodSample", "flame --type jdk.NativeMethodSample");
}

const struct rule rule_kernel_time = {
	.info = {
		.id = "kernel-time",
		.question = "Does the JVM spend more time in the kernel than in its own code?",
		.matters = "Time in the kernel is not in any profile of Java code: system calls for "
			   "each small piece, files forced to the disk for each line, memory that "
			   "is given back and taken again.",
		.computes = "Compares jvmSystem with jvmUser of jdk.CPULoad, by the minute. It is info "
			    "if the kernel has the greater part, and half a processor at least.",
		.measures = "processors used in the kernel, where these are more than those used "
			    "outside of it",
		.unit = JFREC_UNIT_NONE,
		.info = 0.5,
		.warning = INFINITY,
		.advice = "Look at what the system calls are (strace -c -f -p PID, perf top): write "
			  "in larger pieces, force less often, and see file-wait and socket-wait",
		.beware = "A start with a large heap that is touched at once (-XX:+AlwaysPreTouch) "
			  "does so, too, for seconds.",
	},
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
