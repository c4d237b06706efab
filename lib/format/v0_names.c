/* SPDX-License-Identifier: MIT */
/*
 * v0_names.c - what the types of version 0.x and their fields are called in 2.x
 */
#include "format/v0_names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/digest.h"

#define HOTSPOT "http://www.oracle.com/hotspot/"
#define JVM	"Java Virtual Machine"

/* Longer names are cut. */
#define MAX_NAME 512

/* After all fields that have a place in the order of 2.x. */
#define MAX_LISTED 64

/* Ascending. */
static const struct v0_name names[] = {
	{ .path = "jdk/java/error_throw",
	  .name = "JavaErrorThrow",
	  .categories = "Java Application",
	  .order = "message thrownClass" },
	{ .path = "jdk/java/exception_throw",
	  .name = "JavaExceptionThrow",
	  .categories = "Java Application",
	  .order = "message thrownClass" },
	{ .path = "jdk/java/file_read",
	  .name = "FileRead",
	  .categories = "Java Application",
	  .order = "path bytesRead" },
	{ .path = "jdk/java/file_write",
	  .name = "FileWrite",
	  .categories = "Java Application",
	  .order = "path bytesWritten" },
	{ .path = "jdk/java/socket_read",
	  .name = "SocketRead",
	  .categories = "Java Application",
	  .order = "host address port timeout bytesRead" },
	{ .path = "jdk/java/socket_write",
	  .name = "SocketWrite",
	  .categories = "Java Application",
	  .order = "host address port bytesWritten" },
	{ .path = "jdk/java/statistics/throwables",
	  .name = "ExceptionStatistics",
	  .categories = "Java Application/Statistics" },
	{ .path = "jdk/java/x509_certificate",
	  .name = "X509Certificate",
	  .categories = "Java Development Kit/Security",
	  .order = "algorithm serialNumber subject issuer keyType keyLength "
		   "certificateId validFrom validUntil" },
	{ .path = "jfr-info/recordings/recording",
	  .name = "ActiveRecording",
	  .categories = "Flight Recorder",
	  .order = "id name destination maxAge maxSize startTime duration compress",
	  .renames = "startTime=recordingStart duration=recordingDuration" },
	{ .path = "jfr-info/recordings/recording_setting",
	  .name = "ActiveSetting",
	  .categories = "Flight Recorder" },
	{ .path = "jvm/java/monitor_enter",
	  .name = "JavaMonitorEnter",
	  .categories = "Java Application",
	  .renames = "klass=monitorClass" },
	{ .path = "jvm/java/monitor_wait",
	  .name = "JavaMonitorWait",
	  .categories = "Java Application",
	  .renames = "klass=monitorClass" },
	{ .path = "jvm/java/object_alloc_in_new_TLAB",
	  .name = "ObjectAllocationInNewTLAB",
	  .categories = "Java Application",
	  .renames = "class=objectClass" },
	{ .path = "jvm/java/object_alloc_outside_TLAB",
	  .name = "ObjectAllocationOutsideTLAB",
	  .categories = "Java Application",
	  .renames = "class=objectClass" },
	{ .path = "jvm/java/old_object",
	  .name = "OldObjectSample",
	  .categories = JVM "/Profiling" },
	{ .path = "jvm/java/statistics/class_loading",
	  .name = "ClassLoadingStatistics",
	  .categories = "Java Application/Statistics" },
	{ .path = "jvm/java/statistics/thread_allocation",
	  .name = "ThreadAllocationStatistics",
	  .categories = "Java Application/Statistics" },
	{ .path = "jvm/java/statistics/threads",
	  .name = "JavaThreadStatistics",
	  .categories = "Java Application/Statistics" },
	{ .path = "jvm/java/thread_end",
	  .name = "ThreadEnd",
	  .categories = "Java Application",
	  .renames = "javalangthread=thread" },
	{ .path = "jvm/java/thread_park",
	  .name = "ThreadPark",
	  .categories = "Java Application",
	  .renames = "klass=parkedClass" },
	{ .path = "jvm/java/thread_sleep",
	  .name = "ThreadSleep",
	  .categories = "Java Application" },
	{ .path = "jvm/java/thread_start",
	  .name = "ThreadStart",
	  .categories = "Java Application",
	  .renames = "javalangthread=thread" },
	{ .path = "jvm/os/information", .name = "OSInformation", .categories = "Operating System" },
	{ .path = "jvm/os/initial_environment_variable",
	  .name = "InitialEnvironmentVariable",
	  .categories = "Operating System" },
	{ .path = "jvm/os/memory/physical_memory",
	  .name = "PhysicalMemory",
	  .categories = "Operating System/Memory" },
	{ .path = "jvm/os/processor/context_switch_rate",
	  .name = "ThreadContextSwitchRate",
	  .categories = "Operating System/Processor" },
	{ .path = "jvm/os/processor/cpu_information",
	  .name = "CPUInformation",
	  .categories = "Operating System/Processor" },
	{ .path = "jvm/os/processor/cpu_load",
	  .name = "CPULoad",
	  .categories = "Operating System/Processor" },
	{ .path = "jvm/os/processor/cpu_tsc",
	  .name = "CPUTimeStampCounter",
	  .categories = "Operating System/Processor" },
	{ .path = "jvm/os/system_process",
	  .name = "SystemProcess",
	  .categories = "Operating System" },
	{ .path = "jvm/vm/class/load", .name = "ClassLoad", .categories = JVM "/Class Loading" },
	{ .path = "jvm/vm/class/unload",
	  .name = "ClassUnload",
	  .categories = JVM "/Class Loading" },
	{ .path = "jvm/vm/code_cache/config",
	  .name = "CodeCacheConfiguration",
	  .categories = JVM "/Code Cache" },
	{ .path = "jvm/vm/code_cache/full",
	  .name = "CodeCacheFull",
	  .categories = JVM "/Code Cache" },
	{ .path = "jvm/vm/code_cache/stats",
	  .name = "CodeCacheStatistics",
	  .categories = JVM "/Code Cache",
	  .order = "startAddress reservedTopAddress entryCount methodCount adaptorCount "
		   "unallocatedCapacity fullCount commitedTopAddress "
		   "largestFreeBlock" },
	{ .path = "jvm/vm/code_sweeper/config",
	  .name = "CodeSweeperConfiguration",
	  .categories = JVM "/Code Sweeper",
	  .order = "sweeperEnabled flushingEnabled fractionCount" },
	{ .path = "jvm/vm/code_sweeper/stats",
	  .name = "CodeSweeperStatistics",
	  .categories = JVM "/Code Sweeper" },
	{ .path = "jvm/vm/code_sweeper/sweep",
	  .name = "SweepCodeCache",
	  .categories = JVM "/Code Sweeper",
	  .order = "sweepIndex sweptCount flushedCount zombifiedCount "
		   "sweepFractionIndex markedCount",
	  .renames = "sweepIndex=sweepId" },
	{ .path = "jvm/vm/compiler/compilation",
	  .name = "Compilation",
	  .categories = JVM "/Compiler",
	  .renames = "compileID=compileId" },
	{ .path = "jvm/vm/compiler/config",
	  .name = "CompilerConfiguration",
	  .categories = JVM "/Compiler" },
	{ .path = "jvm/vm/compiler/failure",
	  .name = "CompilationFailure",
	  .categories = JVM "/Compiler",
	  .order = "failure compileID",
	  .renames = "failure=failureMessage compileID=compileId" },
	{ .path = "jvm/vm/compiler/phase",
	  .name = "CompilerPhase",
	  .categories = JVM "/Compiler",
	  .renames = "compileID=compileId" },
	{ .path = "jvm/vm/compiler/stats",
	  .name = "CompilerStatistics",
	  .categories = JVM "/Compiler" },
	{ .path = "jvm/vm/flag/boolean", .name = "BooleanFlag", .categories = JVM "/Flag" },
	{ .path = "jvm/vm/flag/boolean_changed",
	  .name = "BooleanFlagChanged",
	  .categories = JVM "/Flag",
	  .renames = "old_value=oldValue new_value=newValue" },
	{ .path = "jvm/vm/flag/double", .name = "DoubleFlag", .categories = JVM "/Flag" },
	{ .path = "jvm/vm/flag/double_changed",
	  .name = "DoubleFlagChanged",
	  .categories = JVM "/Flag",
	  .renames = "old_value=oldValue new_value=newValue" },
	{ .path = "jvm/vm/flag/int", .name = "IntFlag", .categories = JVM "/Flag" },
	{ .path = "jvm/vm/flag/int_changed",
	  .name = "IntFlagChanged",
	  .categories = JVM "/Flag",
	  .renames = "old_value=oldValue new_value=newValue" },
	{ .path = "jvm/vm/flag/long", .name = "LongFlag", .categories = JVM "/Flag" },
	{ .path = "jvm/vm/flag/long_changed",
	  .name = "LongFlagChanged",
	  .categories = JVM "/Flag",
	  .renames = "old_value=oldValue new_value=newValue" },
	{ .path = "jvm/vm/flag/string", .name = "StringFlag", .categories = JVM "/Flag" },
	{ .path = "jvm/vm/flag/string_changed",
	  .name = "StringFlagChanged",
	  .categories = JVM "/Flag",
	  .renames = "old_value=oldValue new_value=newValue" },
	{ .path = "jvm/vm/flag/uint", .name = "UnsignedIntFlag", .categories = JVM "/Flag" },
	{ .path = "jvm/vm/flag/uint_changed",
	  .name = "UnsignedIntFlagChanged",
	  .categories = JVM "/Flag",
	  .renames = "old_value=oldValue new_value=newValue" },
	{ .path = "jvm/vm/flag/ulong", .name = "UnsignedLongFlag", .categories = JVM "/Flag" },
	{ .path = "jvm/vm/flag/ulong_changed",
	  .name = "UnsignedLongFlagChanged",
	  .categories = JVM "/Flag",
	  .renames = "old_value=oldValue new_value=newValue" },
	{ .path = "jvm/vm/gc/collector/g1_garbage_collection",
	  .name = "G1GarbageCollection",
	  .categories = JVM "/GC/Collector" },
	{ .path = "jvm/vm/gc/collector/garbage_collection",
	  .name = "GarbageCollection",
	  .categories = JVM "/GC/Collector" },
	{ .path = "jvm/vm/gc/collector/old_garbage_collection",
	  .name = "OldGarbageCollection",
	  .categories = JVM "/GC/Collector" },
	{ .path = "jvm/vm/gc/collector/parold_garbage_collection",
	  .name = "ParallelOldGarbageCollection",
	  .categories = JVM "/GC/Collector" },
	{ .path = "jvm/vm/gc/collector/young_garbage_collection",
	  .name = "YoungGarbageCollection",
	  .categories = JVM "/GC/Collector" },
	{ .path = "jvm/vm/gc/configuration/gc",
	  .name = "GCConfiguration",
	  .categories = JVM "/GC/Configuration" },
	{ .path = "jvm/vm/gc/configuration/heap",
	  .name = "GCHeapConfiguration",
	  .categories = JVM "/GC/Configuration" },
	{ .path = "jvm/vm/gc/configuration/survivor",
	  .name = "GCSurvivorConfiguration",
	  .categories = JVM "/GC/Configuration" },
	{ .path = "jvm/vm/gc/configuration/tlab",
	  .name = "GCTLABConfiguration",
	  .categories = JVM "/GC/Configuration" },
	{ .path = "jvm/vm/gc/configuration/young_generation",
	  .name = "YoungGenerationConfiguration",
	  .categories = JVM "/GC/Configuration" },
	{ .path = "jvm/vm/gc/detailed/allocation_requiring_gc",
	  .name = "AllocationRequiringGC",
	  .categories = JVM "/GC/Detailed" },
	{ .path = "jvm/vm/gc/detailed/concurrent_mode_failure",
	  .name = "ConcurrentModeFailure",
	  .categories = JVM "/GC/Detailed" },
	{ .path = "jvm/vm/gc/detailed/evacuation_failed",
	  .name = "EvacuationFailed",
	  .categories = JVM "/GC/Detailed",
	  .renames = "data=evacuationFailed" },
	{ .path = "jvm/vm/gc/detailed/evacuation_info",
	  .name = "EvacuationInformation",
	  .categories = JVM "/GC/Detailed",
	  .renames = "allocRegionsUsedBefore=allocationRegionsUsedBefore "
		     "allocRegionsUsedAfter=allocationRegionsUsedAfter" },
	{ .path = "jvm/vm/gc/detailed/object_count",
	  .name = "ObjectCount",
	  .categories = JVM "/GC/Detailed",
	  .renames = "class=objectClass" },
	{ .path = "jvm/vm/gc/detailed/object_count_after_gc",
	  .name = "ObjectCountAfterGC",
	  .categories = JVM "/GC/Detailed",
	  .renames = "class=objectClass" },
	{ .path = "jvm/vm/gc/detailed/promotion_failed",
	  .name = "PromotionFailed",
	  .categories = JVM "/GC/Detailed",
	  .renames = "data=promotionFailed" },
	{ .path = "jvm/vm/gc/heap/metaspace_summary",
	  .name = "MetaspaceSummary",
	  .categories = JVM "/GC/Heap" },
	{ .path = "jvm/vm/gc/heap/ps_summary",
	  .name = "PSHeapSummary",
	  .categories = JVM "/GC/Heap" },
	{ .path = "jvm/vm/gc/heap/summary", .name = "GCHeapSummary", .categories = JVM "/GC/Heap" },
	{ .path = "jvm/vm/gc/metaspace/allocation_failure",
	  .name = "MetaspaceAllocationFailure",
	  .categories = JVM "/GC/Metaspace" },
	{ .path = "jvm/vm/gc/metaspace/chunk_free_list_summary",
	  .name = "MetaspaceChunkFreeListSummary",
	  .categories = JVM "/GC/Metaspace" },
	{ .path = "jvm/vm/gc/metaspace/gc_threshold",
	  .name = "MetaspaceGCThreshold",
	  .categories = JVM "/GC/Metaspace" },
	{ .path = "jvm/vm/gc/metaspace/out_of_memory",
	  .name = "MetaspaceOOM",
	  .categories = JVM "/GC/Metaspace" },
	{ .path = "jvm/vm/gc/phases/pause",
	  .name = "GCPhasePause",
	  .categories = JVM "/GC/Phases" },
	{ .path = "jvm/vm/gc/phases/pause_level_1",
	  .name = "GCPhasePauseLevel1",
	  .categories = JVM "/GC/Phases" },
	{ .path = "jvm/vm/gc/phases/pause_level_2",
	  .name = "GCPhasePauseLevel2",
	  .categories = JVM "/GC/Phases" },
	{ .path = "jvm/vm/gc/phases/pause_level_3",
	  .name = "GCPhasePauseLevel3",
	  .categories = JVM "/GC/Phases" },
	{ .path = "jvm/vm/gc/reference/statistics",
	  .name = "GCReferenceStatistics",
	  .categories = JVM "/GC/Reference" },
	{ .path = "jvm/vm/info", .name = "JVMInformation", .categories = JVM },
	{ .path = "jvm/vm/initial_system_property",
	  .name = "InitialSystemProperty",
	  .categories = JVM },
	{ .path = "jvm/vm/prof/execution_sample",
	  .name = "ExecutionSample",
	  .categories = JVM "/Profiling",
	  .order = "sampledThread state stackTrace" },
	{ .path = "jvm/vm/runtime/execute_vm_operation",
	  .name = "ExecuteVMOperation",
	  .categories = JVM "/Runtime" },
	{ .path = "jvm/vm/runtime/shutdown", .name = "Shutdown", .categories = JVM "/Runtime" },
	{ .path = "jvm/vm/runtime/thread_dump",
	  .name = "ThreadDump",
	  .categories = JVM "/Runtime" },
};

