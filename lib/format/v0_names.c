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

/* Behind all fields that have a place in the order of 2.x. */
#define MAX_LISTED 64

/* Ascending. */
static const struct v0_name names[] = {
	{ "jdk/java/error_throw", "JavaErrorThrow", "Java Application",
	  .order = "message thrownClass" },
	{ "jdk/java/exception_throw", "JavaExceptionThrow", "Java Application",
	  .order = "message thrownClass" },
	{ "jdk/java/file_read", "FileRead", "Java Application",
	  .order = "path bytesRead" },
	{ "jdk/java/file_write", "FileWrite", "Java Application",
	  .order = "path bytesWritten" },
	{ "jdk/java/socket_read", "SocketRead", "Java Application",
	  .order = "host address port timeout bytesRead" },
	{ "jdk/java/socket_write", "SocketWrite", "Java Application",
	  .order = "host address port bytesWritten" },
	{ "jdk/java/statistics/throwables", "ExceptionStatistics",
	  "Java Application/Statistics" },
	{ "jdk/java/x509_certificate", "X509Certificate", "Java Development Kit/Security",
	  .order = "algorithm serialNumber subject issuer keyType keyLength "
		   "certificateId validFrom validUntil" },
	{ "jfr-info/recordings/recording", "ActiveRecording", "Flight Recorder",
	  .order = "id name destination maxAge maxSize startTime duration compress",
	  .renames = "startTime=recordingStart duration=recordingDuration" },
	{ "jfr-info/recordings/recording_setting", "ActiveSetting", "Flight Recorder" },
	{ "jvm/java/monitor_enter", "JavaMonitorEnter", "Java Application",
	  .renames = "klass=monitorClass" },
	{ "jvm/java/monitor_wait", "JavaMonitorWait", "Java Application",
	  .renames = "klass=monitorClass" },
	{ "jvm/java/object_alloc_in_new_TLAB", "ObjectAllocationInNewTLAB",
	  "Java Application",
	  .renames = "class=objectClass" },
	{ "jvm/java/object_alloc_outside_TLAB", "ObjectAllocationOutsideTLAB",
	  "Java Application",
	  .renames = "class=objectClass" },
	{ "jvm/java/old_object", "OldObjectSample", JVM "/Profiling" },
	{ "jvm/java/statistics/class_loading", "ClassLoadingStatistics",
	  "Java Application/Statistics" },
	{ "jvm/java/statistics/thread_allocation", "ThreadAllocationStatistics",
	  "Java Application/Statistics" },
	{ "jvm/java/statistics/threads", "JavaThreadStatistics",
	  "Java Application/Statistics" },
	{ "jvm/java/thread_end", "ThreadEnd", "Java Application",
	  .renames = "javalangthread=thread" },
	{ "jvm/java/thread_park", "ThreadPark", "Java Application",
	  .renames = "klass=parkedClass" },
	{ "jvm/java/thread_sleep", "ThreadSleep", "Java Application" },
	{ "jvm/java/thread_start", "ThreadStart", "Java Application",
	  .renames = "javalangthread=thread" },
	{ "jvm/os/information", "OSInformation", "Operating System" },
	{ "jvm/os/initial_environment_variable", "InitialEnvironmentVariable",
	  "Operating System" },
	{ "jvm/os/memory/physical_memory", "PhysicalMemory", "Operating System/Memory" },
	{ "jvm/os/processor/context_switch_rate", "ThreadContextSwitchRate",
	  "Operating System/Processor" },
	{ "jvm/os/processor/cpu_information", "CPUInformation", "Operating System/Processor" },
	{ "jvm/os/processor/cpu_load", "CPULoad", "Operating System/Processor" },
	{ "jvm/os/processor/cpu_tsc", "CPUTimeStampCounter", "Operating System/Processor" },
	{ "jvm/os/system_process", "SystemProcess", "Operating System" },
	{ "jvm/vm/class/load", "ClassLoad", JVM "/Class Loading" },
	{ "jvm/vm/class/unload", "ClassUnload", JVM "/Class Loading" },
	{ "jvm/vm/code_cache/config", "CodeCacheConfiguration", JVM "/Code Cache" },
	{ "jvm/vm/code_cache/full", "CodeCacheFull", JVM "/Code Cache" },
	{ "jvm/vm/code_cache/stats", "CodeCacheStatistics", JVM "/Code Cache",
	  .order = "startAddress reservedTopAddress entryCount methodCount adaptorCount "
		   "unallocatedCapacity fullCount commitedTopAddress "
		   "largestFreeBlock" },
	{ "jvm/vm/code_sweeper/config", "CodeSweeperConfiguration", JVM "/Code Sweeper",
	  .order = "sweeperEnabled flushingEnabled fractionCount" },
	{ "jvm/vm/code_sweeper/stats", "CodeSweeperStatistics", JVM "/Code Sweeper" },
	{ "jvm/vm/code_sweeper/sweep", "SweepCodeCache", JVM "/Code Sweeper",
	  .order = "sweepIndex sweptCount flushedCount zombifiedCount "
		   "sweepFractionIndex markedCount",
	  .renames = "sweepIndex=sweepId" },
	{ "jvm/vm/compiler/compilation", "Compilation", JVM "/Compiler",
	  .renames = "compileID=compileId" },
	{ "jvm/vm/compiler/config", "CompilerConfiguration", JVM "/Compiler" },
	{ "jvm/vm/compiler/failure", "CompilationFailure", JVM "/Compiler",
	  .order = "failure compileID",
	  .renames = "failure=failureMessage compileID=compileId" },
	{ "jvm/vm/compiler/phase", "CompilerPhase", JVM "/Compiler",
	  .renames = "compileID=compileId" },
	{ "jvm/vm/compiler/stats", "CompilerStatistics", JVM "/Compiler" },
	{ "jvm/vm/flag/boolean", "BooleanFlag", JVM "/Flag" },
	{ "jvm/vm/flag/boolean_changed", "BooleanFlagChanged", JVM "/Flag",
	  .renames = "old_value=oldValue new_value=newValue" },
	{ "jvm/vm/flag/double", "DoubleFlag", JVM "/Flag" },
	{ "jvm/vm/flag/double_changed", "DoubleFlagChanged", JVM "/Flag",
	  .renames = "old_value=oldValue new_value=newValue" },
	{ "jvm/vm/flag/int", "IntFlag", JVM "/Flag" },
	{ "jvm/vm/flag/int_changed", "IntFlagChanged", JVM "/Flag",
	  .renames = "old_value=oldValue new_value=newValue" },
	{ "jvm/vm/flag/long", "LongFlag", JVM "/Flag" },
	{ "jvm/vm/flag/long_changed", "LongFlagChanged", JVM "/Flag",
	  .renames = "old_value=oldValue new_value=newValue" },
	{ "jvm/vm/flag/string", "StringFlag", JVM "/Flag" },
	{ "jvm/vm/flag/string_changed", "StringFlagChanged", JVM "/Flag",
	  .renames = "old_value=oldValue new_value=newValue" },
	{ "jvm/vm/flag/uint", "UnsignedIntFlag", JVM "/Flag" },
	{ "jvm/vm/flag/uint_changed", "UnsignedIntFlagChanged", JVM "/Flag",
	  .renames = "old_value=oldValue new_value=newValue" },
	{ "jvm/vm/flag/ulong", "UnsignedLongFlag", JVM "/Flag" },
	{ "jvm/vm/flag/ulong_changed", "UnsignedLongFlagChanged", JVM "/Flag",
	  .renames = "old_value=oldValue new_value=newValue" },
	{ "jvm/vm/gc/collector/g1_garbage_collection", "G1GarbageCollection",
	  JVM "/GC/Collector" },
	{ "jvm/vm/gc/collector/garbage_collection", "GarbageCollection", JVM "/GC/Collector" },
	{ "jvm/vm/gc/collector/old_garbage_collection", "OldGarbageCollection",
	  JVM "/GC/Collector" },
	{ "jvm/vm/gc/collector/parold_garbage_collection", "ParallelOldGarbageCollection",
	  JVM "/GC/Collector" },
	{ "jvm/vm/gc/collector/young_garbage_collection", "YoungGarbageCollection",
	  JVM "/GC/Collector" },
	{ "jvm/vm/gc/configuration/gc", "GCConfiguration", JVM "/GC/Configuration" },
	{ "jvm/vm/gc/configuration/heap", "GCHeapConfiguration", JVM "/GC/Configuration" },
	{ "jvm/vm/gc/configuration/survivor", "GCSurvivorConfiguration",
	  JVM "/GC/Configuration" },
	{ "jvm/vm/gc/configuration/tlab", "GCTLABConfiguration", JVM "/GC/Configuration" },
	{ "jvm/vm/gc/configuration/young_generation", "YoungGenerationConfiguration",
	  JVM "/GC/Configuration" },
	{ "jvm/vm/gc/detailed/allocation_requiring_gc", "AllocationRequiringGC",
	  JVM "/GC/Detailed" },
	{ "jvm/vm/gc/detailed/concurrent_mode_failure", "ConcurrentModeFailure",
	  JVM "/GC/Detailed" },
	{ "jvm/vm/gc/detailed/evacuation_failed", "EvacuationFailed", JVM "/GC/Detailed",
	  .renames = "data=evacuationFailed" },
	{ "jvm/vm/gc/detailed/evacuation_info", "EvacuationInformation", JVM "/GC/Detailed",
	  .renames = "allocRegionsUsedBefore=allocationRegionsUsedBefore "
		   "allocRegionsUsedAfter=allocationRegionsUsedAfter" },
	{ "jvm/vm/gc/detailed/object_count", "ObjectCount", JVM "/GC/Detailed",
	  .renames = "class=objectClass" },
	{ "jvm/vm/gc/detailed/object_count_after_gc", "ObjectCountAfterGC",
	  JVM "/GC/Detailed",
	  .renames = "class=objectClass" },
	{ "jvm/vm/gc/detailed/promotion_failed", "PromotionFailed", JVM "/GC/Detailed",
	  .renames = "data=promotionFailed" },
	{ "jvm/vm/gc/heap/metaspace_summary", "MetaspaceSummary", JVM "/GC/Heap" },
	{ "jvm/vm/gc/heap/ps_summary", "PSHeapSummary", JVM "/GC/Heap" },
	{ "jvm/vm/gc/heap/summary", "GCHeapSummary", JVM "/GC/Heap" },
	{ "jvm/vm/gc/metaspace/allocation_failure", "MetaspaceAllocationFailure",
	  JVM "/GC/Metaspace" },
	{ "jvm/vm/gc/metaspace/chunk_free_list_summary", "MetaspaceChunkFreeListSummary",
	  JVM "/GC/Metaspace" },
	{ "jvm/vm/gc/metaspace/gc_threshold", "MetaspaceGCThreshold", JVM "/GC/Metaspace" },
	{ "jvm/vm/gc/metaspace/out_of_memory", "MetaspaceOOM", JVM "/GC/Metaspace" },
	{ "jvm/vm/gc/phases/pause", "GCPhasePause", JVM "/GC/Phases" },
	{ "jvm/vm/gc/phases/pause_level_1", "GCPhasePauseLevel1", JVM "/GC/Phases" },
	{ "jvm/vm/gc/phases/pause_level_2", "GCPhasePauseLevel2", JVM "/GC/Phases" },
	{ "jvm/vm/gc/phases/pause_level_3", "GCPhasePauseLevel3", JVM "/GC/Phases" },
	{ "jvm/vm/gc/reference/statistics", "GCReferenceStatistics", JVM "/GC/Reference" },
	{ "jvm/vm/info", "JVMInformation", JVM },
	{ "jvm/vm/initial_system_property", "InitialSystemProperty", JVM },
	{ "jvm/vm/prof/execution_sample", "ExecutionSample", JVM "/Profiling",
	  .order = "sampledThread state stackTrace" },
	{ "jvm/vm/runtime/execute_vm_operation", "ExecuteVMOperation", JVM "/Runtime" },
	{ "jvm/vm/runtime/shutdown", "Shutdown", JVM "/Runtime" },
	{ "jvm/vm/runtime/thread_dump", "ThreadDump", JVM "/Runtime" },
};

