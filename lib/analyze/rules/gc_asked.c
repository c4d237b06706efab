/* SPDX-License-Identifier: MIT */
/*
 * gc_asked.c - who asks for collections: System.gc(), tools, sections of native code
 */
#include "analyze/rules.h"

/* The JDK's own last try to get direct memory. */
#define RESERVE "java.nio.Bits.reserveMemory"

/* Few calls are a warning, too, if they stop the application for a tenth of the time. */
#define MUCH	0.1
#define LONG_NS 3e9

/* Collections with that cause; *ns: how long they took. */
static size_t count_cause(const struct judging *j, const char *cause, double *ns)
{
	const struct facts *f = j->facts;
	size_t n = 0;

	*ns = 0;
	for (size_t i = 0; i < f->collection_count; i++) {
		const struct collection *c = &f->collections[i];

		if (!strstr(text_at(j, c->cause), cause))
			continue;
		n++;
		*ns += (double)(c->end_ns - c->start_ns);
	}
	return n;
}

/* System.gc() ---------------------------------------------------------------------------------- */

static const char *const explicit_jmc[] = { "SystemGc", NULL };

enum { COLLECTION, SYSTEM_GC };
enum { STACK, THREAD };

static const struct reads explicit_inputs[] = {
	READS("jdk.GarbageCollection", OCCURS),
	READS("jdk.SystemGC", HELPS, "stackTrace", "eventThread"),
	{ 0 },
};

struct callers {
	struct groups stacks;
};

static void take_caller(void *state, const struct event *e)
{
	struct callers *s = state;
	uint32_t stack = event_stack(e, STACK);
	bool is_most;
	struct group *g = groups_add(&s->stacks, e, (uint32_t[4]){ stack },
				     (double)event_duration(e), &is_most);

	if (g && is_most)
		g->most_thread = event_thread(e, THREAD);
}

static void free_callers(void *state)
{
	groups_fini(&((struct callers *)state)->stacks);
}

/* How long collections that were asked for so stopped the application. */
static double paused_for_explicit(const struct judging *j)
{
	const struct facts *f = j->facts;
	double ns = 0;

	for (size_t i = 0; i < f->collection_count; i++) {
		const struct collection *c = &f->collections[i];

		if (strcmp(text_at(j, c->cause), "System.gc()") == 0)
			ns += (double)(c->pauses_ns > 0 ? c->pauses_ns : c->end_ns - c->start_ns);
	}
	return ns;
}

/* From the first of them to the end of the last. */
static void show_when(struct judging *j)
{
	const struct facts *f = j->facts;
	int64_t from = INT64_MAX, to = INT64_MIN;

	for (size_t i = 0; i < f->collection_count; i++) {
		const struct collection *c = &f->collections[i];

		if (strcmp(text_at(j, c->cause), "System.gc()") != 0)
			continue;
		from = c->start_ns < from ? c->start_ns : from;
		to = c->end_ns > to ? c->end_ns : to;
	}
	if (from <= to)
		show_range(j, "when", from, to);
}

static void judge_explicit(void *state, struct judging *j)
{
	struct callers *s = state;
	double ns, share, all = (double)j->facts->collection_count, paused, length;
	size_t n = count_cause(j, "System.gc()", &ns);
	const struct group *g;

	share = all > 0 ? (double)n / all : 0;
	judge_by(j, share);
	paused = paused_for_explicit(j);
	length = (double)recorded_ns(j);
	summarize(j, "%zu of %s collections were System.gc() calls, and stopped the application for %s "
		     "%s",
		  n, count_text(j, all), span_text(j, paused), limit_text(j));
	if (share < j->warning && paused >= LONG_NS && paused >= MUCH * length) {
		judge_at_least(j, JFREC_SEVERITY_WARNING);
		summarize(j, "%zu of %s collections were System.gc() calls, and stopped the application "
			     "for %s, %s of the time (limit %s)",
			  n, count_text(j, all), span_text(j, paused),
			  percent_text(j, paused / length), percent_text(j, MUCH));
	}
	show_when(j);
	groups_sort(&s->stacks);
	for (uint32_t i = 0; i < s->stacks.count && i < 3; i++) {
		g = &s->stacks.list[i];
		show_stack(j, textf(j, "%s calls", count_text(j, (double)g->count)), g->key[0],
			   (double)g->count / (double)groups_count(&s->stacks));
	}
	if (!is_found(j))
		return;
	if (s->stacks.count && stack_has(j, s->stacks.list[0].key[0], RESERVE))
		advise(j, "The JDK calls it itself when direct buffers reach -XX:MaxDirectMemorySize: "
			  "release or reuse them (direct-buffers); do not forbid System.gc()");
	show_command(j, "print --events jdk.GarbageCollection --where 'cause == \"System.gc()\"'");
}

