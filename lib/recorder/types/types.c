/* SPDX-License-Identifier: MIT */
/*
 * types.c - the types of events, and the settings that count for them
 *
 * Everything is copied: modules with types may be unloaded.  What is here stays as long as the
 * process.
 */
#include "recorder/types/types.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/ground/bytes.h"
#include "recorder/ground/memory.h"
#include "recorder/types/borrowed.h"
#include "recorder/types/metadata.h"
#include "recorder/types/settings.h"

/* Above are the structures of metadata. */
#define MOST_TYPES  507u

uint8_t type_on[EVENT_TYPES];
_Atomic uint64_t type_threshold_ns[EVENT_TYPES];
_Atomic uint8_t type_stack[EVENT_TYPES];

static struct {
	pthread_mutex_t lock;
	struct type types[MOST_TYPES];
	uint32_t end;
	uint64_t version, settings_version;
	struct settings program; /* what jfrec_recorder_set() has set */
	struct used used[MOST_RECORDINGS]; /* of the recordings that run */
	size_t used_count;
	bool is_active;
	void (*first_came)(void);
	_Atomic bool has_classes;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

static const struct jfrec_event_field data_loss_fields[] = {
	{ "amount", "Amount", JFREC_EVENT_ULONG, JFREC_EVENT_BYTES },
	{ "total", "Total", JFREC_EVENT_ULONG, JFREC_EVENT_BYTES },
};
static const struct jfrec_event_field event_loss_fields[] = {
	{ "type", "Event Type", JFREC_EVENT_STRING, JFREC_EVENT_PLAIN },
	{ "count", "Lost Events", JFREC_EVENT_LONG, JFREC_EVENT_PLAIN },
};
static const struct jfrec_event_field active_setting_fields[] = {
	{ "id", "Event Id", JFREC_EVENT_LONG, JFREC_EVENT_PLAIN },
	{ "name", "Setting Name", JFREC_EVENT_STRING, JFREC_EVENT_PLAIN },
	{ "value", "Setting Value", JFREC_EVENT_STRING, JFREC_EVENT_PLAIN },
};
static const struct jfrec_event_field active_recording_fields[] = {
	{ "id", "Id", JFREC_EVENT_LONG, JFREC_EVENT_PLAIN },
	{ "name", "Name", JFREC_EVENT_STRING, JFREC_EVENT_PLAIN },
	{ "destination", "Destination", JFREC_EVENT_STRING, JFREC_EVENT_PLAIN },
	{ "disk", "To Disk", JFREC_EVENT_BOOL, JFREC_EVENT_PLAIN },
	{ "maxAge", "Max Age", JFREC_EVENT_LONG, JFREC_EVENT_MILLISECONDS },
	{ "flushInterval", "Flush Interval", JFREC_EVENT_LONG, JFREC_EVENT_MILLISECONDS },
	{ "maxSize", "Max Size", JFREC_EVENT_LONG, JFREC_EVENT_BYTES },
	{ "recordingStart", "Start Time", JFREC_EVENT_LONG, JFREC_EVENT_EPOCH_MILLIS },
	{ "recordingDuration", "Recording Duration", JFREC_EVENT_LONG, JFREC_EVENT_MILLISECONDS },
};

static const struct jfrec_event_field execution_sample_fields[] = {
	{ "sampledThread", "Thread", (enum jfrec_event_kind)KIND_THREAD, JFREC_EVENT_PLAIN },
	{ "stackTrace", "Stack Trace", (enum jfrec_event_kind)KIND_STACK, JFREC_EVENT_PLAIN },
	{ "state", "Thread State", (enum jfrec_event_kind)KIND_THREAD_STATE, JFREC_EVENT_PLAIN },
};
static const struct jfrec_event_field samples_lost_fields[] = {
	{ "lost", "Lost Samples", JFREC_EVENT_LONG, JFREC_EVENT_PLAIN },
	{ "failed", "Failed Samples", JFREC_EVENT_LONG, JFREC_EVENT_PLAIN },
	{ "truncated", "Truncated Stacks", JFREC_EVENT_LONG, JFREC_EVENT_PLAIN },
};

static const struct jfrec_event_field cpu_load_fields[] = {
	{ "jvmUser", "JVM User", JFREC_EVENT_FLOAT, JFREC_EVENT_PERCENTAGE },
	{ "jvmSystem", "JVM System", JFREC_EVENT_FLOAT, JFREC_EVENT_PERCENTAGE },
	{ "machineTotal", "Machine Total", JFREC_EVENT_FLOAT, JFREC_EVENT_PERCENTAGE },
};
static const struct jfrec_event_field thread_cpu_load_fields[] = {
	{ "eventThread", "Event Thread", (enum jfrec_event_kind)KIND_THREAD, JFREC_EVENT_PLAIN },
	{ "user", "User Mode CPU Load", JFREC_EVENT_FLOAT, JFREC_EVENT_PERCENTAGE },
	{ "system", "System Mode CPU Load", JFREC_EVENT_FLOAT, JFREC_EVENT_PERCENTAGE },
};
static const struct jfrec_event_field switch_rate_fields[] = {
	{ "switchRate", "Switch Rate", JFREC_EVENT_FLOAT, JFREC_EVENT_HERTZ },
};
static const struct jfrec_event_field resident_fields[] = {
	{ "size", "Resident Set Size", JFREC_EVENT_ULONG, JFREC_EVENT_BYTES },
	{ "peak", "Resident Set Size Peak Value", JFREC_EVENT_ULONG, JFREC_EVENT_BYTES },
};
static const struct jfrec_event_field memory_fields[] = {
	{ "totalSize", "Total Size", JFREC_EVENT_ULONG, JFREC_EVENT_BYTES },
	{ "usedSize", "Used Size", JFREC_EVENT_ULONG, JFREC_EVENT_BYTES },
};
static const struct jfrec_event_field swap_fields[] = {
	{ "totalSize", "Total Size", JFREC_EVENT_LONG, JFREC_EVENT_BYTES },
	{ "freeSize", "Free Size", JFREC_EVENT_LONG, JFREC_EVENT_BYTES },
};
static const struct jfrec_event_field jvm_fields[] = {
	{ "jvmName", "JVM Name", JFREC_EVENT_STRING, JFREC_EVENT_PLAIN },
	{ "jvmVersion", "JVM Version", JFREC_EVENT_STRING, JFREC_EVENT_PLAIN },
	{ "jvmArguments", "JVM Command Line Arguments", JFREC_EVENT_STRING, JFREC_EVENT_PLAIN },
	{ "jvmFlags", "JVM Settings File Arguments", JFREC_EVENT_STRING, JFREC_EVENT_PLAIN },
	{ "javaArguments", "Java Application Arguments", JFREC_EVENT_STRING, JFREC_EVENT_PLAIN },
	{ "jvmStartTime", "JVM Start Time", JFREC_EVENT_LONG, JFREC_EVENT_EPOCH_MILLIS },
	{ "pid", "Process Identifier", JFREC_EVENT_LONG, JFREC_EVENT_PLAIN },
};
static const struct jfrec_event_field os_fields[] = {
	{ "osVersion", "OS Version", JFREC_EVENT_STRING, JFREC_EVENT_PLAIN },
};
static const struct jfrec_event_field library_fields[] = {
	{ "name", "Name", JFREC_EVENT_STRING, JFREC_EVENT_PLAIN },
	{ "baseAddress", "Base Address", JFREC_EVENT_ULONG, JFREC_EVENT_ADDRESS },
	{ "topAddress", "Top Address", JFREC_EVENT_ULONG, JFREC_EVENT_ADDRESS },
};
static const struct jfrec_event_field variable_fields[] = {
	{ "key", "Key", JFREC_EVENT_STRING, JFREC_EVENT_PLAIN },
	{ "value", "Value", JFREC_EVENT_STRING, JFREC_EVENT_PLAIN },
};

static const struct jfrec_event_field processor_fields[] = {
	{ "cpu", "Type", JFREC_EVENT_STRING, JFREC_EVENT_PLAIN },
	{ "description", "Description", JFREC_EVENT_STRING, JFREC_EVENT_PLAIN },
	{ "sockets", "Sockets", JFREC_EVENT_UINT, JFREC_EVENT_PLAIN },
	{ "cores", "Cores", JFREC_EVENT_UINT, JFREC_EVENT_PLAIN },
	{ "hwThreads", "Hardware Threads", JFREC_EVENT_UINT, JFREC_EVENT_PLAIN },
};
static const struct jfrec_event_field module_fields[] = {
	{ "name", "Name", JFREC_EVENT_STRING, JFREC_EVENT_PLAIN },
	{ "path", "Path", JFREC_EVENT_STRING, JFREC_EVENT_PLAIN },
	{ "buildId", "Build ID", JFREC_EVENT_STRING, JFREC_EVENT_PLAIN },
	{ "baseAddress", "Base Address", JFREC_EVENT_ULONG, JFREC_EVENT_ADDRESS },
	{ "topAddress", "Top Address", JFREC_EVENT_ULONG, JFREC_EVENT_ADDRESS },
};
static const struct jfrec_event_field network_fields[] = {
	{ "networkInterface", "Network Interface", JFREC_EVENT_STRING, JFREC_EVENT_PLAIN },
	{ "readRate", "Read Rate", JFREC_EVENT_LONG, (enum jfrec_event_unit)UNIT_BITS_A_SECOND },
	{ "writeRate", "Write Rate", JFREC_EVENT_LONG, (enum jfrec_event_unit)UNIT_BITS_A_SECOND },
};
static const struct jfrec_event_field thread_statistics_fields[] = {
	{ "activeCount", "Active Threads", JFREC_EVENT_LONG, JFREC_EVENT_PLAIN },
	{ "daemonCount", "Daemon Threads", JFREC_EVENT_LONG, JFREC_EVENT_PLAIN },
	{ "accumulatedCount", "Accumulated Threads", JFREC_EVENT_LONG, JFREC_EVENT_PLAIN },
	{ "peakCount", "Peak Threads", JFREC_EVENT_LONG, JFREC_EVENT_PLAIN },
};
static const struct jfrec_event_field fault_fields[] = {
	{ "minor", "Minor Faults Since Start", JFREC_EVENT_LONG, JFREC_EVENT_PLAIN },
	{ "major", "Major Faults Since Start", JFREC_EVENT_LONG, JFREC_EVENT_PLAIN },
};
static const struct jfrec_event_field own_switch_fields[] = {
	{ "voluntary", "Voluntary Switches Since Start", JFREC_EVENT_LONG, JFREC_EVENT_PLAIN },
	{ "involuntary", "Involuntary Switches Since Start", JFREC_EVENT_LONG, JFREC_EVENT_PLAIN },
};
static const struct jfrec_event_field descriptor_fields[] = {
	{ "open", "Open Descriptors", JFREC_EVENT_LONG, JFREC_EVENT_PLAIN },
	{ "limit", "Limit", JFREC_EVENT_LONG, JFREC_EVENT_PLAIN },
};
static const struct jfrec_event_field allocator_fields[] = {
	{ "size", "Size", JFREC_EVENT_ULONG, JFREC_EVENT_BYTES },
	{ "used", "Used", JFREC_EVENT_ULONG, JFREC_EVENT_BYTES },
	{ "free", "Free", JFREC_EVENT_ULONG, JFREC_EVENT_BYTES },
	{ "mapped", "Mapped", JFREC_EVENT_ULONG, JFREC_EVENT_BYTES },
};
static const struct jfrec_event_field container_fields[] = {
	{ "containerType", "Container Type", JFREC_EVENT_STRING, JFREC_EVENT_PLAIN },
	{ "cpuSlicePeriod", "CPU Slice Period", JFREC_EVENT_LONG, (enum jfrec_event_unit)UNIT_MICROSECONDS },
	{ "cpuQuota", "CPU Quota", JFREC_EVENT_LONG, (enum jfrec_event_unit)UNIT_MICROSECONDS },
	{ "cpuShares", "CPU Shares", JFREC_EVENT_LONG, JFREC_EVENT_PLAIN },
	{ "effectiveCpuCount", "Effective CPU Count", JFREC_EVENT_LONG, JFREC_EVENT_PLAIN },
	{ "memorySoftLimit", "Memory Soft Limit", JFREC_EVENT_LONG, JFREC_EVENT_BYTES },
	{ "memoryLimit", "Memory Limit", JFREC_EVENT_LONG, JFREC_EVENT_BYTES },
	{ "swapMemoryLimit", "Memory and Swap Limit", JFREC_EVENT_LONG, JFREC_EVENT_BYTES },
	{ "hostTotalMemory", "Container Host Total Memory", JFREC_EVENT_LONG, JFREC_EVENT_BYTES },
	{ "hostTotalSwapMemory", "Container Host Total Swap Memory", JFREC_EVENT_LONG, JFREC_EVENT_BYTES },
};
static const struct jfrec_event_field container_cpu_fields[] = {
	{ "cpuTime", "CPU Time", JFREC_EVENT_LONG, JFREC_EVENT_NANOSECONDS },
	{ "cpuUserTime", "CPU User Time", JFREC_EVENT_LONG, JFREC_EVENT_NANOSECONDS },
	{ "cpuSystemTime", "CPU System Time", JFREC_EVENT_LONG, JFREC_EVENT_NANOSECONDS },
};
static const struct jfrec_event_field throttling_fields[] = {
	{ "cpuElapsedSlices", "CPU Elapsed Slices", JFREC_EVENT_LONG, JFREC_EVENT_PLAIN },
	{ "cpuThrottledSlices", "CPU Throttled Slices", JFREC_EVENT_LONG, JFREC_EVENT_PLAIN },
	{ "cpuThrottledTime", "CPU Throttled Time", JFREC_EVENT_LONG, JFREC_EVENT_NANOSECONDS },
};
static const struct jfrec_event_field container_memory_fields[] = {
	{ "memoryFailCount", "Memory Fail Count", JFREC_EVENT_LONG, JFREC_EVENT_PLAIN },
	{ "memoryUsage", "Memory Usage", JFREC_EVENT_LONG, JFREC_EVENT_BYTES },
	{ "swapMemoryUsage", "Memory and Swap Usage", JFREC_EVENT_LONG, JFREC_EVENT_BYTES },
};

static const struct jfrec_event_field container_io_fields[] = {
	{ "serviceRequests", "Block IO Request Count", JFREC_EVENT_LONG, JFREC_EVENT_PLAIN },
	{ "dataTransferred", "Block IO Transfer", JFREC_EVENT_LONG, JFREC_EVENT_BYTES },
};
#define FIELD_OF_THREAD(name, label)                                               \
	{                                                                          \
		name, label, (enum jfrec_event_kind)KIND_THREAD, JFREC_EVENT_PLAIN \
	}
#define FIELD_OF_STACK { "stackTrace", "Stack Trace", (enum jfrec_event_kind)KIND_STACK, JFREC_EVENT_PLAIN }
static const struct jfrec_event_field thread_start_fields[] = {
	FIELD_OF_THREAD("eventThread", "Event Thread"),
	FIELD_OF_STACK,
	FIELD_OF_THREAD("thread", "New Java Thread"),
	FIELD_OF_THREAD("parentThread", "Parent Java Thread"),
};
static const struct jfrec_event_field thread_end_fields[] = {
	FIELD_OF_THREAD("eventThread", "Event Thread"),
	FIELD_OF_THREAD("thread", "Java Thread"),
};
static const struct jfrec_event_field shutdown_fields[] = {
	FIELD_OF_THREAD("eventThread", "Event Thread"),
	FIELD_OF_STACK,
	{ "reason", "Reason", JFREC_EVENT_STRING, JFREC_EVENT_PLAIN },
};
static const struct jfrec_event_field trouble_fields[] = {
	{ "message", "Message", JFREC_EVENT_STRING, JFREC_EVENT_PLAIN },
	{ "failed", "Failed Flushes", JFREC_EVENT_LONG, JFREC_EVENT_PLAIN },
};

#define OBSERVED(name, label, category, flags, fields)                                 \
	{ sizeof(struct jfrec_event_type), name, label, category, NULL, flags, 0, fields, \
	  sizeof(fields) / sizeof(fields[0]), NULL, 0 }

#define OWN(name, label, description, fields)                                                   \
	{ sizeof(struct jfrec_event_type), name, label, "Flight Recorder", description, 0, 0, \
	  fields, sizeof(fields) / sizeof(fields[0]), NULL, 0 }

/* In the order of enum own_type; those of the JDK have its fields. */
static const struct jfrec_event_type own_types[] = {
	OWN("jdk.DataLoss", "Data Loss", "Events found no room in the buffers", data_loss_fields),
	OWN("jfrec.Loss", "Lost Events", "Events of one type that found no room", event_loss_fields),
	OWN("jdk.ActiveSetting", "Recording Setting", NULL, active_setting_fields),
	OWN("jdk.ActiveRecording", "Flight Recording", NULL, active_recording_fields),
	{ sizeof(struct jfrec_event_type), "jdk.ExecutionSample", "Method Profiling Sample",
	  "Java Virtual Machine,Profiling", "Snapshot of a threads state", JFREC_EVENT_STARTS_OFF, 0,
	  execution_sample_fields, 3, NULL, 0 },
	{ sizeof(struct jfrec_event_type), "jdk.NativeMethodSample", "Native Sample",
	  "Java Virtual Machine,Profiling", "Snapshot of a thread that waits", JFREC_EVENT_STARTS_OFF, 0,
	  execution_sample_fields, 3, NULL, 0 },
	OWN("jfrec.SamplesLost", "Lost Samples",
	    "Samples for which there was no room, whose stacks could not be read, and whose outer frames "
	    "are missing",
	    samples_lost_fields),
	OBSERVED("jdk.CPULoad", "CPU Load", "Operating System,Processor", 0, cpu_load_fields),
	OBSERVED("jdk.ThreadCPULoad", "Thread CPU Load", "Operating System,Processor", 0,
		 thread_cpu_load_fields),
	OBSERVED("jdk.ThreadContextSwitchRate", "Thread Context Switch Rate", "Operating System,Processor", 0,
		 switch_rate_fields),
	OBSERVED("jdk.ResidentSetSize", "Resident Set Size", "Java Virtual Machine,Memory", 0,
		 resident_fields),
	OBSERVED("jdk.PhysicalMemory", "Physical Memory", "Operating System,Memory", 0, memory_fields),
	OBSERVED("jdk.SwapSpace", "Swap Space", "Operating System,Memory", 0, swap_fields),
	OBSERVED("jdk.JVMInformation", "JVM Information", "Java Virtual Machine", 0, jvm_fields),
	OBSERVED("jdk.OSInformation", "OS Information", "Operating System", 0, os_fields),
	OBSERVED("jdk.NativeLibrary", "Native Library", "Java Virtual Machine,Runtime", 0, library_fields),
	OBSERVED("jdk.InitialEnvironmentVariable", "Initial Environment Variable", "Operating System",
		 JFREC_EVENT_STARTS_OFF, variable_fields),
	OBSERVED("jfrec.Module", "Module", "Java Virtual Machine,Runtime", 0, module_fields),
	OBSERVED("jdk.CPUInformation", "CPU Information", "Operating System,Processor", 0, processor_fields),
	OBSERVED("jdk.NetworkUtilization", "Network Utilization", "Operating System,Network", 0,
		 network_fields),
	OBSERVED("jdk.JavaThreadStatistics", "Java Thread Statistics", "Java Application,Statistics", 0,
		 thread_statistics_fields),
	OBSERVED("jfrec.PageFaults", "Page Faults", "Operating System,Memory", 0, fault_fields),
	OBSERVED("jfrec.ContextSwitches", "Context Switches", "Operating System,Processor", 0,
		 own_switch_fields),
	OBSERVED("jfrec.Descriptors", "File Descriptors", "Operating System", 0, descriptor_fields),
	/* Its locks are those of malloc(). */
	OBSERVED("jfrec.Allocator", "Allocator", "Operating System,Memory", JFREC_EVENT_STARTS_OFF,
		 allocator_fields),
	OBSERVED("jdk.ContainerConfiguration", "Container Configuration", "Operating System", 0,
		 container_fields),
	OBSERVED("jdk.ContainerCPUUsage", "CPU Usage", "Operating System,Processor", 0, container_cpu_fields),
	OBSERVED("jdk.ContainerCPUThrottling", "CPU Throttling", "Operating System,Processor", 0,
		 throttling_fields),
	OBSERVED("jdk.ContainerMemoryUsage", "Container Memory Usage", "Operating System,Memory", 0,
		 container_memory_fields),
	OBSERVED("jdk.ContainerIOUsage", "Container IO Usage", "Operating System,File System", 0,
		 container_io_fields),
	OBSERVED("jdk.ThreadStart", "Java Thread Start", "Java Application", 0, thread_start_fields),
	OBSERVED("jdk.ThreadEnd", "Java Thread End", "Java Application", 0, thread_end_fields),
	OBSERVED("jdk.Shutdown", "JVM Shutdown", "Java Virtual Machine,Runtime", 0, shutdown_fields),
	OWN("jfrec.Trouble", "Trouble", "Events could not be written at once", trouble_fields),
};

/* Those that settings decide about, and their usual periods. */
static const struct {
	uint32_t id;
	uint64_t period_ns;
} optional[] = {
	{ TYPE_EXECUTION_SAMPLE, 20000000 },
	{ TYPE_BLOCKED_SAMPLE, 100000000 },
	{ TYPE_CPU_LOAD, 1000000000 },
	{ TYPE_THREAD_CPU_LOAD, 10000000000 },
	{ TYPE_CONTEXT_SWITCHES, 10000000000 },
	{ TYPE_RESIDENT_SET_SIZE, 1000000000 },
	{ TYPE_PHYSICAL_MEMORY, UINT64_MAX },
	{ TYPE_SWAP_SPACE, UINT64_MAX },
	{ TYPE_JVM_INFORMATION, UINT64_MAX },
	{ TYPE_OS_INFORMATION, UINT64_MAX },
	{ TYPE_NATIVE_LIBRARY, UINT64_MAX },
	{ TYPE_ENVIRONMENT_VARIABLE, UINT64_MAX },
	{ TYPE_MODULE, UINT64_MAX },
	{ TYPE_CPU_INFORMATION, UINT64_MAX },
	{ TYPE_NETWORK, 5000000000 },
	{ TYPE_THREAD_STATISTICS, 1000000000 },
	{ TYPE_PAGE_FAULTS, 10000000000 },
	{ TYPE_OWN_SWITCHES, 10000000000 },
	{ TYPE_DESCRIPTORS, 10000000000 },
	{ TYPE_ALLOCATOR, 10000000000 },
	{ TYPE_CONTAINER_CONFIGURATION, UINT64_MAX },
	{ TYPE_CONTAINER_CPU_USAGE, 30000000000 },
	{ TYPE_CONTAINER_CPU_THROTTLING, 30000000000 },
	{ TYPE_CONTAINER_MEMORY_USAGE, 30000000000 },
	{ TYPE_CONTAINER_IO_USAGE, 30000000000 },
	/* When it happens. */
	{ TYPE_THREAD_START, 0 },
	{ TYPE_THREAD_END, 0 },
	{ TYPE_SHUTDOWN, 0 },
};

void types_lock(void)
{
	pthread_mutex_lock(&all.lock);
}

void types_unlock(void)
{
	pthread_mutex_unlock(&all.lock);
}

void types_unlock_in_child(bool goes_on)
{
	if (!goes_on) {
		all.is_active = false;
		all.used_count = 0;
		memset(type_on, 0, sizeof(type_on));
	}
	pthread_mutex_init(&all.lock, NULL);
}

const struct type *types_get(uint32_t id)
{
	return id < all.end && all.types[id].name ? &all.types[id] : NULL;
}

bool types_have_classes(void)
{
	return all.has_classes;
}

bool type_has_duration(uint32_t id)
{
	return all.types[id].flags & JFREC_EVENT_HAS_DURATION;
}

uint32_t types_end(void)
{
	return all.end;
}

uint64_t types_version(void)
{
	return all.version;
}

uint64_t types_settings_version(void)
{
	return all.settings_version;
}

/* Types ---------------------------------------------------------------------------------------- */

/* One that is a copy. */
static void free_type(struct type *t)
{
	free((char *)t->name);
	free((char *)t->label);
	free((char *)t->category);
	free((char *)t->description);
	for (size_t i = 0; t->fields && i < t->field_count; i++) {
		free((char *)t->fields[i].name);
		free((char *)t->fields[i].label);
	}
	free((struct jfrec_event_field *)t->fields);
	*t = (struct type){ 0 };
}

/* *to: NULL for NULL. */
static bool copy_text(const char **to, const char *text)
{
	*to = text ? strdup(text) : NULL;
	return *to || !text;
}

static void take_flags(struct type *t, const struct jfrec_event_type *from)
{
	t->flags = from->flags;
	t->threshold_ns = t->default_threshold_ns = from->threshold_ns;
	t->is_enabled = !(from->flags & JFREC_EVENT_STARTS_OFF);
	t->period_ns = t->default_period_ns = UINT64_MAX;
	t->field_count = from->field_count;
}

static bool copy_fields(struct type *t, const struct jfrec_event_type *from)
{
	struct jfrec_event_field *to = calloc(from->field_count + 1, sizeof(*to));
	bool good = to != NULL;

	t->fields = to;
	for (size_t i = 0; i < from->field_count && good; i++) {
		to[i] = (struct jfrec_event_field){ .kind = from->fields[i].kind,
						    .unit = from->fields[i].unit };
		good = copy_text(&to[i].name, from->fields[i].name) &&
		       copy_text(&to[i].label, from->fields[i].label);
	}
	return good;
}

static bool copy_type(struct type *t, const struct jfrec_event_type *from)
{
	take_flags(t, from);
	return copy_text(&t->name, from->name) && copy_text(&t->label, from->label) &&
	       copy_text(&t->category, from->category) &&
	       copy_text(&t->description, from->description) && copy_fields(t, from);
}

static bool is_same(const struct type *t, const struct jfrec_event_type *other)
{
	if (t->field_count != other->field_count ||
	    (t->flags ^ other->flags) & (JFREC_EVENT_HAS_DURATION | JFREC_EVENT_HAS_STACK))
		return false;
	for (size_t i = 0; i < t->field_count; i++)
		if (t->fields[i].kind != other->fields[i].kind ||
		    strcmp(t->fields[i].name, other->fields[i].name))
			return false;
	return true;
}

/* Of the JDK's, as wrappers of what takes long have them; others may come at any rate. */
static bool is_borrowed(const char *name)
{
	return !strncmp(name, "jdk.", 4) || !strncmp(name, "java.", 5);
}

static bool has_own(void)
{
	for (uint32_t id = TYPE_FIRST_OF_PROGRAM; id < all.end; id++)
		if (!is_borrowed(all.types[id].name))
			return true;
	return false;
}

bool types_has_own(void)
{
	bool any;

	types_lock();
	any = has_own();
	types_unlock();
	return any;
}

void types_tell_own(void (*first_came)(void))
{
	types_lock();
	all.first_came = has_own() ? NULL : first_came;
	types_unlock();
}

/* Is it a name that expressions and other tools can work with? */
static bool is_name(const char *name, bool with_dots)
{
	bool begins = true;

	for (; name && *name; name++) {
		bool letter = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
			      *name == '_' || *name == '$';

		if (!letter && (begins || *name < '0' || *name > '9') &&
		    (begins || !with_dots || *name != '.'))
			return false;
		begins = *name == '.';
	}
	return name && !begins;
}

static bool is_sound(const struct jfrec_event_type *t)
{
	static const char *const taken[] = { "startTime", "duration", "eventThread", "stackTrace" };

	if (t->struct_size < sizeof(*t) || !is_name(t->name, true) || t->field_count > MOST_FIELDS)
		return false;
	if (is_borrowed(t->name))
		return borrowed_is_sound(t);
	for (size_t i = 0; i < t->field_count; i++) {
		if (!is_name(t->fields[i].name, false) ||
		    (unsigned)t->fields[i].kind > JFREC_EVENT_INTERNED ||
		    (unsigned)t->fields[i].unit > JFREC_EVENT_HERTZ)
			return false;
		for (size_t k = 0; k < sizeof(taken) / sizeof(taken[0]); k++)
			if (!strcmp(t->fields[i].name, taken[k]))
				return false;
	}
	return true;
}

static uint32_t keep(const struct type *t)
{
	for (size_t i = 0; i < t->field_count; i++)
		if ((unsigned)t->fields[i].kind == KIND_CLASS)
			all.has_classes = true;
	all.types[all.end] = *t;
	all.version++;
	all.settings_version++;
	return all.end++;
}

/* Under the lock.  The id, or 0. */
static uint32_t add(const struct jfrec_event_type *from)
{
	struct type t = { .has_thread = true };

	if (all.end < MOST_TYPES && copy_type(&t, from))
		return keep(&t);
	free_type(&t);
	return 0;
}

/* The recorder's own, whose texts stay. */
static void add_one_own(const struct jfrec_event_type *from)
{
	struct type t = { .name = from->name,
			  .label = from->label,
			  .category = from->category,
			  .description = from->description,
			  .fields = from->fields };

	take_flags(&t, from);
	keep(&t);
}

static void add_own(void)
{
	if (all.end)
		return;
	all.end = TYPE_DATA_LOSS;
	for (size_t i = 0; i < sizeof(own_types) / sizeof(own_types[0]); i++)
		add_one_own(&own_types[i]);
	for (size_t i = 0; i < sizeof(optional) / sizeof(optional[0]); i++) {
		all.types[optional[i].id].is_optional = true;
		all.types[optional[i].id].has_period = optional[i].period_ns != 0;
		all.types[optional[i].id].is_enabled = false;
		all.types[optional[i].id].period_ns = optional[i].period_ns;
		all.types[optional[i].id].default_period_ns = optional[i].period_ns;
	}
	/* Between them and those of programs is room for more of them. */
	all.end = TYPE_FIRST_OF_PROGRAM;
}

static uint32_t find(const char *name)
{
	for (uint32_t id = TYPE_DATA_LOSS; id < all.end; id++)
		if (all.types[id].name && !strcmp(all.types[id].name, name))
			return id;
	return 0;
}

void types_describe(void)
{
	uint32_t next = !atomic_load(&region->types_which);
	struct types_place *place = memory_types(next);
	struct bytes b = { 0 };

	if (!memory_is_whole())
		return;
	add_own();
	metadata_encode(&b, 0, all.version);
	if (!b.failed && b.size <= sizeof(place->bytes)) {
		memcpy(place->bytes, b.data, b.size);
		atomic_store(&place->size, (uint32_t)b.size);
		atomic_store(&region->types_which, next);
	}
	bytes_fini(&b);
}

void types_outgrow(void)
{
	types_lock();
	if (memory_is_small()) {
		memory_reserve_all();
		types_describe();
	}
	types_unlock();
}

/* Settings ------------------------------------------------------------------------------------- */

static struct effect default_of(const struct type *t)
{
	return (struct effect){ .is_enabled = !(t->flags & JFREC_EVENT_STARTS_OFF),
				.has_stack = t->flags & JFREC_EVENT_HAS_STACK,
				.threshold_ns = t->default_threshold_ns,
				.period_ns = t->default_period_ns };
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* What all recordings that run need: each gets at least what it asked for. */
static struct effect effect_on(const struct type *t)
{
	struct effect sum = { .threshold_ns = UINT64_MAX, .period_ns = UINT64_MAX }, one;