static int compare_path(const void *key, const void *row)
{
	return strcmp(key, ((const struct v0_name *)row)->path);
}

/* A row's path behind HOTSPOT, if the producer's address and the event's path make one. */
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
		"abstract", "assert",	  "boolean",  "break",	    "byte",	  "case",
		"catch",    "char",	  "class",    "const",	    "continue",	  "default",
		"do",	    "double",	  "else",     "enum",	    "extends",	  "false",
		"final",    "finally",	  "float",    "for",	    "goto",	  "if",
		"implements", "import",	  "instanceof", "int",	    "interface",  "long",
		"native",   "new",	  "null",     "package",    "private",	  "protected",
		"public",   "return",	  "short",    "static",	    "strictfp",	  "super",
		"switch",   "synchronized", "this",   "throw",	    "throws",	  "transient",
		"true",	    "try",	  "void",     "volatile",   "while",	  "_",
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

/* The word of a list that begins with the id, and has `ends` or nothing behind it; or NULL. */
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

/* Add a number until nobody else is called so. */
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

static bool take_common(struct digest_map *taken)
{
	static const char *const common[] = { "startTime", "duration", "eventThread", "stackTrace" };

	for (size_t i = 0; i < sizeof(common) / sizeof(*common); i++) {
		struct digest d = DIGEST_INIT;
		uint64_t *place;

		digest_bytes(&d, common[i], strlen(common[i]));
		place = digest_map_put(taken, d);
		if (!place)
			return false;
		*place = 1;
	}
	return true;
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
		fields[i] = (struct ordered){
			{ .value = i, .name = unique(a, taken, name, len) }, place
		};
		if (!fields[i].field.name)
			return false;
	}
	return true;
}

struct v0_field *v0_fields_of(struct arena *a, const struct v0_structure *s, bool is_event,
			      const struct v0_name *known)
{
	struct ordered *ordered = calloc((size_t)s->count + 1, sizeof(*ordered));
	struct v0_field *fields = arena_alloc(a, ((size_t)s->count + 1) * sizeof(*fields));
	struct digest_map taken = { 0 };

	/* ExecutionSample has a stack trace of its own, and none that all events have. */
	if (!ordered || !fields || (is_event && !known && !take_common(&taken)) ||
	    !name_fields(a, s, known, &taken, ordered))
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
		  { "start", "committedEnd", "committedSize", "reservedEnd", "reservedSize", NULL } },
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