static int compare_path(const void *key, const void *row)
{
	return strcmp(key, ((const struct v0_name *)row)->path);
}

/* A row's path after HOTSPOT, if the producer's address and the event's path make one. */
const struct v0_name *v0_name_of(const struct v0_event *e)
{
	size_t host = strlen(HOTSPOT), rest;
	char path[80];

	if (e->uri.len < host || memcmp(e->uri.bytes, HOTSPOT, host) != 0)
		return NULL;
	rest = e->uri.len - host;
	if (rest + e->path.len >= sizeof(path))
		return NULL;
	memcpy(path, e->uri.bytes + host, rest);
	memcpy(path + rest, e->path.bytes, e->path.len);
	path[rest + e->path.len] = '\0';
	return bsearch(path, names, sizeof(names) / sizeof(*names), sizeof(*names), compare_path);
}

/* Texts ---------------------------------------------------------------------------------------- */

const char *v0_words(struct arena *a, struct v0_text t)
{
	char *words = arena_strndup(a, (const char *)t.bytes, t.len);

	for (uint32_t i = 0; words && i < t.len; i++) {
		if (words[i] == '\0')
			words[i] = '?';
	}
	return words;
}

/* The JDK's own reader refuses a type whose name has one of these in it. */
static bool is_keyword(const char *word, size_t len)
{
	static const char *const keywords[] = {
		"abstract",   "assert",	      "boolean",    "break",	"byte",	     "case",
		"catch",      "char",	      "class",	    "const",	"continue",  "default",
		"do",	      "double",	      "else",	    "enum",	"extends",   "false",
		"final",      "finally",      "float",	    "for",	"goto",	     "if",
		"implements", "import",	      "instanceof", "int",	"interface", "long",
		"native",     "new",	      "null",	    "package",	"private",   "protected",
		"public",     "return",	      "short",	    "static",	"strictfp",  "super",
		"switch",     "synchronized", "this",	    "throw",	"throws",    "transient",
		"true",	      "try",	      "void",	    "volatile", "while",     "_",
	};

	for (size_t i = 0; i < sizeof(keywords) / sizeof(*keywords); i++) {
		if (strlen(keywords[i]) == len && memcmp(keywords[i], word, len) == 0)
			return true;
	}
	return false;
}