	for (size_t i = 0; i < all.used_count; i++) {
		one = default_of(t);
		settings_apply(all.used[i].first, t->name, &one);
		if (all.used[i].second)
			settings_apply(all.used[i].second, t->name, &one);
		if (!one.is_enabled)
			continue;
		sum.is_enabled = true;
		sum.has_stack |= one.has_stack;
		sum.threshold_ns = least(sum.threshold_ns, one.threshold_ns);
		sum.period_ns = least(sum.period_ns, one.period_ns);
	}
	if (sum.is_enabled)
		return sum;
	one = default_of(t);
	one.is_enabled = false;
	return one;
}

/* Under the lock: what the settings come to for this type. */
static void settle(uint32_t id)
{
	struct type *t = &all.types[id];
	struct effect e;
	uint8_t on;

	if (id < TYPE_FIRST_OF_PROGRAM && !t->is_optional)
		return;
	e = effect_on(t);
	t->is_enabled = e.is_enabled;
	t->has_stack = e.has_stack && t->flags & JFREC_EVENT_HAS_STACK;
	t->threshold_ns = e.threshold_ns;
	t->period_ns = e.period_ns;
	on = t->threshold_ns ? JFREC_EVENT_ON_LONG_ : JFREC_EVENT_ON_ALL_;
	if (!all.is_active || !t->is_enabled || id < TYPE_FIRST_OF_PROGRAM)
		on = JFREC_EVENT_ON_NONE_;
	atomic_store_explicit(&type_threshold_ns[id], t->threshold_ns, memory_order_relaxed);
	/* The place of the stack never changes, so that events that are written now stay whole. */
	atomic_store_explicit(&type_stack[id],
			      !(t->flags & JFREC_EVENT_HAS_STACK) ? STACK_NEVER
			      : t->has_stack			  ? STACK_ON
								  : STACK_OFF,
			      memory_order_relaxed);
	__atomic_store_n(&type_on[id], on, __ATOMIC_RELAXED);
}

static void settle_all(void)
{
	for (uint32_t id = TYPE_DATA_LOSS; id < all.end; id++)
		if (all.types[id].name)
			settle(id);
	all.settings_version++;
}

int types_set(const char *event, const char *setting, const char *value,
	      struct jfrec_recorder_error *err)
{
	int ret;

