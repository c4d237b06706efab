/* SPDX-License-Identifier: MIT */
/*
 * collectors.c - names of collectors, causes of collections, flags, processors
 */
#include "analyze/engine.h"

static const struct {
	const char *prefix, *family; /* of the old collector */
} families[] = {
	{ "G1", "G1" },
	{ "SerialOld", "Serial" },
	{ "ParallelOld", "Parallel" },
	{ "PSMarkSweep", "Parallel" },
	{ "Z", "Z" },
	{ "Shenandoah", "Shenandoah" },
	{ "ConcurrentMarkSweep", "CMS" },
	{ "Epsilon", "Epsilon" },
};

const char *collector_name(const struct judging *j)
{
	const char *old = text_at(j, j->facts->old_collector);
	const char *young = text_at(j, j->facts->young_collector);

	/* With the serial collector for old objects, the young one tells more. */
	if (strcmp(young, "ParallelScavenge") == 0)
		return "Parallel";
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++) {
		if (strncmp(old, families[i].prefix, strlen(families[i].prefix)) == 0)
			return families[i].family;
	}
	return *old ? old : NULL;
}

bool uses_collector(const struct judging *j, const char *family)
{
	const char *name = collector_name(j);

	return name && strcmp(name, family) == 0;
}

bool cause_is_asked_for(const char *cause)
{
	static const char *const asked[] = {
		"System.gc()", "Heap Inspection Initiated GC", "Heap Dump Initiated GC",
		"Diagnostic Command", "JvmtiEnv ForceGarbageCollection", "WhiteBox Initiated",
		"Full GC for WhiteBox",
	};

	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
		if (strncmp(cause, asked[i], strlen(asked[i])) == 0)
			return true;
	}
	return false;
}

bool collection_is_full(const struct judging *j, const struct collection *c)
{
	const char *name = text_at(j, c->name);

	if (uses_collector(j, "G1") && strcmp(name, "G1Full") == 0)
		return true;
	return (uses_collector(j, "G1") || uses_collector(j, "CMS")) && strcmp(name, "SerialOld") == 0;
}

const struct flag *flag_named(const struct judging *j, const char *name)
{
	for (size_t i = 0; i < j->facts->flag_count; i++) {
		if (strcmp(text_at(j, j->facts->flags[i].name), name) == 0)
			return &j->facts->flags[i];
	}
	return NULL;
}

double seen_cpus(const struct judging *j)
{
	const struct facts *f = j->facts;
	double cpus = f->hw_threads > 0 ? (double)f->hw_threads : 0;

	if (f->effective_cpus > 0 && (cpus <= 0 || (double)f->effective_cpus < cpus))
		cpus = (double)f->effective_cpus;
	return cpus;
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

/* A value is the mean since the one before: those from the beginning on to the first after the end. */
bool processors_were_taken(const struct judging *j, int64_t from_ns, int64_t to_ns)
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
	return n && machine >= 0.95 * (double)n && others >= 0.5 * (double)n;
}