/* A name that is put together of identifiers. */
struct made {
	char text[MAX_NAME];
	size_t len;
};

static void make_char(struct made *m, char c)
{
	if (m->len + 1 < sizeof(m->text))
		m->text[m->len++] = c;
}

/* One part, as an identifier. */
static void make_part(struct made *m, const char *part, size_t len)
{
	size_t begin;

	if (len == 0)
		return;
	if (m->len)
		make_char(m, '.');
	begin = m->len;
	if (isdigit((unsigned char)part[0]))
		make_char(m, '_');
	for (size_t i = 0; i < len; i++)
		make_char(m, isalnum((unsigned char)part[i]) || part[i] == '$' ? part[i] : '_');
	if (is_keyword(m->text + begin, m->len - begin))
		make_char(m, '_');
}

static const char *made(struct arena *a, const struct made *m)
{
	return arena_strndup(a, m->text, m->len);
}

/* The parts between slashes. */
static void make_path(struct made *m, const char *path, size_t len)
{
	const char *end = path + len, *slash;

	for (; path < end; path = slash + 1) {
		slash = memchr(path, '/', (size_t)(end - path));
		if (!slash)
			slash = end;
		make_part(m, path, (size_t)(slash - path));
	}
}

/* www.oracle.com: com, oracle. */
static void make_host(struct made *m, const char *host, size_t len)
{
	while (len) {
		size_t begin = len;

		while (begin && host[begin - 1] != '.')
			begin--;
		if (begin || len != 3 || memcmp(host, "www", 3) != 0)
			make_part(m, host + begin, len - begin);
		len = begin ? begin - 1 : 0;
	}
}