const struct rule rule_gc_explicit = {
	.info = {
		.id = "gc-explicit",
		.jmc = explicit_jmc,
		.question = "Who calls System.gc()?",
		.matters = "A call of System.gc() stops the application for a full collection "
			   "whether one is needed or not. The JVM knows better when to "
			   "collect.",
		.computes = "The share of garbage collections whose cause is System.gc(). If these stop "
			    "the application for a tenth of the time, and 3 seconds, it is a warning "
			    "whatever their share. From JDK 17 on, jdk.SystemGC says who called.",
		.measures = "share of collections that System.gc() asked for",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.104,
		.warning = 0.5,
		.advice = "Remove the call, or let it work beside the application "
			  "(-XX:+ExplicitGCInvokesConcurrent with G1)",
		.beware = "Where few collections happen at all, one call is a large share. Direct "
			  "buffers need System.gc(): -XX:+DisableExplicitGC can make them fail.",
		.differs = "JDK Mission Control divides whole numbers, so it says ok unless all "
			   "collections were asked for.",
	},
	.about = ABOUT_SYMPTOM,
	.curve = CURVE,
	.inputs = explicit_inputs,
	.state_size = sizeof(struct callers),
	.take = take_caller,
	.judge = judge_explicit,
	.fini = free_callers,
};

/* Tools ---------------------------------------------------------------------------------------- */

static const char *const tools_jmc[] = { "HeapInspectionGc", "HeapDump", NULL };

enum { DUMP = 1 };
enum { DESTINATION, SIZE, ON_ERROR };

static const struct reads tools_inputs[] = {
	READS_EITHER(1, "jdk.GarbageCollection", OCCURS),
	READS_EITHER(1, "jdk.HeapDump", OCCURS, "destination", "size", "onOutOfMemoryError"),
	READS("jdk.ObjectCount", HELPS),
	{ 0 },
};

struct dumps {
	uint64_t count, on_error;
	double ns;
	uint32_t path;
	int64_t size, from_ns, to_ns;
};

static void take_dump(void *state, const struct event *e)
{
	struct dumps *s = state;

	if (e->input != DUMP)
		return;
	s->count++;
	s->on_error += event_long(e, ON_ERROR) == 1;
	s->ns += (double)event_duration(e);
	if (!s->from_ns || e->start_ns < s->from_ns) {
		s->path = event_text(e, DESTINATION);
		s->size = event_long(e, SIZE);
		s->from_ns = e->start_ns;
		s->to_ns = e->end_ns;
	}
}

static void judge_tools(void *state, struct judging *j)
{
	const struct dumps *s = state;
	double ns;
	size_t n = count_cause(j, "Heap Inspection Initiated GC", &ns);

	judge_by(j, (double)n);
	if (s->count)
		judge_at_least(j, JFREC_SEVERITY_INFO);
	if (s->on_error)
		judge_at_least(j, JFREC_SEVERITY_WARNING);
	if (!is_found(j)) {
		summarize(j, "No histogram and no heap dump stopped the application");
		return;
	}
	if (s->on_error)
		summarize(j, "The heap was dumped at %s because an allocation failed with an "
			     "OutOfMemoryError",
			  time_text(j, s->from_ns));
	else
		summarize(j, "%zu histogram%s of the heap (%s) and %llu heap dump%s (%s) stopped the "
			     "application",
			  n, plural((double)n), span_text(j, ns), (unsigned long long)s->count,
			  plural((double)s->count), span_text(j, s->ns));
	if (s->count) {
		show_range(j, "first heap dump", s->from_ns, s->to_ns);
		show_name(j, JFREC_EVIDENCE_FILE, "dumped to", text_at(j, s->path), NAN);
		show_quantity(j, "its size", (double)s->size, JFREC_UNIT_BYTES);
	}
	if (s->on_error)
		advise(j, "Open the heap dump and look for what keeps most of the heap");
	else if (n && type_count(j, "jdk.ObjectCount"))
		advise(j, "This recording itself does it: switch jdk.ObjectCount off");
	show_command_if(j, "jdk.GarbageCollection", "view gc");
	show_command_if(j, "jdk.HeapDump", "print --events jdk.HeapDump");
}

