/* SPDX-License-Identifier: MIT */
/*
 * facts.h - what several rules need to know of a JVM, gathered once
 */
#ifndef JFREC_ANALYZE_FACTS_H
#define JFREC_ANALYZE_FACTS_H

#include "analyze/allocated.h"
#include "analyze/collect.h"
#include "analyze/heap.h"
#include "analyze/overlaps.h"
#include "base/idmap.h"

struct judging;
struct jvm;

/* Event types ---------------------------------------------------------------------------------- */

enum setting {
	SETTING_ENABLED,
	SETTING_THRESHOLD,
	SETTING_PERIOD,
	SETTING_INTERVAL, /* async-profiler's period, in nanoseconds */
	SETTING_EVENT,	  /* what async-profiler samples by: cpu, itimer, ctimer, wall */
	SETTING_THROTTLE,
	SETTING_STACK_TRACE,
	SETTING_CUTOFF,
	SETTING_LEVEL,
	SETTING_COUNT,
};

/* A value that a setting had, as far as is known. */
struct setting_value {
	uint8_t setting; /* enum setting */
	int64_t from_ns, last_ns;
	uint32_t value; /* text */
};

/* What is known of an event type in one JVM. */
struct type_fact {
	uint32_t name; /* text: "jdk.CPULoad", also where JDK 9 says com.oracle.jdk.CPULoad */
	bool is_declared;
	uint64_t count;
	struct setting_value *settings;
	size_t setting_count, setting_room;
	uint32_t newest[SETTING_COUNT]; /* place of the one that began last + 1; 0: there is none */
};

/* NULL: no chunk declares it. */
const struct type_fact *type_fact(const struct judging *j, const char *type);

enum presence {
	TYPE_UNDECLARED,
	TYPE_UNKNOWN, /* without events, and nothing says whether it was on */
	TYPE_OFF,
	TYPE_SILENT, /* it was on, but there are no events */
	TYPE_HAS_EVENTS,
};
enum presence type_presence(const struct judging *j, const char *type);
uint64_t type_count(const struct judging *j, const char *type);
/* The types with most events, the first with most; returns how many, `room` at most. */
size_t types_most_frequent(const struct judging *j, const struct type_fact **types, size_t room);

/* The last value of a setting; NULL: it is not known. */
const char *type_setting(const struct judging *j, const char *type, enum setting s);
/* Was it on at any time? Events are proof of it. */
bool type_was_on(const struct judging *j, const char *type);
/* The greatest threshold, or the last period, in ns; 0: none, or unknown, or everyChunk. */
int64_t type_threshold_ns(const struct judging *j, const char *type);
int64_t type_period_ns(const struct judging *j, const char *type);
/* "20 ms", "10ms": ns; -1: it is not a time. */
int64_t setting_ns(const char *text);

/* Facts ---------------------------------------------------------------------------------------- */

/* jdk.GarbageCollection */
struct collection {
	int64_t start_ns, end_ns, pauses_ns, longest_ns;
	uint64_t id;
	uint32_t name, cause; /* texts */
};

/* jdk.GCHeapSummary */
struct heap_use {
	int64_t at_ns;
	uint64_t id;
	bool is_after;
	int64_t used, committed;
};

/* jdk.CPULoad, as shares of the machine */
struct cpu_load {
	int64_t at_ns;
	float jvm, machine;
};

/* jdk.ThreadCPULoad: shares of the processors that the JVM sees, of all threads at each asking */
struct thread_loads {
	double all, application; /* added up; application: without threads of the JVM itself */
	int64_t first_ns, last_ns; /* last_ns < first_ns: there are none */
};

/* A flag of the JVM */
struct flag {
	uint32_t name, origin; /* texts */
	int64_t value;	       /* boolean 0, 1 */
	uint32_t text;	       /* of StringFlag */
};

struct chunk_fact {
	int64_t start_ns, end_ns;
	bool is_unfinished, is_final;
	bool is_of_profiler; /* and of no JVM itself: chunk_overlaps.h */
};

enum system {
	SYSTEM_UNKNOWN,
	SYSTEM_LINUX,
	SYSTEM_WINDOWS,
	SYSTEM_MACOS,
};