const char *v0_type_name(struct arena *a, const struct v0_event *e)
{
	const struct v0_name *known = v0_name_of(e);
	const char *uri = (const char *)e->uri.bytes, *end = uri + e->uri.len, *host, *path;
	struct made m = { .len = 0 };

	if (known) {
		make_part(&m, "jdk", 3);
		make_part(&m, known->name, strlen(known->name));
		return made(a, &m);
	}
	host = memmem(uri, e->uri.len, "://", 3);
	if (host) {
		host += 3;
		path = memchr(host, '/', (size_t)(end - host));
		make_host(&m, host, (size_t)((path ? path : end) - host));
		uri = path ? path : end;
	}
	make_path(&m, uri, (size_t)(end - uri));
	make_path(&m, (const char *)e->path.bytes, e->path.len);
	if (m.len == 0)
		make_part(&m, "event", 5);
	return made(a, &m);
}

/* Fields --------------------------------------------------------------------------------------- */

/* The word of a list that begins with the id, followed by `ends` or nothing; or NULL. */
static const char *find_word(const char *list, struct v0_text id, char ends, unsigned *place)
{
	*place = 0;
	for (const char *at = list; at && *at; at += *at == ' ', ++*place) {
		size_t word = strcspn(at, " ");
		const char *end = ends ? memchr(at, ends, word) : at + word;

		if (end && (size_t)(end - at) == id.len && memcmp(at, id.bytes, id.len) == 0)
			return at;
		at += word;
	}
	return NULL;
}

