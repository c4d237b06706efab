/* SPDX-License-Identifier: MIT */
/*
 * facts.c - facts about a JVM and its machine that several rules need
 */
#include "analyze/facts.h"

#include <stdlib.h>

#include "analyze/engine.h"
#include "base/array.h"
#include "format/equivalents.h"

#define KEEP(e, list, count, room, ...)                       \
	do {                                                  \
		if (!array_push(list, count, room, __VA_ARGS__)) \
			event_no_memory(e);                   \
	} while (0)

/* So many collections, summaries and values of load are kept, and so many flags. */
#define MAX_KEPT  500000
#define MAX_FLAGS 4096

/* A number that was read, or what was known before. */
static int64_t known(int64_t read, int64_t before)
{
	return read == NO_NUMBER ? before : read;
}

/* The JVM -------------------------------------------------------------------------------------- */

enum { JVM_INFORMATION, SYSTEM_PROPERTY };

static const struct reads jvm_inputs[] = {
	READS("jdk.JVMInformation", HELPS, "jvmVersion", "jvmName", "jvmArguments", "pid", "jvmStartTime"),
	READS("jdk.InitialSystemProperty", HELPS, "key", "value"),
	{ 0 },
};

static void take_jvm(void *state, const struct event *e)
{
	struct facts *f = state;
	uint32_t text;

	if (e->input == SYSTEM_PROPERTY) {
		if (strcmp(event_text_of(e, event_text(e, 0)), "java.vm.specification.version") == 0)
			f->spec_version = event_text(e, 1);
		return;
	}
	if ((text = event_text(e, 0)))
		f->version = text;
	if ((text = event_text(e, 1)))
		f->vm = text;
	f->jvm_arguments = event_text(e, 2);
	f->pid = known(event_long(e, 3), f->pid);
	f->jvm_start_ns = known(event_long(e, 4), f->jvm_start_ns);
}

static const struct reads flag_inputs[] = {
	READS("jdk.BooleanFlag", HELPS, "name", "origin", "value"),
	READS("jdk.IntFlag", HELPS, "name", "origin", "value"),
	READS("jdk.UnsignedIntFlag", HELPS, "name", "origin", "value"),
	READS("jdk.LongFlag", HELPS, "name", "origin", "value"),
	READS("jdk.UnsignedLongFlag", HELPS, "name", "origin", "value"),
	READS("jdk.StringFlag", HELPS, "name", "origin", "value"),
	{ 0 },
};

static void take_flag(void *state, const struct event *e)
{
	struct facts *f = state;
	struct flag flag = { event_text(e, 0), event_text(e, 1), event_long(e, 2),
			     event_text(e, 2) };
	uint32_t place = idmap_get(&f->flag_places, flag.name);

	if (place != IDMAP_NONE) {
		f->flags[place] = flag;
		return;
	}
	if (f->flag_count == MAX_FLAGS)
		return;
	if (!idmap_put(&f->flag_places, flag.name, (uint32_t)f->flag_count))
		event_no_memory(e);
	else
		KEEP(e, f->flags, f->flag_count, f->flag_room, flag);
}

enum { CPU_INFORMATION, CONTAINER, OS_INFORMATION };

static const struct reads machine_inputs[] = {
	READS("jdk.CPUInformation", HELPS, "hwThreads", "cpu", "description"),
	READS("jdk.ContainerConfiguration", HELPS, "effectiveCpuCount", "cpuQuota", "cpuSlicePeriod"),
	READS("jdk.OSInformation", HELPS, "osVersion"),
	{ 0 },
};

static enum system system_of(const char *version)
{
	if (strstr(version, "Windows"))
		return SYSTEM_WINDOWS;
	if (strstr(version, "Darwin") || strstr(version, "macOS") || strstr(version, "Bsduname"))
		return SYSTEM_MACOS;
	return strstr(version, "Linux") || strstr(version, "DISTRIB") || strstr(version, "uname") ||
			       strstr(version, "NAME=")
		       ? SYSTEM_LINUX
		       : SYSTEM_UNKNOWN;
}

static bool is_of_arm(const char *text)
{
	return strcasestr(text, "aarch64") || strcasestr(text, "arm64") || strstr(text, "Apple");
}

static void take_machine(void *state, const struct event *e)
{
	struct facts *f = state;

	if (e->input == CPU_INFORMATION) {
		/* A profiler in a container may say fewer. */
		if (event_long(e, 0) > f->hw_threads)
			f->hw_threads = event_long(e, 0);
		f->is_arm |= is_of_arm(event_text_of(e, event_text(e, 1))) ||
			     is_of_arm(event_text_of(e, event_text(e, 2)));
		return;
	}
	if (e->input == OS_INFORMATION) {
		f->system = system_of(event_text_of(e, event_text(e, 0)));
		return;
	}
	f->has_container = true;
	f->effective_cpus = known(event_long(e, 0), f->effective_cpus);
	f->cpu_quota_ns = known(event_long(e, 1), f->cpu_quota_ns);
	f->cpu_period_ns = known(event_long(e, 2), f->cpu_period_ns);
}

