/* SPDX-License-Identifier: MIT */
/*
 * native_memory.c - does memory outside of the heap grow?
 */
#include "analyze/rules.h"

#define ENOUGH_NS INT64_C(300000000000)

/* Less does not count as growth. */
#define ENOUGH_BYTES (50.0 * (1 << 20))
#define ARENA_BYTES  (300.0 * (1 << 20))

/* Growth that needs no five minutes to be seen. */
#define FAST_POINTS 8
#define FAST_S	    15
#define FAST_BYTES  (200.0 * (1 << 20))

#define MAX_PARTS 64

enum { NATIVE, TOTAL, RESIDENT };

static const struct reads inputs[] = {
	READS("jdk.NativeMemoryUsage", HELPS, "type", "committed"),
	READS("jdk.NativeMemoryUsageTotal", HELPS, "committed"),
	READS("jdk.ResidentSetSize", PERIODIC, "size"),
	READS("jdk.GCHeapSummary", HELPS),
	{ 0 },
};

/* What is called so by Native Memory Tracking: "Thread", "Other", "Java Heap". */
struct part {
	uint32_t name;
	struct series committed;
};

struct state {
	struct part parts[MAX_PARTS];
	unsigned part_count;
	struct series total, resident;
};

static struct part *part_named(struct state *s, uint32_t name)
{
	for (unsigned i = 0; i < s->part_count; i++) {
		if (s->parts[i].name == name)
			return &s->parts[i];
	}
	if (s->part_count == MAX_PARTS)
		return NULL;
	s->parts[s->part_count].name = name;
	return &s->parts[s->part_count++];
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	struct part *p;

	if (e->input == NATIVE) {
		p = part_named(s, event_text(e, 0));
		if (p)
			series_add(&p->committed, e, e->start_ns, event_number(e, 1));
	} else if (e->input == TOTAL) {
		series_add(&s->total, e, e->start_ns, event_number(e, 0));
	} else if (e->input == RESIDENT) {
		series_add(&s->resident, e, e->start_ns, event_number(e, 0));
	}
}

static void fini(void *state)
{
	struct state *s = state;

	for (unsigned i = 0; i < s->part_count; i++)
		series_fini(&s->parts[i].committed);
	series_fini(&s->total);
	series_fini(&s->resident);
}

struct growth {
	const char *what;
	double bytes, share;
	bool is_steady; /* it never fell by more than a tenth of what it grew */
	int64_t from_ns, to_ns;
};

static struct growth growth_of(struct judging *j, struct series *s, const char *what)
{
	struct growth g = { .what = what, .is_steady = true };
	int64_t warm = j->facts->warm_ns != NO_NUMBER ? j->facts->warm_ns : INT64_MIN;
	double first = NAN, last = NAN, most = -INFINITY, fell = 0;

	series_sort(s);
	for (size_t i = 0; i < s->count; i++) {
		const struct point *p = &s->list[i];

		if (p->at_ns < warm)
			continue;
		if (isnan(first)) {
			first = p->value;
			g.from_ns = p->at_ns;
		}
		most = p->value > most ? p->value : most;
		fell = most - p->value > fell ? most - p->value : fell;
		last = p->value;
		g.to_ns = p->at_ns;
	}
	if (isnan(first) || g.to_ns - g.from_ns < ENOUGH_NS || series_slope(s, g.from_ns) <= 0)
		return g;
	g.bytes = last - first;
	g.share = first > 0 ? g.bytes / first : 0;
	g.is_steady = fell <= 0.1 * g.bytes;
	return g;
}

static bool is_heap(const char *what)
{
	return strcmp(what, "Java Heap") == 0;
}

/* The part outside of the heap that grew most. */
static struct growth worst_part(struct judging *j, struct state *s)
{
	struct growth worst = { 0 };

	for (unsigned i = 0; i < s->part_count; i++) {
		const char *name = text_at(j, s->parts[i].name);
		struct growth g = growth_of(j, &s->parts[i].committed, name);

		if (!is_heap(name) && g.bytes > worst.bytes)
			worst = g;
	}
	return worst;
}

/* Without Native Memory Tracking: what the process grew more than the heap. */
static struct growth process_growth(struct judging *j, struct state *s)
{
	struct growth g = growth_of(j, &s->resident, "The process");
	const struct facts *f = j->facts;
	double first = NAN, last = NAN;

	for (size_t i = 0; i < f->heap_count; i++) {
		if (f->heap[i].committed <= 0 || f->heap[i].at_ns < g.from_ns)
			continue;
		first = isnan(first) ? (double)f->heap[i].committed : first;
		last = (double)f->heap[i].committed;
	}
	if (!isnan(first) && last > first)
		g.bytes -= last - first;
	return g;
}

static void judge_growth(struct judging *j, const struct growth *g)
{
	if (g->bytes >= ENOUGH_BYTES) {
		judge_by(j, g->share);
		if (!g->is_steady)
			judge_at_most(j, JFREC_SEVERITY_INFO);
	}
	summarize(j, "%s grew by %s, %s, in %s %s", g->what, bytes_text(j, g->bytes),
		  percent_text(j, g->share), span_text(j, (double)(g->to_ns - g->from_ns)),
		  limit_text(j));
	show_range(j, "measured", g->from_ns, g->to_ns);
	show_quantity(j, "growth", g->bytes, JFREC_UNIT_BYTES);
}

