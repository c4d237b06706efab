/* SPDX-License-Identifier: MIT */
/*
 * tables.c - which tables a report has
 */
#include "report/report.h"

const struct section_info section_infos[SECTION_COUNT] = {
	[SECTION_GC] = { "gc", "Garbage collection" },
	[SECTION_MEMORY] = { "memory", "Memory" },
	[SECTION_LOCKS] = { "locks", "Waiting" },
	[SECTION_EXCEPTIONS] = { "exceptions", "Exceptions" },
	[SECTION_IO] = { "io", "Files and sockets" },
	[SECTION_THREADS] = { "threads", "Threads" },
	[SECTION_RUNTIME] = { "runtime", "JVM" },
	[SECTION_SETTINGS] = { "settings", "Settings and flags" },
	[SECTION_ENVIRONMENT] = { "environment", "Environment" },
	[SECTION_EVENTS] = { "events", "Events" },
};

/* Flags that somebody, or the JVM itself, has set. */
#define FLAGS                                                                                     \
	"COLUMN 'Name', 'Value', 'Origin' "                                                       \
	"SELECT name AS N, LAST(value), LAST(origin) AS O "                                       \
	"FROM IntFlag, UnsignedIntFlag, BooleanFlag, LongFlag, UnsignedLongFlag, DoubleFlag, "    \
	"StringFlag GROUP BY name HAVING O != 'Default' ORDER BY name ASC"

#define BY_CAUSE                                                                                  \
	"COLUMN 'Cause', 'Count', 'Total Pause', 'P99', 'Longest' "                               \
	"SELECT cause AS C, COUNT(*), SUM(sumOfPauses) AS S, P99(longestPause), "                 \
	"MAX(longestPause) FROM GarbageCollection GROUP BY C ORDER BY S DESC"