/* Collectors ----------------------------------------------------------------------------------- */

enum { GC_CONFIGURATION, HEAP_CONFIGURATION };

static const struct reads collector_inputs[] = {
	READS("jdk.GCConfiguration", HELPS, "youngCollector", "oldCollector", "parallelGCThreads"),
	READS("jdk.GCHeapConfiguration", HELPS, "maxSize", "usesCompressedOops", "heapAddressBits"),
	{ 0 },
};

static void take_collector(void *state, const struct event *e)
{
	struct facts *f = state;

	if (e->input == GC_CONFIGURATION) {
		f->young_collector = event_text(e, 0);
		f->old_collector = event_text(e, 1);
		f->parallel_gc_threads = known(event_long(e, 2), f->parallel_gc_threads);
		return;
	}
	f->heap_max = known(event_long(e, 0), f->heap_max);
	f->uses_compressed_oops = known(event_long(e, 1), f->uses_compressed_oops);
	f->heap_address_bits = known(event_long(e, 2), f->heap_address_bits);
}

enum { PAUSE, COLLECTION, HEAP_SUMMARY, GC_CPU };

static const struct reads gc_inputs[] = {
	READS("jdk.GCPhasePause", HELPS, "gcId", "name"),
	READS("jdk.GarbageCollection", HELPS, "gcId", "name", "cause", "sumOfPauses", "longestPause"),
	READS("jdk.GCHeapSummary", HELPS, "gcId", "when", "heapUsed", "heapSpace.committedSize"),
	READS("jdk.GCCPUTime", HELPS, "userTime", "systemTime", "realTime"),
	{ 0 },
};

static void take_gc_cpu(struct facts *f, const struct event *e)
{
	double cpu = event_number(e, 0) + event_number(e, 1), real = event_number(e, 2);

	if (cpu >= 0 && real >= 0) {
		f->gc_cpu_ns += cpu;
		f->gc_real_ns += real;
	}
}

static void take_gc(void *state, const struct event *e)
{
	struct facts *f = state;
	uint64_t id = (uint64_t)event_long(e, 0);

	if (e->input == GC_CPU) {
		take_gc_cpu(f, e);
	} else if (e->input == PAUSE) {
		spans_add(&f->pauses, e,
			  (struct span_of){ e->start_ns, e->end_ns, id, event_text(e, 1), 0 });
	} else if (e->input == COLLECTION && f->collection_count < MAX_KEPT) {
		KEEP(e, f->collections, f->collection_count, f->collection_room,
		     (struct collection){ .start_ns = e->start_ns,
					  .end_ns = e->end_ns,
					  .pauses_ns = event_long(e, 3),
					  .longest_ns = event_long(e, 4),
					  .id = id,
					  .name = event_text(e, 1),
					  .cause = event_text(e, 2) });
	} else if (e->input == HEAP_SUMMARY && f->heap_count < MAX_KEPT) {
		KEEP(e, f->heap, f->heap_count, f->heap_room,
		     (struct heap_use){ .at_ns = e->start_ns,
					.id = id,
					.is_after = strcmp(event_text_of(e, event_text(e, 1)),
							   "After GC") == 0,
					.used = event_long(e, 2),
					.committed = event_long(e, 3) });
	}
}

static const struct reads allocated_inputs[] = { ALLOCATED_INPUTS, { 0 } };

static void take_allocated(void *state, const struct event *e)
{
	allocated_take(&((struct facts *)state)->allocated, e);
}

/* Load ----------------------------------------------------------------------------------------- */

enum { CPU_LOAD, CLASS_LOADING, THREAD_LOAD };

static const struct reads load_inputs[] = {
	READS("jdk.CPULoad", HELPS, "jvmUser", "jvmSystem", "machineTotal"),
	READS("jdk.ClassLoadingStatistics", HELPS, "loadedClassCount", "unloadedClassCount"),
	READS("jdk.ThreadCPULoad", HELPS, "eventThread", "user", "system"),
	{ 0 },
};

static void take_load(void *state, const struct event *e)
{
	struct facts *f = state;

	if (e->input == CLASS_LOADING) {
		series_add(&f->loaded, e, e->start_ns, event_number(e, 0));
		series_add(&f->unloaded, e, e->start_ns, event_number(e, 1));
	} else if (e->input == THREAD_LOAD) {
		thread_loads_take(&f->thread_loads, e);
	} else if (f->load_count < MAX_KEPT) {
		KEEP(e, f->load, f->load_count, f->load_room,
		     (struct cpu_load){ e->start_ns,
					(float)(event_number(e, 0) + event_number(e, 1)),
					(float)event_number(e, 2) });
	}
}