	if (!setting_is_known(setting) || !setting_is_valid(setting, value))
		return recorder_fail(err, EINVAL,
				     "%s#%s=%s is invalid; write enabled=true, enabled=false, "
				     "threshold=10ms, period=1s or stackTrace=false",
				     event, setting, value);
	types_lock();
	ret = settings_add(&all.program, event, setting, value);
	settle_all();
	types_unlock();
	return ret ? recorder_fail(err, ENOMEM, "no memory for a setting") : 0;
}

const struct settings *types_program_settings(void)
{
	return &all.program;
}

void types_use(const struct used *used, size_t count)
{
	types_lock();
	add_own();
	memcpy(all.used, used, count * sizeof(*used));
	all.used_count = count;
	settle_all();
	types_unlock();
}

uint64_t types_period(uint32_t id)
{
	uint64_t period;

	types_lock();
	period = all.is_active && all.types[id].is_enabled ? all.types[id].period_ns : 0;
	types_unlock();
	return period;
}

bool types_is_wanted(uint32_t id)
{
	bool is_wanted;

	types_lock();
	is_wanted = all.types[id].is_enabled;
	types_unlock();
	return is_wanted;
}

bool types_is_of_chunk(uint32_t id)
{
	bool is;

	types_lock();
	is = all.types[id].is_enabled && all.types[id].period_ns == UINT64_MAX;
	types_unlock();
	return is;
}

bool types_know(const char *event)
{
	bool known;

	types_lock();
	add_own();
	known = find(event) != 0;
	types_unlock();
	return known;
}

void types_activate(bool on)
{
	types_lock();
	all.is_active = on;
	add_own();
	if (on)
		types_describe();
	settle_all();
	types_unlock();
}

/* Of programs ---------------------------------------------------------------------------------- */

void jfrec_event_register(struct jfrec_event_type *type)
{
	void (*first_came)(void) = NULL;
	uint32_t id;

	if (!type || !is_sound(type))
		return;
	types_lock();
	add_own();
	id = find(type->name);
	if (!id) {
		id = add(type);
		if (id && all.is_active)
			types_describe();
	} else if (id < TYPE_FIRST_OF_PROGRAM || !is_same(&all.types[id], type)) {
		id = 0;
	}
	if (id && all.is_active && !is_borrowed(type->name)) {
		first_came = all.first_came;
		all.first_came = NULL;
	}
	if (id) {
		/* Threads of the recorder may meet a wrapper's type meanwhile. */
		__atomic_store_n(&type->id, id, __ATOMIC_RELAXED);
		__atomic_store_n(&type->on, &type_on[id], __ATOMIC_RELAXED);
		settle(id);
	}
	types_unlock();
	if (first_came)
		first_came();
}
