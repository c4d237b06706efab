/* SPDX-License-Identifier: MIT */
/*
 * sources.c - which events make which profile, and what they weigh
 *
 * A new profile is a row. Fields are found by their names, so a source may name fields that only
 * some producers write. Types of producers that stand for one of these are rows of equivalents.h.
 *
 * One second of CPU is never counted twice: of the sources of a profile that tell of the same,
 * those of the lowest rank that has events make it. The JDK's and async-profiler's come before
 * those of other producers, as views and rules have it, but for what is alive: jdk.OldObjectSample
 * is of a few objects, and does not say how many they stand for.
 */
#include "stacks/sources.h"

#include <string.h>

#include "format/metadata.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

#define ROWS(a)	 .sources = (a), .source_count = COUNT(a)

#define SAMPLED "sampledThread"
#define THREAD	"eventThread"

#define RANK_OTHERS 2 /* of other producers */
#define RANK_LAST   3

/* CPU-time samples are exact where there are any; the two samplers are never added. */
static const struct stack_source cpu[] = {
	{ "jdk.CPUTimeSample", THREAD, .value_from = VALUE_FIELD, .value = "samplingPeriod" },
	{ "jdk.ExecutionSample", SAMPLED, .value_from = VALUE_PERIOD, .value = "interval",
	  .states = STATE_CPU, .producer = BY_ASYNC_PROFILER, .rank = 1 },
	{ "jdk.ExecutionSample", SAMPLED, .value_from = VALUE_PERIOD, .value = "period",
	  .producer = BY_JDK, .rank = 1 },
};

static const struct stack_source native[] = {
	{ "jdk.NativeMethodSample", SAMPLED, .value_from = VALUE_PERIOD, .value = "period" },
};

static const struct stack_source wall[] = {
	{ "profiler.WallClockSample", SAMPLED, .count = "samples", .value_from = VALUE_PERIOD,
	  .value = "wall" },
	{ "jdk.ExecutionSample", SAMPLED, .value_from = VALUE_PERIOD, .value = "wall",
	  .states = STATE_WALL, .producer = BY_ASYNC_PROFILER, .rank = 1 },
};

/* Buffers and what was allocated outside of them are all of it; samples stand for more. */
static const struct stack_source alloc[] = {
	{ "jdk.ObjectAllocationInNewTLAB", THREAD, "objectClass", .value_from = VALUE_FIELD,
	  .value = "tlabSize", .instead = "allocationSize" },
	{ "jdk.ObjectAllocationOutsideTLAB", THREAD, "objectClass", .value_from = VALUE_FIELD,
	  .value = "allocationSize" },
	{ "jdk.ObjectAllocationSample", THREAD, "objectClass", .value_from = VALUE_FIELD,
	  .value = "weight", .rank = 1, .first_is_heavy = true },
};

static const struct stack_source live[] = {
	{ "profiler.LiveObject", THREAD, "objectClass", .value_from = VALUE_FIELD,
	  .value = "allocationSize" },
	{ "jdk.OldObjectSample", THREAD, "object", .value_from = VALUE_FIELD, .value = "objectSize",
	  .rank = RANK_LAST },
};

static const struct stack_source holders[] = {
	{ "jdk.OldObjectSample", THREAD, .kept = "object", .value_from = VALUE_NONE },
};

static const struct stack_source lock[] = {
	{ "jdk.JavaMonitorEnter", THREAD, "monitorClass", .value_from = VALUE_DURATION },
	{ "jdk.ThreadPark", THREAD, "parkedClass", .value_from = VALUE_DURATION },
	{ "jdk.VirtualThreadPinned", THREAD, .value_from = VALUE_DURATION },
	{ "profiler.NativeLock", THREAD, .value_from = VALUE_DURATION },
};

static const struct stack_source io[] = {
	{ "jdk.SocketRead", THREAD, .value_from = VALUE_DURATION },
	{ "jdk.SocketWrite", THREAD, .value_from = VALUE_DURATION },
	{ "jdk.FileRead", THREAD, .value_from = VALUE_DURATION },
	{ "jdk.FileWrite", THREAD, .value_from = VALUE_DURATION },
	{ "jdk.FileForce", THREAD, .value_from = VALUE_DURATION },
};

