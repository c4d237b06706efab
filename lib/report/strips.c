/* SPDX-License-Identifier: MIT */
/*
 * strips.c - the values of the timeline: which events they come from
 */
#include "report/strips.h"

#include <stdlib.h>

#include "base/number.h"

/* Events that lie farther from their chunk than this are those of a broken clock. */
#define RANGE_NS INT64_C(86400000000000)

static bool is_in_range(struct lines *l, const struct event *e)
{
	const struct jfrec_chunk_info *c = &e->view->chunk->info;
	int64_t end_ns = long_add(c->start_ns, c->duration_ns);

	if (e->start_ns >= long_subtract(c->start_ns, RANGE_NS) &&
	    e->end_ns <= long_add(end_ns, RANGE_NS))
		return true;
	l->out_of_range++;
	return false;
}

/* Load ----------------------------------------------------------------------------------------- */

enum { CPU_LOAD, THROTTLING, THREADS, CLASSES };

static const struct reads load_inputs[] = {
	READS("jdk.CPULoad", HELPS, "jvmUser", "jvmSystem", "machineTotal"),
	READS("jdk.ContainerCPUThrottling", HELPS, "cpuThrottledTime"),
	READS("jdk.JavaThreadStatistics", HELPS, "activeCount"),
	READS("jdk.ClassLoadingStatistics", HELPS, "loadedClassCount", "unloadedClassCount"),
	{ 0 },
};

static void take_load(void *state, const struct event *e)
{
	struct lines *l = state;

	if (!is_in_range(l, e))
		return;
	switch (e->input) {
	case CPU_LOAD:
		history_note(&l->of[LINE_CPU_JVM], e->start_ns,
			     event_number(e, 0) + event_number(e, 1));
		history_note(&l->of[LINE_CPU_MACHINE], e->start_ns, event_number(e, 2));
		break;
	case THROTTLING:
		/* Told in seconds, so that a rate is a share. */
		history_note(&l->of[LINE_THROTTLED], e->start_ns, event_number(e, 0) / 1e9);
		break;
	case THREADS:
		history_note(&l->of[LINE_THREADS], e->start_ns, event_number(e, 0));
		break;
	default:
		history_note(&l->of[LINE_CLASSES], e->start_ns,
			     event_number(e, 0) - event_number(e, 1));
	}
}

/* Memory --------------------------------------------------------------------------------------- */

enum { HEAP_SUMMARY, HEAP_USAGE, SAMPLE, IN_TLAB, OUTSIDE_TLAB, BY_THREAD };

static const struct reads memory_inputs[] = {
	READS("jdk.GCHeapSummary", HELPS, "heapUsed", "heapSpace.committedSize"),
	READS("jdk.GCHeapMemoryUsage", HELPS, "used", "committed"),
	READS("jdk.ObjectAllocationSample", HELPS, "weight", "eventThread"),
	READS("jdk.ObjectAllocationInNewTLAB", HELPS, "tlabSize"),
	READS("jdk.ObjectAllocationOutsideTLAB", HELPS, "allocationSize"),
	READS("jdk.ThreadAllocationStatistics", HELPS, "allocated", "thread"),
	{ 0 },
};

/* How much more the thread has allocated since it was asked before. */
static double risen(struct lines *l, const struct event *e, uint32_t thread, int64_t allocated)
{
	double by;

	if (thread >= l->thread_room) {
		uint32_t room = thread + thread / 2 + 64;
		int64_t *more = reallocarray(l->allocated, room, sizeof(*more));

		if (!more) {
			event_no_memory(e);
			return 0;
		}
		for (uint32_t i = l->thread_room; i < room; i++)
			more[i] = -1;
		l->allocated = more;
		l->thread_room = room;
	}
	by = l->allocated[thread] >= 0 && allocated > l->allocated[thread]
		     ? (double)(allocated - l->allocated[thread])
		     : 0;
	if (allocated > l->allocated[thread])
		l->allocated[thread] = allocated;
	return by;
}