/* Add a number until the name is unique. */
static const char *unique(struct arena *a, struct digest_map *taken, const char *name, size_t len)
{
	struct made m = { .len = 0 };
	size_t base;

	make_part(&m, name, len);
	if (m.len == 0)
		make_part(&m, "field", 5);
	base = m.len < MAX_NAME - 16 ? m.len : MAX_NAME - 16;
	for (unsigned n = 2;; n++) {
		struct digest d = DIGEST_INIT;
		uint64_t *place;

		digest_bytes(&d, m.text, m.len);
		place = digest_map_put(taken, d);
		if (!place)
			return NULL;
		if (!*place) {
			*place = 1;
			return made(a, &m);
		}
		m.len = base + (size_t)snprintf(m.text + base, 16, "_%u", n);
	}
}

static bool take(struct digest_map *taken, const char *name)
{
	struct digest d = DIGEST_INIT;
	uint64_t *place;

	digest_bytes(&d, name, strlen(name));
	place = digest_map_put(taken, d);
	if (place)
		*place = 1;
	return place;
}

/* The names of what the event has before its fields. */
static bool take_common(struct digest_map *taken, const struct v0_event *e)
{
	return take(taken, "startTime") && (!e->has_start || take(taken, "duration")) &&
	       (!e->has_thread || take(taken, "eventThread")) &&
	       (!e->has_stack || take(taken, "stackTrace"));
}