/* Clocks --------------------------------------------------------------------------------------- */

static const struct reads overlap_inputs[] = { OVERLAP_INPUTS, { 0 } };

static void take_overlap(void *state, const struct event *e)
{
	overlaps_take(&((struct facts *)state)->overlaps, e);
}

/* The recorder --------------------------------------------------------------------------------- */

static const struct reads loss_inputs[] = {
	READS("jdk.DataLoss", HELPS, "amount", "total"),
	{ 0 },
};

static void take_loss(void *state, const struct event *e)
{
	struct facts *f = state;
	int64_t amount = event_long(e, 0), total = event_long(e, 1);

	f->lost_events++;
	if (amount > 0)
		f->lost_bytes += amount;
	if (total > f->lost_largest_total)
		f->lost_largest_total = total;
	if (e->start_ns < f->lost_from_ns)
		f->lost_from_ns = e->start_ns;
}

static const struct reads setting_inputs[] = {
	READS("jdk.ActiveSetting", HELPS, "id", "name", "value"),
	{ 0 },
};

/* A setting names a type by its number in that chunk. */
static void take_setting(void *state, const struct event *e)
{
	const struct jfrec_type *t =
		metadata_type(e->view->chunk->metadata, (uint64_t)event_long(e, 0));
	char buffer[JDK_NAME_MAX];

	(void)state;
	if (t && t->is_event)
		type_note_setting(e->view->jvm, e,
				  event_put_text(e, jdk_name_of(t->name, buffer)),
				  event_text(e, 1), event_text(e, 2));
}

const struct fact_reader fact_readers[] = {
	{ setting_inputs, take_setting, true },
	{ jvm_inputs, take_jvm, true },
	{ flag_inputs, take_flag, true },
	{ machine_inputs, take_machine, true },
	{ collector_inputs, take_collector, true },
	{ gc_inputs, take_gc, false },
	{ allocated_inputs, take_allocated, false },
	{ load_inputs, take_load, false },
	{ overlap_inputs, take_overlap, false },
	{ loss_inputs, take_loss, false },
	{ 0 },
};

/* In the end ----------------------------------------------------------------------------------- */

void facts_init(struct facts *f)
{
	*f = (struct facts){
		.start_ns = INT64_MAX,
		.end_ns = INT64_MIN,
		.pid = -1,
		.jvm_start_ns = NO_NUMBER,
		.hw_threads = -1,
		.effective_cpus = -1,
		.cpu_quota_ns = -1,
		.cpu_period_ns = -1,
		.parallel_gc_threads = -1,
		.heap_max = -1,
		.uses_compressed_oops = -1,
		.heap_address_bits = -1,
		.warm_ns = NO_NUMBER,
		.lost_from_ns = INT64_MAX,
		.thread_loads = { .first_ns = INT64_MAX, .last_ns = INT64_MIN },
	};
}

void facts_fini(struct facts *f)
{
	free(f->chunks);
	free(f->flags);
	idmap_fini(&f->flag_places);
	spans_fini(&f->pauses);
	free(f->collections);
	free(f->heap);
	allocated_fini(&f->allocated);
	free(f->load);
	series_fini(&f->loaded);
	series_fini(&f->unloaded);
	overlaps_fini(&f->overlaps);
}

#define COMPARE_BY(type, name, member)                                 \
	static int name(const void *a, const void *b)                  \
	{                                                              \
		const type *x = a, *y = b;                             \
                                                                       \
		return (x->member > y->member) - (x->member < y->member); \
	}
COMPARE_BY(struct collection, compare_collections, start_ns)
COMPARE_BY(struct cpu_load, compare_loads, at_ns)
COMPARE_BY(struct chunk_fact, compare_chunks, start_ns)

static int compare_heap(const void *a, const void *b)
{
	const struct heap_use *x = a, *y = b;

	if (x->at_ns != y->at_ns)
		return x->at_ns < y->at_ns ? -1 : 1;
	return x->is_after - y->is_after;
}

#define SORT(list, count, compare)                                    \
	do {                                                          \
		if (count)                                            \
			qsort(list, count, sizeof(*(list)), compare); \
	} while (0)

/*
 * "1.8.0_302-b08", "25.0.3+9-LTS": the feature release; also from "OpenJDK ... (25.0.3+9-LTS) for
 * linux-amd64 JRE (25.0.3+9-LTS)".
 */
static int feature_of(const char *text)
{
	const char *jre = strstr(text, "JRE (");
	char *end;
	long n;

	text = jre ? jre + strlen("JRE (") : text + strcspn(text, "0123456789");
	n = strtol(text, &end, 10);
	/* "25.144-b01" is how HotSpot of JDK 8 called itself. */
	if ((n == 24 || n == 25) && *end == '.' && strstr(end, "-b") && !strchr(end, '+'))
		return (int)n - 17;
	if (n == 1 && *end == '.')
		n = strtol(end + 1, &end, 10);
	return n > 0 && n < 1000 ? (int)n : 0;
}

