/* SPDX-License-Identifier: MIT */
/*
 * allocation_site.c - who allocates, and is it more than the machine bears?
 */
#include "analyze/rules.h"

#define MEGABYTE 1048576.0

/* Collections hurt if they stop the application for 5 % of a minute. */
#define HURTS_NS INT64_C(3000000000)

static const char *const jmc[] = { "Allocations.class", "Allocations.thread",
				   "PrimitiveToObjectConversion", "TlabAllocationRatio",
				   "GcFreedRatio", NULL };

enum { SAMPLE, IN_TLAB, OUTSIDE, THREADS };
enum { CLASS, STACK, THREAD, WEIGHT, TLAB };

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.ObjectAllocationSample", OCCURS, "objectClass", "stackTrace",
		     "eventThread", "weight"),
	READS_EITHER(1, "jdk.ObjectAllocationInNewTLAB", OCCURS, "objectClass", "stackTrace",
		     "eventThread", "allocationSize", "tlabSize"),
	READS("jdk.ObjectAllocationOutsideTLAB", HELPS, "objectClass", "stackTrace", "eventThread",
	      "allocationSize"),
	READS_EITHER(1, "jdk.ThreadAllocationStatistics", PERIODIC, "thread", "allocated"),
	READS("jdk.GCPhasePause", HELPS),
	{ 0 },
};

/* Of one kind of event. */
struct by {
	struct groups classes, threads, sites;
	double boxed, all;
};

struct state {
	struct by sampled, precise;
	double outside, tlabs;
	struct groups allocated; /* by thread: first and last of what it allocated in all */
};

static bool is_boxing(const char *method)
{
	static const char *const wrappers[] = { "Integer", "Long",	"Double", "Float",
						"Short",	 "Byte", "Boolean", "Character" };
	char name[64];

	if (strncmp(method, "java.lang.", 10) != 0)
		return false;
	for (size_t i = 0; i < sizeof(wrappers) / sizeof(*wrappers); i++) {
		snprintf(name, sizeof(name), "java.lang.%s.valueOf", wrappers[i]);
		if (strcmp(method, name) == 0)
			return true;
	}
	return false;
}

static void take_allocation(struct by *to, const struct event *e, double bytes)
{
	uint32_t stack = event_stack(e, STACK), method = event_top_own(e, stack);
	struct group *site;
	bool is_most;

	if (isnan(bytes) || bytes <= 0)
		return;
	groups_add(&to->classes, e, (uint32_t[4]){ event_text(e, CLASS) }, bytes, NULL);
	groups_add(&to->threads, e, (uint32_t[4]){ event_thread(e, THREAD) }, bytes, NULL);
	site = groups_add(&to->sites, e, (uint32_t[4]){ method }, bytes, &is_most);
	if (site && is_most)
		site->most_stack = stack;
	to->all += bytes;
	if (is_boxing(event_text_of(e, event_top_method(e, stack))))
		to->boxed += bytes;
}

static void take_thread(struct state *s, const struct event *e)
{
	double bytes = event_number(e, 1);
	struct group *g;

	if (isnan(bytes))
		return;
	g = groups_add(&s->allocated, e, (uint32_t[4]){ event_thread(e, 0) }, bytes, NULL);
	if (g && g->count == 1)
		g->first = bytes;
	else if (g && bytes < g->first)
		g->first = bytes;
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;

	switch (e->input) {
	case SAMPLE:
		take_allocation(&s->sampled, e, event_number(e, WEIGHT));
		break;
	case IN_TLAB:
		/* A new buffer stands for all that will be allocated in it. */
		s->tlabs += fmax(0, event_number(e, TLAB));
		take_allocation(&s->precise, e, event_number(e, TLAB));
		break;
	case OUTSIDE:
		s->outside += fmax(0, event_number(e, WEIGHT));
		take_allocation(&s->precise, e, event_number(e, WEIGHT));
		break;
	default:
		take_thread(s, e);
	}
}

static void free_by(struct by *b)
{
	groups_fini(&b->classes);
	groups_fini(&b->threads);
	groups_fini(&b->sites);
}

static void fini(void *state)
{
	struct state *s = state;

	free_by(&s->sampled);
	free_by(&s->precise);
	groups_fini(&s->allocated);
}

/* The first event of a thread carries all that it allocated before: leave the excess out. */
static double sampled_bytes(const struct by *b)
{
	double sum = b->all;

	for (uint32_t i = 0; i < b->threads.count; i++) {
		const struct group *g = &b->threads.list[i];

		if (g->count > 1 && g->first > 10 * (g->sum - g->first))
			sum -= g->first;
	}
	return sum;
}

/*
 * Bytes per second: by the events, or by what each thread says it allocated, where it was asked
 * twice, if that is more. A thread that ended before it was asked again is in the events only.
 */
