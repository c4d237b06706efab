/* SPDX-License-Identifier: MIT */
/*
 * family.c - the table of metrics, and the events they are computed from
 */
#include "metrics/family.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
const struct family families[FAMILY_COUNT] = {
	[CPU_LOAD] = { "jvm_cpu_load_ratio", GAUGE, "ratio",
		"What the JVM takes of all processors" },
	[MACHINE_CPU_LOAD] = { "machine_cpu_load_ratio", GAUGE, "ratio",
		"What everything takes of all processors" },
	[HEAP_USED] = { "jvm_heap_used_bytes", GAUGE, "bytes",
		"Heap in use, at the last garbage collection" },
	[HEAP_COMMITTED] = { "jvm_heap_committed_bytes", GAUGE, "bytes",
		"Heap that the JVM has of the system" },
	[HEAP_RESERVED] = { "jvm_heap_reserved_bytes", GAUGE, "bytes",
		"What the heap can grow to" },
	[METASPACE_USED] = { "jvm_metaspace_used_bytes", GAUGE, "bytes",
		"Metaspace in use, at the last garbage collection" },
	[METASPACE_COMMITTED] = { "jvm_metaspace_committed_bytes", GAUGE, "bytes",
		"Metaspace that the JVM has of the system" },
	[DIRECT_BUFFERS] = { "jvm_direct_buffers_used_bytes", GAUGE, "bytes",
		"Memory of direct buffers" },
	[RESIDENT] = { "jvm_resident_bytes", GAUGE, "bytes",
		"Memory of the process that is not swapped out" },
	[MACHINE_MEMORY_USED] = { "machine_memory_used_bytes", GAUGE, "bytes",
		"Memory in use, of the machine or container" },
	[MACHINE_MEMORY] = { "machine_memory_bytes", GAUGE, "bytes",
		"Memory of the machine or container" },
	[GC_PAUSE] = { "jvm_gc_pause_seconds", SUMMARY, "seconds",
		"Pauses for garbage collection; the quantiles are those of the window" },
	[GC_COLLECTIONS] = { "jvm_gc_collections", COUNTER, NULL,
		"Garbage collections" },
	[ALLOCATED] = { "jvm_allocated_bytes", COUNTER, "bytes",
		"Memory allocated on the heap, estimated from samples" },
	[ALLOCATION_RATE] = { "jvm_allocation_bytes_per_second", GAUGE, NULL,
		"The same in each second of the window" },
	[THREADS] = { "jvm_threads", GAUGE, NULL,
		"Threads of Java; daemon ones are active ones, too" },
	[THREADS_STARTED] = { "jvm_threads_started", COUNTER, NULL,
		"Threads that were started since the JVM was" },
	[CLASSES_LOADED] = { "jvm_classes_loaded", COUNTER, NULL,
		"Classes that were loaded since the JVM was started" },
	[CLASSES_UNLOADED] = { "jvm_classes_unloaded", COUNTER, NULL,
		"Classes that were unloaded since the JVM was started" },
	[EXCEPTIONS] = { "jvm_exceptions", COUNTER, NULL,
		"Exceptions and errors that were created since the JVM was started" },
	[WAITED] = { "jvm_waited_seconds", COUNTER, "seconds",
		"What threads waited for, as far as it took longer than the event's threshold" },
	[DATA_LOST] = { "jfr_data_lost_bytes", COUNTER, "bytes",
		"Events that the JVM could not keep" },
	[EVENTS] = { "jfr_events", COUNTER, NULL,
		"Events of each type" },
	[EVENT_RATE] = { "jfr_events_per_second", GAUGE, NULL,
		"The same in each second of the window" },
	[LAST_FLUSH] = { "jfr_last_flush_timestamp_seconds", GAUGE, "seconds",
		"Time of the last flush of the JVM" },
};