struct ordered {
	struct v0_field field;
	unsigned place;
};

static int by_place(const void *one, const void *other)
{
	const struct ordered *a = one, *b = other;

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	return a->field.value < b->field.value ? -1 : a->field.value > b->field.value;
}

static bool name_fields(struct arena *a, const struct v0_structure *s, const struct v0_name *known,
			struct digest_map *taken, struct ordered *fields)
{
	for (uint32_t i = 0; i < s->count; i++) {
		struct v0_text id = s->values[i].id;
		const char *name = (const char *)id.bytes, *renamed = NULL;
		size_t len = id.len;
		unsigned place = 0;

		if (known)
			renamed = find_word(known->renames, id, '=', &place);
		if (renamed) {
			name = renamed + id.len + 1;
			len = strcspn(name, " ");
		}
		if (!known || !find_word(known->order, id, '\0', &place))
			place = MAX_LISTED;
		fields[i] = (struct ordered){ { .value = i, .name = unique(a, taken, name, len) },
					      place };
		if (!fields[i].field.name)
			return false;
	}
	return true;
}

struct v0_field *v0_fields_of(struct arena *a, const struct v0_structure *s,
			      const struct v0_event *e)
{
	struct ordered *ordered = calloc((size_t)s->count + 1, sizeof(*ordered));
	struct v0_field *fields = arena_alloc(a, ((size_t)s->count + 1) * sizeof(*fields));
	struct digest_map taken = { 0 };

	if (!ordered || !fields || (e && !take_common(&taken, e)) ||
	    !name_fields(a, s, e ? v0_name_of(e) : NULL, &taken, ordered))
		fields = NULL;
	if (fields && s->count)
		qsort(ordered, s->count, sizeof(*ordered), by_place);
	for (uint32_t i = 0; fields && i < s->count; i++)
		fields[i] = ordered[i].field;
	digest_map_fini(&taken);
	free(ordered);
	return fields;
}