/* Those without an event are not missed: nobody is told why they are not there. */
/* clang-format off */
const struct table_info table_infos[] = {
	{ SECTION_GC, "gc-pauses", NULL, NULL, "jdk.GCPhasePause", 0, NULL, false, false },
	{ SECTION_GC, "gc-pause-percentiles", NULL, NULL, "jdk.GarbageCollection", 0, NULL, false, false },
	{ SECTION_GC, "gc-by-cause", "Collections by Cause", BY_CAUSE, "jdk.GarbageCollection", 0, NULL, false, false },
	{ SECTION_GC, "gc", "Collections with the Longest Pauses", NULL, "jdk.GarbageCollection", 10, "Longest Pause", false, false },
	{ SECTION_GC, "gc-pause-phases", NULL, NULL, "jdk.GCPhasePause", 0, "Total", true, false },
	{ SECTION_GC, "gc-configuration", NULL, NULL, "jdk.GCConfiguration", 0, NULL, true, false },
	{ SECTION_GC, "heap-configuration", NULL, NULL, "jdk.GCHeapConfiguration", 0, NULL, true, false },

	{ SECTION_MEMORY, "allocation-by-class", NULL, NULL, "jdk.ObjectAllocationSample", 20, NULL, false, false },
	{ SECTION_MEMORY, "allocation-by-site", NULL, NULL, "jdk.ObjectAllocationSample", 20, NULL, false, false },
	{ SECTION_MEMORY, "datadog-allocation-by-class", NULL, NULL, NULL, 20, NULL, false, false },
	{ SECTION_MEMORY, "datadog-allocation-by-site", NULL, NULL, NULL, 20, NULL, false, false },
	{ SECTION_MEMORY, "memory-leaks-by-class", NULL, NULL, "jdk.OldObjectSample", 20, NULL, false, false },
	{ SECTION_MEMORY, "native-memory-growth", NULL, NULL, "jdk.NativeMemoryUsage", 20, NULL, true, false },
	{ SECTION_MEMORY, "class-loader-growth", NULL, NULL, "jdk.ClassLoaderStatistics", 20, NULL, true, false },

	{ SECTION_LOCKS, "lock-wait-by-class", NULL, NULL, "jdk.JavaMonitorEnter", 20, NULL, false, false },
	{ SECTION_LOCKS, "lock-wait", NULL, NULL, "jdk.JavaMonitorEnter", 20, NULL, false, false },
	{ SECTION_LOCKS, "contention-by-site", NULL, NULL, "jdk.JavaMonitorEnter", 20, NULL, false, false },
	{ SECTION_LOCKS, "pinned-threads", NULL, NULL, "jdk.VirtualThreadPinned", 20, NULL, false, false },
	{ SECTION_LOCKS, "latencies-by-type", NULL, NULL, NULL, 20, NULL, true, false },

	{ SECTION_EXCEPTIONS, "exception-by-type", NULL, NULL, "jdk.JavaExceptionThrow", 20, NULL, false, false },
	{ SECTION_EXCEPTIONS, "exception-rate-by-site", NULL, NULL, "jdk.JavaExceptionThrow", 20, NULL, false, false },
	{ SECTION_EXCEPTIONS, "exception-by-message", NULL, NULL, "jdk.JavaExceptionThrow", 20, NULL, true, false },
	{ SECTION_EXCEPTIONS, "datadog-exception-by-type", NULL, NULL, NULL, 20, NULL, false, false },
	{ SECTION_EXCEPTIONS, "datadog-exception-by-site", NULL, NULL, NULL, 20, NULL, false, false },
	{ SECTION_EXCEPTIONS, "datadog-exception-by-message", NULL, NULL, NULL, 20, NULL, true, false },

	{ SECTION_IO, "slow-hosts", NULL, NULL, "jdk.SocketRead", 20, NULL, false, false },
	{ SECTION_IO, "slow-files", NULL, NULL, "jdk.FileRead", 20, NULL, false, false },
	{ SECTION_IO, "socket-reads-by-host", NULL, NULL, "jdk.SocketRead", 20, NULL, true, false },
	{ SECTION_IO, "socket-writes-by-host", NULL, NULL, "jdk.SocketWrite", 20, NULL, true, false },
	{ SECTION_IO, "file-reads-by-path", NULL, NULL, "jdk.FileRead", 20, NULL, true, false },
	{ SECTION_IO, "file-writes-by-path", NULL, NULL, "jdk.FileWrite", 20, NULL, true, false },

	{ SECTION_THREADS, "thread-cpu-load", NULL, NULL, "jdk.ThreadCPULoad", 20, NULL, false, false },
	{ SECTION_THREADS, "thread-allocation", NULL, NULL, "jdk.ThreadAllocationStatistics", 20, NULL, false, false },
	{ SECTION_THREADS, "thread-count", NULL, NULL, "jdk.JavaThreadStatistics", 20, NULL, true, false },

	{ SECTION_RUNTIME, "safepoints", NULL, NULL, "jdk.SafepointBegin", 10, "Duration", true, false },
	{ SECTION_RUNTIME, "vm-operations", NULL, NULL, "jdk.ExecuteVMOperation", 20, NULL, true, false },
	{ SECTION_RUNTIME, "longest-compilations", NULL, NULL, "jdk.Compilation", 10, NULL, true, false },
	{ SECTION_RUNTIME, "class-modifications", NULL, NULL, "jdk.RetransformClasses", 20, NULL, true, false },
	{ SECTION_RUNTIME, "deprecated-methods-for-removal", NULL, NULL, "jdk.DeprecatedInvocation", 20, NULL, true, false },

	{ SECTION_SETTINGS, "jvm-flags-set", "Flags That Are Not at Their Defaults", FLAGS, "jdk.BooleanFlag", 200, NULL, false, false },
	{ SECTION_SETTINGS, "active-recordings", NULL, NULL, "jdk.ActiveRecording", 20, NULL, false, false },
	{ SECTION_SETTINGS, "active-settings", NULL, NULL, "jdk.ActiveSetting", 0, NULL, true, false },

	{ SECTION_ENVIRONMENT, "jvm-information", NULL, NULL, "jdk.JVMInformation", 0, NULL, false, false },
	{ SECTION_ENVIRONMENT, "cpu-information", NULL, NULL, "jdk.CPUInformation", 0, NULL, false, false },
	{ SECTION_ENVIRONMENT, "container-configuration", NULL, NULL, "jdk.ContainerConfiguration", 0, NULL, false, false },
	{ SECTION_ENVIRONMENT, "container-throttling", NULL, NULL, "jdk.ContainerCPUThrottling", 50, NULL, true, false },
	{ SECTION_ENVIRONMENT, "system-information", NULL, NULL, "jdk.OSInformation", 0, NULL, true, false },
	{ SECTION_ENVIRONMENT, "system-properties", NULL, NULL, "jdk.InitialSystemProperty", 0, NULL, true, false },
	{ SECTION_ENVIRONMENT, "environment-variables", NULL, NULL, "jdk.InitialEnvironmentVariable", 0, NULL, true, true },

	{ SECTION_EVENTS, "events-by-count", NULL, NULL, NULL, 0, NULL, true, false },
};
/* clang-format on */

const size_t table_count = sizeof(table_infos) / sizeof(*table_infos);

_Static_assert(sizeof(table_infos) / sizeof(*table_infos) <= MAX_TABLES, "MAX_TABLES is too small");