/* Which JDK has these types first, where nothing says it. */
static int jdk_by_types(const struct jvm *jvm)
{
	static const struct {
		const char *type;
		int jdk;
	} since[] = {
		{ "jdk.CPUTimeSample", 25 },	       { "jdk.VirtualThreadPinned", 21 },
		{ "jdk.ContainerConfiguration", 17 }, { "jdk.SystemGC", 17 },
		{ "jdk.X509Certificate", 11 },
	};
	const struct names *n = &jvm->analysis->names;

	for (size_t i = 0; i < sizeof(since) / sizeof(*since); i++) {
		for (size_t k = 0; k < jvm->type_count; k++) {
			if (jvm->types[k].is_declared &&
			    strcmp(n->book.names.list[jvm->types[k].name].text, since[i].type) == 0)
				return since[i].jdk;
		}
	}
	return 0;
}

static void find_version(struct jvm *jvm)
{
	const struct name *names = jvm->analysis->names.book.names.list;
	struct facts *f = &jvm->facts;

	/* The recorder says one for the tools of JDKs. */
	if (f->is_native)
		return;
	if (f->version)
		f->jdk = feature_of(names[f->version].text);
	if (!f->jdk && f->spec_version)
		f->jdk = feature_of(names[f->spec_version].text);
	if (!f->jdk)
		f->jdk = jdk_by_types(jvm);
	f->is_hotspot = !f->vm || strstr(names[f->vm].text, "HotSpot") ||
			strstr(names[f->vm].text, "OpenJDK") || strstr(names[f->vm].text, "Server VM");
}

/* Start-up is over when 90 % of all classes are loaded, and not before 10 s. */
static void find_warm_up(struct facts *f)
{
	double most = series_max(&f->loaded, NULL);
	int64_t began = f->jvm_start_ns != NO_NUMBER ? f->jvm_start_ns : f->start_ns;

	for (size_t i = 0; i < f->loaded.count; i++) {
		if (f->loaded.list[i].value >= 0.9 * most) {
			f->warm_ns = f->loaded.list[i].at_ns;
			break;
		}
	}
	if (f->warm_ns != NO_NUMBER && f->warm_ns < began + INT64_C(10000000000))
		f->warm_ns = began + INT64_C(10000000000);
}

/* Chunks of one recording follow each other, but files of years may have been joined. */
static void find_length(struct facts *f, const struct bounds *b)
{
	int64_t end = f->start_ns;

	for (size_t i = 0; i < f->chunk_count; i++) {
		int64_t from = f->chunks[i].start_ns, to = f->chunks[i].end_ns;

		from = from > end ? from : end;
		from = from > b->from_ns ? from : b->from_ns;
		to = to < b->to_ns ? to : b->to_ns;
		if (to <= from)
			continue;
		f->recorded_ns = long_add(f->recorded_ns, long_subtract(to, from));
		end = to;
	}
}

/*
 * On macOS with ARM the times of a process come in ticks of its clock, 125/3 ns, and HotSpot takes
 * them for nanoseconds: jvmUser and jvmSystem are 41.67 times too small. JDK 18 is the last where
 * it was seen. Others are found out by what threads used.
 */
static void check_load(struct jvm *jvm)
{
	struct facts *f = &jvm->facts;
	struct judging j = { .facts = f, .analysis = jvm->analysis, .jvm = jvm };
	double threads = busy_by_threads(&j, false), process = busy_cpus(&j);

	f->load_is_wrong = f->load_count &&
			   ((f->system == SYSTEM_MACOS && f->is_arm && f->jdk && f->jdk <= 20) ||
			    (threads > 0.5 && threads > 5 * process));
	if (f->load_is_wrong)
		f->load_count = 0;
}

void facts_finish(struct jvm *jvm)
{
	struct facts *f = &jvm->facts;
	const struct judging j = { .facts = f, .analysis = jvm->analysis, .jvm = jvm };

	spans_sort(&f->pauses);
	series_sort(&f->loaded);
	series_sort(&f->unloaded);
	SORT(f->collections, f->collection_count, compare_collections);
	SORT(f->heap, f->heap_count, compare_heap);
	SORT(f->load, f->load_count, compare_loads);
	SORT(f->chunks, f->chunk_count, compare_chunks);
	find_length(f, &jvm->analysis->bounds);
	allocated_finish(&f->allocated);
	overlaps_finish(&f->overlaps);
	find_version(jvm);
	find_warm_up(f);
	check_load(jvm);
	f->heap_state = find_heap_state(&j);
}