/* The rest ------------------------------------------------------------------------------------- */

/* "code_cache": Code Cache. */
static const char *title(struct arena *a, const char *part, size_t len)
{
	char *words = arena_strndup(a, part, len);

	for (size_t i = 0; words && i < len; i++) {
		if (words[i] == '_' || words[i] == '\0')
			words[i] = ' ';
		else if (i == 0 || words[i - 1] == ' ')
			words[i] = (char)toupper((unsigned char)words[i]);
	}
	return words;
}

const char *v0_category(struct arena *a, const struct v0_event *e, unsigned i)
{
	const struct v0_name *known = v0_name_of(e);
	const char *at = known ? known->categories : (const char *)e->path.bytes, *end, *slash;

	end = at + (known ? strlen(at) : e->path.len);
	for (;; i--) {
		slash = at < end ? memchr(at, '/', (size_t)(end - at)) : NULL;
		/* The last part of a path is the event. */
		if (!slash && !known)
			return NULL;
		if (!slash)
			slash = end;
		if (i == 0)
			break;
		if (slash == end)
			return NULL;
		at = slash + 1;
	}
	return known ? arena_strndup(a, at, (size_t)(slash - at))
		     : title(a, at, (size_t)(slash - at));
}

/* Does it have these values, and no others? */
static bool has_values(const struct v0_structure *s, const char *const ids[])
{
	uint32_t n = 0;

	for (; ids[n]; n++) {
		if (n >= s->count || !v0_text_is(s->values[n].id, ids[n]))
			return false;
	}
	return n == s->count;
}

const char *v0_structure_name(struct arena *a, const struct v0_structure *s)
{
	static const struct {
		const char *name;
		const char *ids[6];
	} known[] = {
		{ "jdk.types.VirtualSpace",
		  { "start", "committedEnd", "committedSize", "reservedEnd", "reservedSize",
		    NULL } },
		{ "jdk.types.ObjectSpace", { "start", "end", "used", "size", NULL } },
		{ "jdk.types.CopyFailed",
		  { "objectCount", "firstSize", "smallestSize", "totalSize", NULL } },
		{ "jdk.types.MetaspaceSizes", { "committed", "used", "reserved", NULL } },
		{ "jdk.types.MetaspaceSizes", { "capacity", "used", "reserved", NULL } },
	};
	char name[64];
	int len;

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (has_values(s, known[i].ids))
			return known[i].name;
	}
	len = snprintf(name, sizeof(name), "jdk.types.Struct_%u_%u", s->producer, s->index);
	return arena_strndup(a, name, (size_t)len);
}

const char *v0_content_name(struct arena *a, const struct v0_content *k)
{
	struct made m = { .len = 0 };

	make_part(&m, "jdk", 3);
	make_part(&m, "types", 5);
	if (v0_text_is(k->name, "NARROW_OOP_MODE"))
		make_part(&m, "NarrowOopMode", 13);
	else if (k->name.len)
		make_part(&m, (const char *)k->name.bytes, k->name.len);
	else
		make_part(&m, "Constant", 8);
	return made(a, &m);
}