static const struct stack_source exceptions[] = {
	{ "jdk.JavaExceptionThrow", THREAD, "thrownClass", .value_from = VALUE_NONE },
	{ "jdk.JavaErrorThrow", THREAD, "thrownClass", .value_from = VALUE_NONE },
};

static const struct stack_source native_memory[] = {
	{ "profiler.Malloc", THREAD, .value_from = VALUE_FIELD, .value = "size" },
};

static const struct stack_source native_leaks[] = {
	{ "profiler.Malloc", THREAD, .value_from = VALUE_FIELD, .value = "size" },
	{ "profiler.Free", THREAD, .frees = true },
};

static const struct stack_source trace[] = {
	{ "jdk.MethodTrace", THREAD, .value_from = VALUE_DURATION },
};

static const struct profile_kind kinds[] = {
	{ "cpu", "CPU", UNIT_NS, ROWS(cpu) },
	{ "wall", "Wall clock", UNIT_NS, ROWS(wall) },
	{ "native", "Native methods, waiting or working", UNIT_NS, ROWS(native) },
	{ "alloc", "Allocation", UNIT_BYTES, ROWS(alloc) },
	{ "live", "Live objects", UNIT_BYTES, ROWS(live) },
	{ "holders", "What keeps objects alive", UNIT_SAMPLES, ROWS(holders) },
	{ "lock", "Locks and parks", UNIT_NS, ROWS(lock) },
	{ "io", "Input and output", UNIT_NS, ROWS(io) },
	{ "exceptions", "Exceptions", UNIT_SAMPLES, ROWS(exceptions) },
	{ "native-memory", "Native memory", UNIT_BYTES, ROWS(native_memory) },
	{ "native-leaks", "Native memory that was not freed", UNIT_BYTES, ROWS(native_leaks), .is_leaks = true },
	{ "trace", "Traced methods", UNIT_NS, ROWS(trace) },
};

/* jfrconv, by the names of its options; it adds up whatever it reads. */

#define SAMPLES_OF(which)                                                                          \
	{ "jdk.ExecutionSample", SAMPLED, .states = which },                                       \
	{ "jdk.NativeMethodSample", SAMPLED, .states = which },                                    \
	{ "profiler.WallClockSample", SAMPLED, .count = "samples", .states = which }

static const struct stack_source conv_all[] = {
	SAMPLES_OF(STATE_ANY),
	{ "jdk.CPUTimeSample", THREAD, .value_from = VALUE_NONE },
};
static const struct stack_source conv_cpu[] = { SAMPLES_OF(STATE_CPU) };
static const struct stack_source conv_wall[] = { SAMPLES_OF(STATE_WALL) };
static const struct stack_source conv_state[] = { SAMPLES_OF(STATE_NAMED) };
static const struct stack_source conv_cpu_time[] = { { "jdk.CPUTimeSample", THREAD, .value_from = VALUE_NONE } };
static const struct stack_source conv_alloc[] = {
	{ "jdk.ObjectAllocationInNewTLAB", THREAD, "objectClass", .value_from = VALUE_FIELD,
	  .value = "tlabSize", .instead = "allocationSize" },
	{ "jdk.ObjectAllocationOutsideTLAB", THREAD, "objectClass", .value_from = VALUE_FIELD,
	  .value = "allocationSize" },
	{ "jdk.ObjectAllocationSample", THREAD, "objectClass", .value_from = VALUE_FIELD,
	  .value = "weight" },
};
static const struct stack_source conv_live[] = {
	{ "profiler.LiveObject", THREAD, "objectClass", .value_from = VALUE_FIELD,
	  .value = "allocationSize" },
};
static const struct stack_source conv_lock[] = {
	{ "jdk.JavaMonitorEnter", THREAD, "monitorClass", .value_from = VALUE_DURATION },
	{ "jdk.ThreadPark", THREAD, "parkedClass", .value_from = VALUE_DURATION },
};
/* Calls of free count as samples of 0 bytes. */
static const struct stack_source conv_native_memory[] = {
	{ "profiler.Malloc", THREAD, .value_from = VALUE_FIELD, .value = "size" },
	{ "profiler.Free", THREAD, .value_from = VALUE_NONE },
};
static const struct stack_source conv_trace[] = {
	{ "jdk.MethodTrace", THREAD, .value_from = VALUE_DURATION, .group = "method" },
};
/* Its lines have ticks, where those of locks have nanoseconds. */
static const struct stack_source conv_trace_ticks[] = {
	{ "jdk.MethodTrace", THREAD, .value_from = VALUE_TICKS, .group = "method" },
};
static const struct stack_source conv_native_lock[] = {
	{ "profiler.NativeLock", THREAD, .value_from = VALUE_DURATION },
};