static const struct rule rules[] = {
	{ "jdk.CPULoad", CPU_LOAD, SET, "jvmUser", "mode=\"user\"", NULL },
	{ "jdk.CPULoad", CPU_LOAD, SET, "jvmSystem", "mode=\"system\"", NULL },
	{ "jdk.CPULoad", MACHINE_CPU_LOAD, SET, "machineTotal", NULL, NULL },
	{ "jdk.ClassLoadingStatistics", CLASSES_LOADED, SET, "loadedClassCount", NULL, NULL },
	{ "jdk.ClassLoadingStatistics", CLASSES_UNLOADED, SET, "unloadedClassCount", NULL, NULL },
	{ "jdk.DataLoss", DATA_LOST, ADD, "amount", NULL, NULL },
	{ "jdk.DirectBufferStatistics", DIRECT_BUFFERS, SET, "memoryUsed", NULL, NULL },
	{ "jdk.ExceptionStatistics", EXCEPTIONS, SET, "throwables", NULL, NULL },
	{ "jdk.FileForce", WAITED, ADD, "duration", "reason=\"file\"", NULL },
	{ "jdk.FileRead", WAITED, ADD, "duration", "reason=\"file\"", NULL },
	{ "jdk.FileWrite", WAITED, ADD, "duration", "reason=\"file\"", NULL },
	{ "jdk.GCHeapSummary", HEAP_USED, SET, "heapUsed", "when", "when" },
	{ "jdk.GCHeapSummary", HEAP_COMMITTED, SET, "heapSpace.committedSize", NULL, NULL },
	{ "jdk.GCHeapSummary", HEAP_RESERVED, SET, "heapSpace.reservedSize", NULL, NULL },
	{ "jdk.GCPhasePause", GC_PAUSE, ADD, "duration", NULL, NULL },
	{ "jdk.GarbageCollection", GC_COLLECTIONS, ADD, NULL, "collector", "name" },
	{ "jdk.JavaMonitorEnter", WAITED, ADD, "duration", "reason=\"monitor\"", NULL },
	{ "jdk.JavaMonitorWait", WAITED, ADD, "duration", "reason=\"wait\"", NULL },
	{ "jdk.JavaThreadStatistics", THREADS, SET, "activeCount", "kind=\"active\"", NULL },
	{ "jdk.JavaThreadStatistics", THREADS, SET, "daemonCount", "kind=\"daemon\"", NULL },
	{ "jdk.JavaThreadStatistics", THREADS, SET, "peakCount", "kind=\"peak\"", NULL },
	{ "jdk.JavaThreadStatistics", THREADS_STARTED, SET, "accumulatedCount", NULL, NULL },
	{ "jdk.MetaspaceSummary", METASPACE_USED, SET, "metaspace.used", NULL, NULL },
	{ "jdk.MetaspaceSummary", METASPACE_COMMITTED, SET, "metaspace.committed", NULL, NULL },
	{ "jdk.ObjectAllocationInNewTLAB", ALLOCATED, ADD, "tlabSize", NULL, NULL },
	{ "jdk.ObjectAllocationOutsideTLAB", ALLOCATED, ADD, "allocationSize", NULL, NULL },
	{ "jdk.ObjectAllocationSample", ALLOCATED, ADD, "weight", NULL, NULL },
	{ "jdk.PhysicalMemory", MACHINE_MEMORY_USED, SET, "usedSize", NULL, NULL },
	{ "jdk.PhysicalMemory", MACHINE_MEMORY, SET, "totalSize", NULL, NULL },
	{ "jdk.ResidentSetSize", RESIDENT, SET, "size", NULL, NULL },
	{ "jdk.SocketRead", WAITED, ADD, "duration", "reason=\"socket\"", NULL },
	{ "jdk.SocketWrite", WAITED, ADD, "duration", "reason=\"socket\"", NULL },
	{ "jdk.ThreadPark", WAITED, ADD, "duration", "reason=\"park\"", NULL },
	{ "jdk.ThreadSleep", WAITED, ADD, "duration", "reason=\"sleep\"", NULL },
	{ NULL, 0, 0, NULL, NULL, NULL },
};
/* clang-format on */

const struct rule *rules_of(const char *event)
{
	for (const struct rule *r = rules; r->event; r++) {
		if (strcmp(r->event, event) == 0)
			return r;
	}
	return NULL;
}
