/* SPDX-License-Identifier: MIT */
/* jfrec/tool/load.h - what the JVMs of this host use of it, at an interval */
#ifndef JFREC_TOOL_LOAD_H
#define JFREC_TOOL_LOAD_H

#include "jfrec/jvm.h"

/*
 * The JVMs of this host, each with what it uses:
 *
 *	struct jfrec_loads *all = NULL;
 *
 *	for (;;) {
 *		jfrec_loads_look(&all, &query, &err);
 *		for (i = 0; (l = jfrec_loads_get(all, i)) != NULL; i++)
 *			... l->cpus
 *		... wait
 *	}
 *	jfrec_loads_free(all);
 *
 * Read are /proc, the control groups of the JVM, and the performance data of HotSpot, which is
 * read, never mapped, and opened with the rights of the JVM's user. Nothing is sent to a JVM. What
 * is a rate or a share is one of the time between two looks.
 */
struct jfrec_loads;

enum jfrec_load_state {
	JFREC_LOAD_RUNS = 0,
	JFREC_LOAD_STOPPED = 1, /* by a signal or a debugger */
	JFREC_LOAD_FROZEN = 2,	/* by its control group, as `docker pause` does */
};

enum jfrec_load_recording {
	JFREC_LOAD_UNKNOWN = 0, /* we may not see its files */
	JFREC_LOAD_RECORDS = 1, /* to a disk */
	JFREC_LOAD_NO_RECORDING = 2,
};

/* Of one JVM. Strings live until the next look. */
struct jfrec_load {
	const struct jfrec_jvm *jvm;
	enum jfrec_load_state state;
	enum jfrec_load_recording recording;
	uint64_t threads;
	uint64_t resident_bytes;
	double cpus;	  /* processors that it kept busy; -1: not known yet */
	double throttled; /* share of its periods in which its group was stopped; -1: no quota */
	uint64_t memory_limit; /* the least of its control groups; UINT64_MAX: none */
	/* Of its performance data; each -1: not known, and no_counters says why. */
	double heap_used, heap_committed; /* bytes */
	double gc_share; /* of the time, in pauses */
	double gc_rate;	 /* collections, or pauses where the collector counts these, a second */
	const char *no_counters; /* a sentence; or NULL */
};

/*
 * Look at all JVMs that match the query, whose strings must live as long (*all NULL: for the first
 * time). New ones are looked out for every few seconds; those that have ended are gone at once.
 *
 * 0, or -1 with *err set as by jfrec_jvms_find(), and *all unchanged.
 */
int jfrec_loads_look(struct jfrec_loads **all, const struct jfrec_jvm_query *query,
		     struct jfrec_error *err);

/* Number i, by pid; NULL beyond the last. Valid until the next look. */
const struct jfrec_load *jfrec_loads_get(const struct jfrec_loads *all, size_t i);

/* A thread, as the kernel sees it. */
struct jfrec_thread_load {
	int tid, ns_tid; /* in our pid namespace, and in that of the JVM */
	char name[16];	 /* any bytes; its first 15 */
	char state;	 /* 'R', 'S', 'D', ... */
	double cpus;	 /* since the call before; -1: it was not there */
	double seconds;	 /* of a processor since it began */
};

/*
 * Read the threads of number i: those that used most since the call before come first, of those
 * that used the same the ones that have used most so far. Returns how many are in the list, `most`
 * at most; *total: how many there are, of which 32768 are looked at.
 */
size_t jfrec_loads_threads(struct jfrec_loads *all, size_t i, struct jfrec_thread_load *list,
			   size_t most, size_t *total);

/* Free it. NULL is allowed. */
void jfrec_loads_free(struct jfrec_loads *all);

#endif