static void note_allocated(struct lines *l, int64_t at_ns, int64_t bytes)
{
	history_spread(&l->of[LINE_ALLOCATED], at_ns, at_ns, (double)bytes);
}

/* What the first of a thread weighs is known at the end (stacks/first_samples.h). */
static void take_sample(struct lines *l, const struct event *e, int64_t weight)
{
	uint32_t thread = event_thread(e, 1);
	struct first_sample one = { .thread = thread, .at = e->start_ns, .weight = weight,
				    .is_virtual = event_thread_is_virtual(e, thread) };
	bool has_displaced;
	int kept = first_samples_offer(&l->firsts, &one, &has_displaced);

	if (kept < 0)
		event_no_memory(e);
	else if (kept == 0 || has_displaced)
		note_allocated(l, one.at, one.weight);
}

void lines_finish(struct lines *l)
{
	first_samples_settle(&l->firsts);
	for (size_t i = 0; i < l->firsts.count; i++)
		note_allocated(l, l->firsts.list[i].at, l->firsts.list[i].fair);
	first_samples_fini(&l->firsts);
}

static void take_memory(void *state, const struct event *e)
{
	struct lines *l = state;
	int64_t number = event_long(e, 0);

	if (!is_in_range(l, e) || number == NO_NUMBER || number < 0)
		return;
	switch (e->input) {
	case HEAP_SUMMARY:
	case HEAP_USAGE:
		history_note(&l->of[LINE_HEAP_USED], e->start_ns, (double)number);
		history_note(&l->of[LINE_HEAP_COMMITTED], e->start_ns, event_number(e, 1));
		break;
	case SAMPLE:
		take_sample(l, e, number);
		break;
	case BY_THREAD:
		history_spread(&l->of[LINE_ALLOCATED_BY_THREADS], e->start_ns, e->start_ns,
			       risen(l, e, event_thread(e, 1), number));
		break;
	default:
		history_spread(&l->of[LINE_ALLOCATED_IN_TLABS], e->start_ns, e->start_ns,
			       (double)number);
	}
}

/* What stops threads --------------------------------------------------------------------------- */

enum { PAUSE, COLLECTION, MONITOR, SAFEPOINT_BEGIN, SAFEPOINT_END, VM_OPERATION, LOSS };

static const struct reads stop_inputs[] = {
	READS("jdk.GCPhasePause", HELPS, "gcId"),
	READS("jdk.GarbageCollection", HELPS, "longestPause"),
	READS("jdk.JavaMonitorEnter", HELPS, "monitorClass"),
	READS("jdk.SafepointBegin", HELPS, "safepointId"),
	READS("jdk.SafepointEnd", HELPS, "safepointId"),
	READS("jdk.ExecuteVMOperation", HELPS, "safepoint"),
	READS("jdk.DataLoss", HELPS, "amount"),
	{ 0 },
};

/* The events of a safepoint come from one thread, so the end follows its beginning. */
static void take_safepoint(struct lines *l, const struct event *e)
{
	int64_t id = event_long(e, 0), start_ns = e->start_ns;

	if (e->input == SAFEPOINT_BEGIN) {
		l->safepoint_id = id;
		l->safepoint_ns = start_ns;
	} else if (id == l->safepoint_id && l->safepoint_ns && l->safepoint_ns < e->end_ns) {
		start_ns = l->safepoint_ns;
	}
	history_note(&l->of[LINE_SAFEPOINT], e->start_ns, (double)(e->end_ns - start_ns));
}