static const struct profile_kind jfrconv_kinds[] = {
	{ "", "all samples", UNIT_SAMPLES, ROWS(conv_all) },
	{ "cpu", "CPU", UNIT_SAMPLES, ROWS(conv_cpu) },
	{ "cpu-time", "CPU time", UNIT_SAMPLES, ROWS(conv_cpu_time) },
	{ "wall", "Wall clock", UNIT_SAMPLES, ROWS(conv_wall) },
	{ "state", "Threads in some states", UNIT_SAMPLES, ROWS(conv_state) },
	{ "alloc", "Allocation", UNIT_BYTES, ROWS(conv_alloc) },
	{ "live", "Live objects", UNIT_BYTES, ROWS(conv_live) },
	{ "lock", "Locks", UNIT_NS, ROWS(conv_lock) },
	{ "nativelock", "Native locks", UNIT_NS, ROWS(conv_native_lock) },
	{ "nativemem", "Native memory", UNIT_BYTES, ROWS(conv_native_memory) },
	{ "leak", "Native memory that was not freed", UNIT_BYTES, ROWS(native_leaks), .is_leaks = true },
	{ "trace", "Traced methods", UNIT_NS, ROWS(conv_trace) },
	{ "trace-ticks", "Traced methods", UNIT_NS, ROWS(conv_trace_ticks) },
};

bool source_takes(const struct stack_source *s, const char *type_name)
{
	const char *dot;

	if (strcmp(type_name, s->type) == 0 || is_jdk9_name(type_name, s->type))
		return true;
	dot = strchr(s->type, '.') ? NULL : strrchr(type_name, '.');
	return dot && strcmp(dot + 1, s->type) == 0;
}

/* The profile's source of that type, or NULL. */
static const struct stack_source *source_named(const struct profile_kind *kind, const char *type)
{
	for (size_t i = 0; i < kind->source_count; i++) {
		if (strcmp(kind->sources[i].type, type) == 0)
			return &kind->sources[i];
	}
	return NULL;
}

bool source_of_equivalent(const struct profile_kind *kind, const struct equivalent *e,
			  struct stack_source *source)
{
	const struct stack_source *jdk;

	/* Not of a profile of that name that is jfrconv's, or of a type that the caller named. */
	if (strcmp(kind->name, e->profile) != 0 || kind != profile_kind_named(e->profile))
		return false;
	jdk = source_named(kind, e->jdk);
	if (!jdk)
		return false;
	*source = (struct stack_source){
		.type = e->type,
		.thread = equivalent_field(e, jdk->thread),
		.leaf = jdk->leaf ? equivalent_field(e, jdk->leaf) : NULL,
		.count = e->samples,
		.value_from = e->setting ? VALUE_PERIOD : e->value ? VALUE_FIELD : VALUE_NONE,
		.value = e->setting ? e->setting : e->value,
		.factor = e->factor,
		.rank = RANK_OTHERS,
	};
	return true;
}

const char *equivalent_of_rank(const struct profile_kind *kind, unsigned rank)
{
	const struct equivalent *e;
	struct stack_source source;

	for (size_t i = 0; (e = equivalent_at(i)) != NULL; i++) {
		if (source_of_equivalent(kind, e, &source) && source.rank == rank)
			return e->type;
	}
	return NULL;
}

static const struct profile_kind *named(const struct profile_kind *kind, size_t count,
					const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(kind[i].name, name) == 0)
			return &kind[i];
	}
	return NULL;
}

const struct profile_kind *profile_kind_at(size_t i)
{
	return i < COUNT(kinds) ? &kinds[i] : NULL;
}

const struct profile_kind *profile_kind_named(const char *name)
{
	return named(kinds, COUNT(kinds), name);
}

const struct profile_kind *jfrconv_kind_named(const char *name)
{
	return named(jfrconv_kinds, COUNT(jfrconv_kinds), name);
}
