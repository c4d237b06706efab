/* SPDX-License-Identifier: MIT */
/*
 * processors.c - how many processors there are, and how busy they were
 */
#include "analyze/rule.h"
#include "analyze/samples.h"
#include "format/clock.h"

/*
 * HotSpot has a thread for the collector for each processor that it sees, up to 8, and 5 for each 8
 * of more, unless it is told another number.
 */
static double cpus_by_collector(const struct judging *j)
{
	const struct flag *threads = flag_named(j, "ParallelGCThreads");
	double n = threads ? (double)threads->value : 0;

	if (n < 1 || strcmp(text_at(j, threads->origin), "Default") != 0 ||
	    (!uses_collector(j, "G1") && !uses_collector(j, "Parallel")))
		return INFINITY;
	return n <= 8 ? n : 8 + ceil((n - 8) * 8 / 5);
}

/* By affinity, as with taskset, the JVM may see fewer than there are. */
double seen_cpus(const struct judging *j)
{
	const struct facts *f = j->facts;
	double cpus = f->hw_threads > 0 ? (double)f->hw_threads : 0;

	if (f->effective_cpus > 0 && (cpus <= 0 || (double)f->effective_cpus < cpus))
		cpus = (double)f->effective_cpus;
	return fmin(cpus, cpus_by_collector(j));
}

double usable_cpus(const struct judging *j)
{
	const struct facts *f = j->facts;
	double cpus = seen_cpus(j);

	if (f->cpu_quota_ns > 0 && f->cpu_period_ns > 0 &&
	    (double)f->cpu_quota_ns / (double)f->cpu_period_ns < cpus)
		cpus = (double)f->cpu_quota_ns / (double)f->cpu_period_ns;
	return cpus;
}

/* Of the values of jdk.CPULoad, in their order, the first from then on. */
static size_t first_load(const struct facts *f, int64_t from_ns)
{
	size_t low = 0, high = f->load_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (f->load[middle].at_ns < from_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#define JUST_NOW_NS INT64_C(2000000000)

/*
 * The mean load of the machine and that of others in a time. A value is the mean since the one
 * before: those from the beginning on to the first after the end. False: there is none.
 */
static bool load_between(const struct judging *j, int64_t from_ns, int64_t to_ns,
			 double *of_machine, double *of_others)
{
	static const int64_t longest_ns = INT64_C(60000000000);
	const struct facts *f = j->facts;
	double machine = 0, others = 0;
	size_t n = 0;

	for (size_t i = first_load(f, from_ns); i < f->load_count; i++) {
		const struct cpu_load *l = &f->load[i];

		if (long_subtract(l->at_ns, to_ns) > longest_ns)
			break;
		machine += (double)l->machine;
		others += (double)l->machine - (double)l->jvm;
		n++;
		if (l->at_ns >= to_ns)
			break;
	}
	/* After the last value it is taken to have stayed so. */
	if (!n && f->load_count &&
	    long_subtract(from_ns, f->load[f->load_count - 1].at_ns) < JUST_NOW_NS) {
		machine = (double)f->load[f->load_count - 1].machine;
		others = machine - (double)f->load[f->load_count - 1].jvm;
		n = 1;
	}
	*of_machine = n ? machine / (double)n : 0;
	*of_others = n ? others / (double)n : 0;
	return n > 0;
}

bool processors_were_taken(const struct judging *j, int64_t from_ns, int64_t to_ns)
{
	double machine, others;

	return load_between(j, from_ns, to_ns, &machine, &others) && machine >= 0.95 &&
	       others >= 0.5;
}

bool processors_were_full(const struct judging *j, int64_t from_ns, int64_t to_ns)
{
	double machine, others;

	return load_between(j, from_ns, to_ns, &machine, &others) && machine >= 0.9;
}

void thread_loads_take(struct thread_loads *t, const struct event *e)
{
	uint32_t name = event_text(e, 0);
	double load = event_number(e, 1) + event_number(e, 2);

	if (isnan(load) || load < 0)
		return;
	t->all += load;
	t->application += is_jvm_thread(event_text_of(e, name)) ? 0 : load;
	t->first_ns = e->start_ns < t->first_ns ? e->start_ns : t->first_ns;
	t->last_ns = e->start_ns > t->last_ns ? e->start_ns : t->last_ns;
}

/* All threads are asked once in a period; those that end are asked then, about the time since. */
double busy_by_threads(const struct judging *j, bool of_application)
{
	const struct thread_loads *t = &j->facts->thread_loads;
	int64_t period = type_period_ns(j, "jdk.ThreadCPULoad");
	double askings, load = of_application ? t->application : t->all;

	if (t->last_ns < t->first_ns)
		return NAN;
	period = period > 0 ? period : INT64_C(10000000000);
	askings = floor((double)long_subtract(t->last_ns, t->first_ns) / (double)period + 0.5) + 1;
	return load / askings * seen_cpus(j);
}

double busy_cpus(const struct judging *j)
{
	const struct facts *f = j->facts;
	double sum = 0;

	if (!f->load_count || f->hw_threads <= 0)
		return busy_by_threads(j, false);
	for (size_t i = 0; i < f->load_count; i++)
		sum += f->load[i].jvm > 0 ? (double)f->load[i].jvm : 0;
	return sum / (double)f->load_count * (double)f->hw_threads;
}