static void take_stop(void *state, const struct event *e)
{
	struct lines *l = state;

	if (!is_in_range(l, e))
		return;
	switch (e->input) {
	case PAUSE:
		history_note(&l->of[LINE_PAUSE], e->start_ns, (double)event_duration(e));
		break;
	case COLLECTION:
		history_note(&l->of[LINE_PAUSE_OF_GC], e->start_ns, event_number(e, 0));
		break;
	case MONITOR:
		history_spread(&l->of[LINE_LOCK_WAIT], e->start_ns, e->end_ns,
			       (double)event_duration(e) / 1e9);
		break;
	case VM_OPERATION:
		if (event_long(e, 0) == 1)
			history_note(&l->of[LINE_SAFEPOINT], e->start_ns,
				     (double)event_duration(e));
		break;
	case LOSS:
		history_note(&l->of[LINE_LOST], e->start_ns, event_number(e, 0));
		break;
	default:
		take_safepoint(l, e);
	}
}

/* Exceptions, files and sockets ---------------------------------------------------------------- */

enum { STATISTICS, EXCEPTION, ERROR, SOCKET_READ, FILE_READ, SOCKET_WRITE, FILE_WRITE };

static const struct reads work_inputs[] = {
	READS("jdk.ExceptionStatistics", HELPS, "throwables"),
	READS("jdk.JavaExceptionThrow", HELPS, "thrownClass"),
	READS("jdk.JavaErrorThrow", HELPS, "thrownClass"),
	READS("jdk.SocketRead", HELPS, "bytesRead"),
	READS("jdk.FileRead", HELPS, "bytesRead"),
	READS("jdk.SocketWrite", HELPS, "bytesWritten"),
	READS("jdk.FileWrite", HELPS, "bytesWritten"),
	{ 0 },
};

static void take_work(void *state, const struct event *e)
{
	struct lines *l = state;

	if (!is_in_range(l, e))
		return;
	switch (e->input) {
	case STATISTICS:
		history_note(&l->of[LINE_EXCEPTIONS], e->start_ns, event_number(e, 0));
		break;
	case EXCEPTION:
	case ERROR:
		history_spread(&l->of[LINE_EXCEPTIONS_SEEN], e->start_ns, e->start_ns, 1);
		break;
	case SOCKET_READ:
	case FILE_READ:
		history_spread(&l->of[LINE_READ], e->start_ns, e->end_ns, event_number(e, 0));
		break;
	default:
		history_spread(&l->of[LINE_WRITTEN], e->start_ns, e->end_ns, event_number(e, 0));
	}
}

/* What was recorded -------------------------------------------------------------------------- */

enum { INFORMATION, PHYSICAL_MEMORY, CONTAINER };

static const struct reads origin_inputs[] = {
	READS("jdk.JVMInformation", HELPS, "javaArguments"),
	READS("jdk.PhysicalMemory", HELPS, "totalSize"),
	READS("jdk.ContainerConfiguration", HELPS, "memoryLimit"),
	{ 0 },
};

static void take_origin(void *state, const struct event *e)
{
	struct lines *l = state;

	if (e->input == INFORMATION)
		l->program = event_text(e, 0);
	else if (e->input == PHYSICAL_MEMORY)
		l->memory = event_long(e, 0);
	else
		l->memory_limit = event_long(e, 0);
}

static void take_thread(void *state, const struct event *e)
{
	struct lines *l = state;

	if (is_in_range(l, e))
		heat_take(&l->heat, e);
}

static const struct fact_reader readers[] = {
	{ origin_inputs, take_origin, true },
	{ load_inputs, take_load, false },
	{ memory_inputs, take_memory, false },
	{ stop_inputs, take_stop, false },
	{ work_inputs, take_work, false },
	{ heat_inputs, take_thread, false },
	{ 0 },
};

static void lines_fini(void *state)
{
	struct lines *l = state;

	for (size_t i = 0; i < LINE_COUNT; i++)
		history_fini(&l->of[i]);
	heat_fini(&l->heat);
	free(l->allocated);
	first_samples_fini(&l->firsts);
}

const struct watch lines_watch = { readers, sizeof(struct lines), lines_fini };

/* Strips --------------------------------------------------------------------------------------- */