const struct rule rule_gc_by_tools = {
	.info = {
		.id = "gc-by-tools",
		.jmc = tools_jmc,
		.question = "Do observers stop the application?",
		.matters = "A histogram or a dump of the heap stops the application while it "
			   "is made: for a large heap that takes seconds.",
		.computes = "Counts collections that were made for a histogram of the heap, and heap "
			    "dumps (jdk.HeapDump, from JDK 17 on). One that was made because of an "
			    "OutOfMemoryError is a warning.",
		.measures = "collections made for a histogram of the heap",
		.unit = JFREC_UNIT_NONE,
		.info = 1,
		.warning = INFINITY,
		.advice = "Find out which tool asks for histograms or dumps of the heap, and let it do "
			  "so less often",
		.beware = "jdk.ObjectCount in the settings of a recording makes these collections.",
		.differs = "In JDK Mission Control a heap dump after an OutOfMemoryError is info.",
	},
	.curve = CURVE,
	.inputs = tools_inputs,
	.state_size = sizeof(struct dumps),
	.take = take_dump,
	.judge = judge_tools,
};

/* Native code ---------------------------------------------------------------------------------- */

static const char *const locker_jmc[] = { "GcLocker", NULL };

static const struct reads locker_inputs[] = {
	READS("jdk.GarbageCollection", OCCURS),
	READS("jdk.GCLocker", HELPS, "lockCount", "stallCount"),
	{ 0 },
};

struct locker {
	double locks, stalls;
};

static void take_locker(void *state, const struct event *e)
{
	struct locker *s = state;

	s->locks += fmax(0, event_number(e, 0));
	s->stalls += fmax(0, event_number(e, 1));
}

static void judge_locker(void *state, struct judging *j)
{
	const struct locker *s = state;
	double ns, all = (double)j->facts->collection_count;
	size_t n = count_cause(j, "GCLocker", &ns);

	judge_by(j, all > 0 ? (double)n / all : 0);
	summarize(j, "%zu of %s collections waited for native code that held an array %s", n,
		  count_text(j, all), limit_text(j));
	if (s->locks > 0) {
		show_quantity(j, "threads in such code", s->locks, JFREC_UNIT_NONE);
		show_quantity(j, "threads that waited for it", s->stalls, JFREC_UNIT_NONE);
	}
	show_command(j, "view gc");
}

const struct rule rule_gc_locker = {
	.info = {
		.id = "gc-locker",
		.jmc = locker_jmc,
		.question = "Do critical sections of native code hold up collections?",
		.matters = "Some native code forbids collections while it holds an array. "
			   "Threads that need memory wait until it lets go.",
		.computes = "The share of collections whose cause names the GCLocker.",
		.measures = "share of collections that waited for the GCLocker",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.1,
		.warning = INFINITY,
		.advice = "Let native code copy arrays (Get...ArrayRegion) instead of holding them "
			  "(GetPrimitiveArrayCritical), or move to JDK 22 or later with G1",
		.differs = "JDK Mission Control divides whole numbers, so it says ok unless all "
			   "collections waited.",
		.jdk_until = 24,
	},
	.curve = CURVE,
	.inputs = locker_inputs,
	.state_size = sizeof(struct locker),
	.take = take_locker,
	.judge = judge_locker,
};