static double rate_of(const struct judging *j, const struct state *s, const struct by *b)
{
	double sum = 0, seconds = (double)recorded_ns(j) / 1e9;
	double by_events = (b == &s->sampled ? sampled_bytes(b) : b->all) / seconds;
	int64_t first = INT64_MAX, last = INT64_MIN;

	for (uint32_t i = 0; i < s->allocated.count; i++) {
		const struct group *g = &s->allocated.list[i];

		sum += g->most - g->first;
		first = g->first_ns < first ? g->first_ns : first;
		last = g->last_ns > last ? g->last_ns : last;
	}
	if (last > first && last - first >= 5000000000)
		return fmax(by_events, sum / ((double)(last - first) / 1e9));
	return by_events;
}

static void show_top(struct judging *j, struct by *b)
{
	groups_sort(&b->classes);
	groups_sort(&b->sites);
	groups_sort(&b->threads);
	for (uint32_t i = 0; i < b->classes.count && i < 3; i++)
		show_name(j, JFREC_EVIDENCE_CLASS, "class", text_at(j, b->classes.list[i].key[0]),
			  b->classes.list[i].sum / b->all);
	for (uint32_t i = 0; i < b->sites.count && i < 3; i++)
		show_stack(j, "allocated", b->sites.list[i].most_stack,
			   b->sites.list[i].sum / b->all);
	for (uint32_t i = 0; i < b->threads.count && i < 3; i++)
		show_thread(j, "thread", b->threads.list[i].key[0], b->threads.list[i].sum / b->all);
}

/* Do collections hurt? */
static bool gc_hurts(const struct judging *j)
{
	const struct facts *f = j->facts;
	int64_t width = window_ns(j, INT64_C(60000000000));
	struct worst w = spans_worst(&f->pauses, width, f->start_ns, f->end_ns);

	return ((double)w.covered_ns >= 0.05 * (double)width && w.covered_ns >= HURTS_NS) ||
	       type_count(j, "jdk.ZAllocationStall");
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	bool precise = s->precise.all > 0 && type_was_on(j, "jdk.ObjectAllocationInNewTLAB") &&
		       type_was_on(j, "jdk.ObjectAllocationOutsideTLAB");
	struct by *b = precise || s->sampled.all <= 0 ? &s->precise : &s->sampled;
	double cpus = usable_cpus(j) > 0 ? usable_cpus(j) : 1, rate = rate_of(j, s, b);
	double boxed = b->all > 0 ? b->boxed / b->all : 0;

	judge_by(j, rate / cpus);
	if (is_found(j) && gc_hurts(j))
		judge_at_least(j, JFREC_SEVERITY_WARNING);
	if (boxed >= 0.2 && rate * boxed >= 10 * MEGABYTE)
		judge_at_least(j, boxed >= 0.8 ? JFREC_SEVERITY_WARNING : JFREC_SEVERITY_INFO);
	if (boxed >= 0.2 && rate * boxed >= 10 * MEGABYTE)
		summarize(j, "%s/s are allocated, %s of it to make objects of numbers (boxing)",
			  bytes_text(j, rate), percent_text(j, boxed));
	else
		summarize(j, "%s/s are allocated, %s/s for each processor %s", bytes_text(j, rate),
			  bytes_text(j, rate / cpus), limit_text(j));
	if (b->all <= 0)
		return;
	show_top(j, b);
	show_quantity(j, "share of boxing", boxed, JFREC_MEASURE_SHARE);
	if (precise && s->tlabs + s->outside > 0)
		show_quantity(j, "allocated outside of threads' buffers",
			      s->outside / (s->tlabs + s->outside), JFREC_MEASURE_SHARE);
	show_command(j, "flame --profile alloc");
	if (boxed >= 0.2)
		advise(j, "Use primitive types where numbers are kept: arrays, or collections made for "
			  "them");
}

const struct rule rule_allocation_site = {
	.info = {
		.id = "allocation-site",
		.jmc = jmc,
		.question = "Who allocates, and is it more than the machine bears?",
		.matters = "Every object that is made has to be collected. Programs that make "
			   "much garbage spend their time on collections and on filling caches "
			   "of the processor.",
		.computes = "Adds up what is allocated: what threads say themselves "
			    "(jdk.ThreadAllocationStatistics), or sampled weights, or new buffers "
			    "and what does not fit into one. The rate is divided by the processors. "
			    "It is a warning if collections stop the application for 5 % of the "
			    "time, and 3 seconds, or if threads stall. A fifth or more of "
			    "boxing, of 10 MB/s, is info, 80 % a warning.",
		.measures = "bytes allocated per second for each processor",
		.unit = JFREC_MEASURE_BYTES_PER_SECOND,
		.info = 100 * MEGABYTE,
		.warning = INFINITY,
		.advice = "Allocate less at the first of these places: reuse buffers, avoid copies",
		.beware = "Samples are weighted; the share of a rare class is a guess.",
		.differs = "JDK Mission Control judges how uneven allocation is, whatever the rate: "
			   "programs that sleep get an info.",
	},
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
