/* SPDX-License-Identifier: MIT */
/*
 * steps.c - what a snapshot consists of
 */
#include "snapshot/steps.h"

#include <stddef.h>

#include "snapshot/taking.h"

#define ALWAYS (-1)
#define IF(member) ((int)offsetof(struct snapshot_opts, member))

/* What the JVM feels of it. */
#define NO_COST	     "none: nothing is sent to the JVM"
#define READS_COST   "none: its files are read"
#define DUMP_COST    "a safepoint while the stacks are walked, longer with more threads"
#define REPLY_COST   "a reply of the attach listener"
#define JAVA_COST    "a reply that runs Java code"
#define GC_COST	     "a full collection, then a safepoint while the heap is walked"
#define RECORD_COST  "events by the settings of analyze; a chunk of its own begins and ends"

#define OUTSIDE(name, text, what)                                                                  \
	{                                                                                          \
		name, name ".txt", STEP_OUTSIDE, 5, true, text, NO_COST, take_outside, NULL, what, \
			0, 0, ALWAYS                                                               \
	}
#define REPLY(name, text, cost, command) \
	{ name, name ".txt", STEP_ASKS, 5, true, text, cost, take_reply, command, 0, 0, 0, ALWAYS }
#define DUMP(name, wait)                                                                        \
	{                                                                                       \
		name, name ".txt", STEP_ASKS, 5, true, JFREC_TEXT_PLAIN, DUMP_COST, take_reply, \
			"Thread.print", 0, wait, 0, ALWAYS                                      \
	}

/* clang-format off */
const struct snapshot_step snapshot_steps[] = {
	OUTSIDE("process", JFREC_TEXT_PLAIN, JFREC_OUTSIDE_PROCESS),
	OUTSIDE("tasks", JFREC_TEXT_PLAIN, JFREC_OUTSIDE_TASKS),
	OUTSIDE("cgroups", JFREC_TEXT_PLAIN, JFREC_OUTSIDE_CGROUPS),
	OUTSIDE("host", JFREC_TEXT_PLAIN, JFREC_OUTSIDE_HOST),
	OUTSIDE("command-line", JFREC_TEXT_FLAGS, JFREC_OUTSIDE_COMMAND_LINE),
	OUTSIDE("environment", JFREC_TEXT_ENVIRONMENT, JFREC_OUTSIDE_ENVIRONMENT),
	OUTSIDE("descriptors", JFREC_TEXT_PLAIN, JFREC_OUTSIDE_DESCRIPTORS),
	{ "counters", "counters.txt", STEP_OUTSIDE, 5, true, JFREC_TEXT_COUNTERS, READS_COST, take_counters, NULL, 0, 0, 0, ALWAYS },
	{ "gc-log-1", "gc-1.log", STEP_OUTSIDE, 5, true, JFREC_TEXT_PLAIN, READS_COST, take_gc_log, NULL, 0, 0, 0, ALWAYS },
	{ "gc-log-2", "gc-2.log", STEP_OUTSIDE, 5, true, JFREC_TEXT_PLAIN, READS_COST, take_gc_log, NULL, 1, 0, 0, ALWAYS },
	{ "repository", "repository.jfr", STEP_OUTSIDE, 60, false, 0, READS_COST, take_repository, NULL, 0, 0, 0, ALWAYS },

	DUMP("threads-1", 0),
	REPLY("version", JFREC_TEXT_PLAIN, REPLY_COST, "VM.version"),
	REPLY("uptime", JFREC_TEXT_PLAIN, REPLY_COST, "VM.uptime"),
	REPLY("flags", JFREC_TEXT_FLAGS, REPLY_COST, "VM.flags -all"),
	{ "heap", "heap.txt", STEP_ASKS, 5, true, JFREC_TEXT_PLAIN, REPLY_COST, take_reply, "GC.heap_info", 0, 0, 9, ALWAYS },
	DUMP("threads-2", 1000),
	REPLY("properties", JFREC_TEXT_PROPERTIES, JAVA_COST, "VM.system_properties"),
	{ "native-memory", "native-memory.txt", STEP_ASKS, 5, true, JFREC_TEXT_PLAIN, REPLY_COST, take_native_memory, "VM.native_memory", 0, 0, 0, ALWAYS },
	DUMP("threads-3", 1000),
	{ "histogram", "histogram.txt", STEP_ASKS, 60, true, JFREC_TEXT_PLAIN, GC_COST, take_reply, "GC.class_histogram", 0, 0, 0, IF(histogram) },
	{ "heapdump", "heap.hprof", STEP_RECORDS, 600, false, 0, GC_COST, take_heap_dump, NULL, 0, 0, 0, IF(heapdump) },

	{ "recording", "recording.jfr", STEP_RECORDS, 0, false, 0, RECORD_COST, take_recording, NULL, 0, 0, 0, ALWAYS },
	{ "crash-log", "hs_err.log", STEP_AFTER, 5, true, JFREC_TEXT_CRASH, NO_COST, take_crash_log, NULL, 0, 0, 0, ALWAYS },
	{ "report", "report.html", STEP_AFTER, 60, false, 0, NO_COST, take_report, NULL, 0, 0, 0, ALWAYS },
};
/* clang-format on */

const size_t snapshot_step_count = sizeof(snapshot_steps) / sizeof(*snapshot_steps);

bool snapshot_step_is_wished(const struct snapshot_step *s, const struct snapshot_opts *o)
{
	return s->option == ALWAYS || *(const bool *)((const char *)o + s->option);
}