#define LINE(text, ...)                                                    \
	{ text, { __VA_ARGS__ },                                           \
	  sizeof((enum line_id[]){ __VA_ARGS__ }) / sizeof(enum line_id) }

/* clang-format off */
const struct strip strips[] = {
	{ "cpu", "CPU load", "jdk.CPULoad", HISTORY_GAUGE, JFREC_UNIT_PERCENT, .is_share = true,
	  .lines = { LINE("JVM", LINE_CPU_JVM), LINE("machine", LINE_CPU_MACHINE) }, .line_count = 2 },
	{ "throttling", "CPU throttling", "jdk.ContainerCPUThrottling", HISTORY_COUNTER, JFREC_UNIT_PERCENT,
	  .lines = { LINE("", LINE_THROTTLED) }, .line_count = 1 },
	{ "heap", "Heap", "jdk.GCHeapSummary", HISTORY_GAUGE, JFREC_UNIT_BYTES,
	  .lines = { LINE("used", LINE_HEAP_USED), LINE("committed", LINE_HEAP_COMMITTED) }, .line_count = 2 },
	{ "pauses", "GC pauses", "jdk.GCPhasePause", HISTORY_EVENTS, JFREC_UNIT_NS, .is_log = true,
	  .lines = { LINE("", LINE_PAUSE, LINE_PAUSE_OF_GC) }, .line_count = 1 },
	{ "threads", "Threads", "jdk.JavaThreadStatistics", HISTORY_GAUGE, JFREC_UNIT_NONE,
	  .lines = { LINE("", LINE_THREADS) }, .line_count = 1 },
	{ "allocation", "Allocation", "jdk.ObjectAllocationSample", HISTORY_RATE, JFREC_UNIT_BYTES_PER_S,
	  .lines = { LINE("", LINE_ALLOCATED, LINE_ALLOCATED_IN_TLABS, LINE_ALLOCATED_BY_THREADS) }, .line_count = 1 },
	{ "exceptions", "Exceptions", "jdk.ExceptionStatistics", HISTORY_COUNTER, JFREC_UNIT_HERTZ,
	  .lines = { LINE("", LINE_EXCEPTIONS, LINE_EXCEPTIONS_SEEN) }, .line_count = 1 },
	{ "io", "Files and sockets", "jdk.SocketRead", HISTORY_RATE, JFREC_UNIT_BYTES_PER_S,
	  .lines = { LINE("read", LINE_READ), LINE("written", LINE_WRITTEN) }, .line_count = 2 },
	{ "locks", "Blocked on monitors", "jdk.JavaMonitorEnter", HISTORY_RATE, JFREC_UNIT_NONE,
	  .lines = { LINE("", LINE_LOCK_WAIT) }, .line_count = 1 },
	{ "classes", "Classes", "jdk.ClassLoadingStatistics", HISTORY_GAUGE, JFREC_UNIT_NONE,
	  .lines = { LINE("", LINE_CLASSES) }, .line_count = 1 },
	{ "safepoints", "Safepoints", "jdk.SafepointBegin", HISTORY_EVENTS, JFREC_UNIT_NS, .is_log = true,
	  .lines = { LINE("", LINE_SAFEPOINT) }, .line_count = 1 },
};
/* clang-format on */

const size_t strip_count = sizeof(strips) / sizeof(*strips);

struct history *strip_history(struct lines *l, const struct strip_line *line, enum line_id *id)
{
	for (unsigned i = 0; i < line->from_count; i++) {
		*id = line->from[i];
		/* One reading of a counter says nothing. */
		if (l->of[*id].events > (*id == LINE_EXCEPTIONS || *id == LINE_THROTTLED))
			return &l->of[*id];
	}
	return NULL;
}

enum history_kind strip_kind(const struct strip *s, enum line_id id)
{
	return id == LINE_EXCEPTIONS_SEEN ? HISTORY_RATE : s->kind;
}

_Static_assert(sizeof(strips) / sizeof(*strips) <= MAX_STRIPS, "MAX_STRIPS is too small");
