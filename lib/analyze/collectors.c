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

double live_share(const struct judging *j)
{
	const struct facts *f = j->facts;
	double sum = 0;
	size_t n = 0;

	if (!isnan(f->heap_state.live_share))
		return f->heap_state.live_share;
	for (size_t i = 0; i < f->heap_count; i++) {
		if (f->heap[i].is_after && f->heap[i].used >= 0) {
			sum += (double)f->heap[i].used;
			n++;
		}
	}
	return n && f->heap_max > 0 ? sum / (double)n / (double)f->heap_max : NAN;
}

const struct flag *flag_named(const struct judging *j, const char *name)
{
	for (size_t i = 0; i < j->facts->flag_count; i++) {
		if (strcmp(text_at(j, j->facts->flags[i].name), name) == 0)
			return &j->facts->flags[i];
	}
	return NULL;
}

/* Times come in ticks of 10 ms. */
#define LEAST_REAL_NS 1e9

/* By less of it than this, they were held up; else the difference is that of clocks. */
#define HELD_UP 0.6

double gc_worked(const struct judging *j)
{
	const struct facts *f = j->facts;

	return f->gc_real_ns >= LEAST_REAL_NS && f->gc_cpu_ns < HELD_UP * f->gc_real_ns
		       ? f->gc_cpu_ns / f->gc_real_ns
		       : 1;
}