static void tell_unknown(struct judging *j, const struct growth *g, double unknown)
{
	judge_by(j, g->share);
	judge_at_least(j, JFREC_SEVERITY_INFO);
	if (!g->is_steady)
		judge_at_most(j, JFREC_SEVERITY_INFO);
	summarize(j, "The process grew by %s in %s that the JVM does not know of; that is %s now",
		  bytes_text(j, g->bytes), span_text(j, (double)(g->to_ns - g->from_ns)),
		  bytes_text(j, unknown));
	show_range(j, "measured", g->from_ns, g->to_ns);
	if (j->facts->system == SYSTEM_LINUX)
		advise(j, "Look at the native libraries that it uses (async-profiler's nativemem shows who "
			  "allocates); if there are none, start it with MALLOC_ARENA_MAX=2");
	else
		advise(j, "Look at the native libraries that it uses, and at who calls them");
}

/*
 * Memory that the JVM does not know of: arenas of malloc, native libraries. What the process grew
 * more than all that the JVM tracks.
 */
static void judge_unknown(struct judging *j, struct state *s)
{
	double resident = series_max(&s->resident, NULL), known = series_max(&s->total, NULL);
	struct growth all = growth_of(j, &s->resident, "The process");
	struct growth of_known = growth_of(j, &s->total, "");
	double more = all.bytes - fmax(0, of_known.bytes);

	if (isnan(known) || resident - known < ARENA_BYTES || more < ENOUGH_BYTES)
		return;
	all.bytes = more;
	all.share = more / fmax(1, resident - all.bytes);
	if (!is_found(j) || (all.is_steady && all.share >= j->warning))
		tell_unknown(j, &all, resident - known);
	show_quantity(j, "memory that the JVM does not know of", resident - known,
		      JFREC_UNIT_BYTES);
	show_quantity(j, "the process at first", resident - all.bytes, JFREC_UNIT_BYTES);
	show_quantity(j, "the process at most", resident, JFREC_UNIT_BYTES);
}

/*
 * In less than five minutes: growth that cannot be the heap's, since it is more than all of that,
 * and is steady.
 */
static bool judge_fast(struct judging *j, struct state *s)
{
	const struct series *r = &s->resident;
	double heap = j->facts->heap_max > 0 ? (double)j->facts->heap_max : INFINITY, more, span;
	size_t up = 0;

	series_sort(&s->resident);
	if (r->count < FAST_POINTS)
		return false;
	more = r->list[r->count - 1].value - r->list[0].value;
	span = (double)(r->list[r->count - 1].at_ns - r->list[0].at_ns) / 1e9;
	for (size_t i = 1; i < r->count; i++)
		up += r->list[i].value >= r->list[i - 1].value;
	if (span < FAST_S || more < heap + FAST_BYTES || up * 10 < (r->count - 1) * 9 ||
	    r->list[r->count - 1].value - r->list[r->count / 2].value < more / 4)
		return false;
	judge_at_least(j, JFREC_SEVERITY_WARNING);
	summarize(j, "The process grew by %s in %s, to %s, with a heap of at most %s: the rest is memory "
		     "outside of it",
		  bytes_text(j, more), span_text(j, span * 1e9),
		  bytes_text(j, r->list[r->count - 1].value), bytes_text(j, heap));
	show_range(j, "measured", r->list[0].at_ns, r->list[r->count - 1].at_ns);
	show_quantity(j, "growth a second", more / span, JFREC_UNIT_BYTES);
	if (!s->part_count)
		doubt(j, "Native Memory Tracking was off: restart with "
			 "-XX:NativeMemoryTracking=summary to see which part grows");
	show_command_if(j, "jdk.ResidentSetSize", "print --events jdk.ResidentSetSize");
	return true;
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	struct growth g;

	if (recorded_ns(j) < ENOUGH_NS && judge_fast(j, s))
		return;
	if (recorded_ns(j) < ENOUGH_NS) {
		too_few(j, "Only %s were recorded; 5 min are needed to see growth",
			span_text(j, (double)recorded_ns(j)));
		return;
	}
	g = s->part_count ? worst_part(j, s) : process_growth(j, s);
	if (g.bytes > 0)
		judge_growth(j, &g);
	else
		summarize(j, "Memory outside of the heap did not grow");
	if (!s->part_count && is_found(j))
		doubt(j, "Native Memory Tracking was off: restart with "
			 "-XX:NativeMemoryTracking=summary to see which part grows");
	judge_unknown(j, s);
	show_command_if(j, "jdk.NativeMemoryUsage", "view native-memory-growth");
	show_command_if(j, "jdk.ResidentSetSize", "print --events jdk.ResidentSetSize");
}

const struct rule rule_native_memory = {
	.info = {
		.id = "native-memory",
		.question = "Does memory outside of the heap grow?",
		.matters = "Memory outside the heap has no limit of its own. It grows until "
			   "the container or the machine kills the process.",
		.computes = "Compares, after start-up and over at least 5 minutes, the end with the "
			    "beginning: each part of jdk.NativeMemoryUsage but the heap, or without "
			    "it the process (jdk.ResidentSetSize) less the growth of the heap. "
			    "Growth of less than 50 MiB is left out; a warning needs steady growth. In "
			    "less time, steady growth by 200 MiB more than the whole heap is one.",
		.measures = "growth of a part",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.10,
		.warning = 0.50,
		.advice = "Look at the part that grows: Other is direct buffers, Thread is stacks, "
			  "Class is class loaders, Tracing is Flight Recorder itself",
		.beware = "A process also grows while it touches its heap for the first time.",
		.jdk_from = 21,
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