struct facts {
	int64_t start_ns, end_ns; /* of what was recorded and is looked at */
	int64_t recorded_ns;	  /* between the two, without what lies between chunks */
	struct chunk_fact *chunks;
	size_t chunk_count, chunk_room;
	uint64_t events;

	/* The JVM. Texts are 0 and numbers -1 where they are not known. */
	uint32_t version, vm, jvm_arguments, spec_version;
	int64_t pid, jvm_start_ns;
	int jdk; /* 0: not known */
	bool is_hotspot, is_async_profiler;
	bool is_native; /* no JVM, but a program with libjfrec-recorder */
	struct flag *flags;
	size_t flag_count, flag_room;
	struct idmap flag_places; /* by name */

	/* Where it runs */
	enum system system;
	bool is_arm;
	int64_t hw_threads, effective_cpus;
	int64_t cpu_quota_ns, cpu_period_ns;
	bool has_container;

	/* Collectors */
	uint32_t young_collector, old_collector; /* "G1New", "G1Old" */
	int64_t parallel_gc_threads, heap_max;
	int64_t uses_compressed_oops, heap_address_bits;
	struct spans pauses; /* GCPhasePause: id gcId, what its name */
	struct collection *collections;
	size_t collection_count, collection_room;
	struct heap_use *heap;
	size_t heap_count, heap_room;
	struct heap_state heap_state;
	double gc_cpu_ns, gc_real_ns; /* jdk.GCCPUTime, of all collections */

	struct allocated allocated;

	/* Load and classes, by time */
	struct cpu_load *load;
	size_t load_count, load_room;
	/*
	 * jdk.CPULoad counts the JVM's time in a wrong unit (macOS on ARM, up to JDK 20): `load` is
	 * empty then.
	 */
	bool load_is_wrong;
	struct thread_loads thread_loads;
	struct series loaded, unloaded; /* classes since the JVM started */
	int64_t warm_ns; /* when start-up was over; INT64_MIN: it is not known */

	/* Waits of one thread that overlap (overlaps.h): the clock jumped */
	struct overlaps overlaps;

	/* What the recorder lost */
	int64_t lost_bytes, lost_from_ns;
	uint64_t lost_events;
	int64_t lost_largest_total;
};

/* Is it a collector of this family: "G1", "Parallel", "Serial", "Z", "Shenandoah", "CMS"? */
bool uses_collector(const struct judging *j, const char *family);
/* The same word; NULL: it is not known. */
const char *collector_name(const struct judging *j);

/* Was a collection with this cause requested, such as System.gc() or a heap dump? */
bool cause_is_asked_for(const char *cause);

/* Is it a full collection that stops the application, where that is not the usual one? */
bool collection_is_full(const struct judging *j, const struct collection *c);

/* Places of the recording that could not be read. */
uint64_t damaged_places(const struct judging *j);

/*
 * What stays in use after collections, as a share of the most that the heap may have: that of
 * heap_state, or of a collector that says too little for it the mean. NAN: not known.
 */
double live_share(const struct judging *j);

/*
 * For what share of their time collections that stop the application had a processor, as far as
 * that is known; 1. Where others have the processors, pauses are long whatever the heap is.
 */
double gc_worked(const struct judging *j);

/* The flag of that name, or NULL. */
const struct flag *flag_named(const struct judging *j, const char *name);

/* How many processors the JVM may use; 0: it is not known. */
double usable_cpus(const struct judging *j);

void thread_loads_take(struct thread_loads *t, const struct event *e);

/* How many processors threads kept busy in the mean, by jdk.ThreadCPULoad; NAN: it is not known. */
double busy_by_threads(const struct judging *j, bool of_application);

/* How many processors the JVM kept busy in the mean: by what tells it best; NAN. */
double busy_cpus(const struct judging *j);

/* Did other processes have most of the processors then, and was none left? By jdk.CPULoad. */
bool processors_were_taken(const struct judging *j, int64_t from_ns, int64_t to_ns);
/* Was none left, whichever process used them? */
bool processors_were_full(const struct judging *j, int64_t from_ns, int64_t to_ns);

/* Those that it sees, of which jdk.ThreadCPULoad is a share: whole ones. 0: it is not known. */
double seen_cpus(const struct judging *j);

#endif
