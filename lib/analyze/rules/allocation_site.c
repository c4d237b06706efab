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

enum { SAMPLE, IN_TLAB, OUTSIDE, THREADS, PAUSES, OTHERS };
enum { CLASS, STACK, THREAD, WEIGHT, TLAB };

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.ObjectAllocationSample", OCCURS, "objectClass", "stackTrace",
		     "eventThread", "weight"),
	READS_EITHER(1, "jdk.ObjectAllocationInNewTLAB", OCCURS, "objectClass", "stackTrace",
		     "eventThread", "allocationSize", "tlabSize"),
	READS("jdk.ObjectAllocationOutsideTLAB", HELPS, "objectClass", "stackTrace", "eventThread",
	      "allocationSize"),
	READS_EITHER(1, "jdk.ThreadAllocationStatistics", PERIODIC),
	READS("jdk.GCPhasePause", HELPS),
	READS_OTHERS_EITHER(1, "jdk.ObjectAllocationSample", OCCURS, "objectClass", "stackTrace",
			    "eventThread"),
	{ 0 },
};

/* Of one kind of event. */
struct by {
	struct groups classes, threads, sites;
	double boxed, all;
};

/* What a sample is of. */
struct of {
	uint32_t class, thread, site, stack;
	bool is_boxing;
};

struct state {
	struct by sampled, precise, others;
	double outside, tlabs;
	struct first_samples firsts; /* place: of first_of */
	struct of *first_of;
	size_t first_count, first_room;
};

static bool is_boxing(const char *method)
{
	static const char *const methods[] = {
		"Integer.valueOf", "Long.valueOf", "Double.valueOf",  "Float.valueOf",
		"Short.valueOf",   "Byte.valueOf", "Boolean.valueOf", "Character.valueOf",
	};

	if (strncmp(method, "java.lang.", 10) != 0)
		return false;
	for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++) {
		if (strcmp(method + 10, methods[i]) == 0)
			return true;
	}
	return false;
}

static struct of of_event(const struct event *e)
{
	uint32_t stack = event_stack(e, STACK);

	return (struct of){
		.class = event_text(e, CLASS),
		.thread = event_thread(e, THREAD),
		.site = event_top_own(e, stack),
		.stack = stack,
		.is_boxing = is_boxing(event_text_of(e, event_top_method(e, stack))),
	};
}

static void count(struct by *to, const struct event *e, const struct of *of, double bytes)
{
	struct group *site;
	bool is_most;

	groups_add(&to->classes, e, (uint32_t[4]){ of->class }, bytes, NULL);
	groups_add(&to->threads, e, (uint32_t[4]){ of->thread }, bytes, NULL);
	site = groups_add(&to->sites, e, (uint32_t[4]){ of->site }, bytes, &is_most);
	if (site && is_most)
		site->most_stack = of->stack;
	to->all += bytes;
	if (of->is_boxing)
		to->boxed += bytes;
}

/* Add bytes to what was counted before. */
static void raise(struct by *to, const struct of *of, double bytes)
{
	groups_raise(&to->classes, (uint32_t[4]){ of->class }, bytes);
	groups_raise(&to->threads, (uint32_t[4]){ of->thread }, bytes);
	groups_raise(&to->sites, (uint32_t[4]){ of->site }, bytes);
	to->all += bytes;
	to->boxed += of->is_boxing ? bytes : 0;
}

/* What the first of a thread weighs is known at the end (stacks/first_samples.h). */
static void take_sample(struct state *s, const struct event *e)
{
	struct of of = of_event(e);
	struct first_sample one = {
		.thread = of.thread,
		.at = e->start_ns,
		.weight = event_long(e, WEIGHT),
		.place = (uint32_t)s->first_count,
		.is_virtual = event_thread_is_virtual(e, of.thread),
	};
	bool has_displaced;
	int kept;

	if (one.weight <= 0)
		return;
	kept = first_samples_offer(&s->firsts, &one, &has_displaced);
	if (kept < 0 || (kept > 0 && !collect_push((void **)&s->first_of, &s->first_count,
						   &s->first_room, &of, sizeof(of))))
		event_no_memory(e);
	count(&s->sampled, e, &of, kept == 0 ? (double)one.weight : 0);
	if (has_displaced)
		raise(&s->sampled, &s->first_of[one.place], (double)one.weight);
}

static void take_precise(struct state *s, const struct event *e, double *sum, double bytes)
{
	struct of of = of_event(e);

	if (isnan(bytes) || bytes <= 0)
		return;
	*sum += bytes;
	count(&s->precise, e, &of, bytes);
}

static void take_others(struct state *s, const struct event *e)
{
	struct of of = of_event(e);
	double bytes = event_bytes(e);

	if (bytes > 0)
		count(&s->others, e, &of, bytes);
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;

	if (e->input == SAMPLE)
		take_sample(s, e);
	else if (e->input == IN_TLAB) /* a new buffer stands for all that will be allocated in it */
		take_precise(s, e, &s->tlabs, event_number(e, TLAB));
	else if (e->input == OUTSIDE)
		take_precise(s, e, &s->outside, event_number(e, WEIGHT));
	else if (e->input == OTHERS)
		take_others(s, e);
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
	free_by(&s->others);
	first_samples_fini(&s->firsts);
	collect_free(s->first_of);
}

static void count_firsts(struct state *s)
{
	first_samples_settle(&s->firsts);
	for (size_t i = 0; i < s->firsts.count; i++) {
		const struct first_sample *one = &s->firsts.list[i];

		raise(&s->sampled, &s->first_of[one->place], (double)one->fair);
	}
}

static void show_top(struct judging *j, struct by *b)
{
	groups_sort(&b->classes);
	groups_sort(&b->sites);
	groups_sort(&b->threads);
	for (uint32_t i = 0; i < b->classes.count && i < 3; i++)
		show_name(j, JFREC_EVIDENCE_CLASS, "class", text_at(j, b->classes.list[i].key[0]),
			  b->classes.list[i].sum / b->all);
	for (uint32_t i = 0; i < b->sites.count && i < 3; i++) {
		uint32_t stack = b->sites.list[i].most_stack;
		size_t app = stack_first_app(j, stack, 0);

		show_stack(j, "allocated", stack, b->sites.list[i].sum / b->all);
		if (app != SIZE_MAX && app > stack_first_own(j, stack))
			show_name(j, JFREC_EVIDENCE_METHOD, "asked for by",
				  stack_method(j, stack, app), NAN);
	}
	for (uint32_t i = 0; i < b->threads.count && i < 3; i++)
		show_thread(j, "thread", b->threads.list[i].key[0], b->threads.list[i].sum / b->all);
}

/* What each kind of event says of the rate. */
static void show_rates(struct judging *j)
{
	const struct {
		const char *label;
		double rate;
	} of[] = {
		{ "a second, by how the heap fills", allocation_by_heap(j) },
		{ "a second, by what threads say", allocation_by_threads(j) },
		{ "a second, by new buffers", allocation_by_buffers(j) },
		{ "a second, by samples", allocation_by_samples(j) },
		{ "a second, by another profiler's samples", allocation_by_others(j) },
	};

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		if (!isnan(of[i].rate))
			show_quantity(j, of[i].label, of[i].rate, JFREC_UNIT_BYTES_PER_S);
	}
}

/* Do collections hurt? */
static bool gc_hurts(const struct judging *j)
{
	const struct facts *f = j->facts;
	int64_t width = window_ns(j, INT64_C(60000000000));
	struct worst w = spans_worst(&f->pauses, width, f->start_ns, f->end_ns);

	double ns = (double)w.covered_ns * gc_worked(j);

	return (ns >= 0.05 * (double)width && ns >= (double)HURTS_NS) ||
	       type_count(j, "jdk.ZAllocationStall");
}

/* Where little of the heap is free, collections hurt whatever is allocated. */
static bool has_room(const struct judging *j)
{
	return !j->facts->heap_state.is_tight && !(live_share(j) > 0.5);
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	bool precise = s->precise.all > 0 && type_was_on(j, "jdk.ObjectAllocationInNewTLAB") &&
		       type_was_on(j, "jdk.ObjectAllocationOutsideTLAB");
	struct by *b = precise || !s->firsts.count ? &s->precise : &s->sampled;
	double cpus = usable_cpus(j) > 0 ? usable_cpus(j) : 1, rate = allocation_rate(j), boxed;

	if (isnan(rate)) {
		too_few(j, "Threads did not say twice, %s apart, what they allocated, and there are no "
			   "events of allocation", span_text(j, ALLOCATION_ENOUGH_NS));
		return;
	}
	count_firsts(s);
	if (b->all <= 0)
		b = &s->others;
	boxed = b->all > 0 ? b->boxed / b->all : 0;
	judge_by(j, rate / cpus);
	if (is_found(j) && gc_hurts(j) && has_room(j))
		judge_at_least(j, JFREC_SEVERITY_WARNING);
	if (boxed >= 0.2 && rate * boxed >= 10 * MEGABYTE)
		judge_at_least(j, boxed >= 0.8 ? JFREC_SEVERITY_WARNING : JFREC_SEVERITY_INFO);
	if (boxed >= 0.2 && rate * boxed >= 10 * MEGABYTE)
		summarize(j, "%s/s are allocated, %s of it to make objects of numbers (boxing)",
			  bytes_text(j, rate), percent_text(j, boxed));
	else
		summarize(j, "%s/s are allocated, %s/s for each processor %s", bytes_text(j, rate),
			  bytes_text(j, rate / cpus), limit_text(j));
	if (b->all <= 0) {
		judge_at_most(j, JFREC_SEVERITY_INFO);
		advise(j, "Nothing says where: record jdk.ObjectAllocationSample (JDK 16 and later), or the "
			  "two events of allocation buffers");
		return;
	}
	show_top(j, b);
	show_quantity(j, "share of boxing", boxed, JFREC_UNIT_PERCENT);
	if (precise && s->tlabs + s->outside > 0)
		show_quantity(j, "allocated outside of threads' buffers",
			      s->outside / (s->tlabs + s->outside), JFREC_UNIT_PERCENT);
	show_rates(j);
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
		.computes = "Takes what is allocated from what tells it best: the greater of how much the "
			    "heap fills between collections and what threads say themselves "
			    "(jdk.ThreadAllocationStatistics), else new buffers and what does not fit "
			    "into one, or sampled weights. The first sample of a thread counts as "
			    "much as its others, since it also weighs what came before the "
			    "recording. The rate is divided by the processors. "
			    "It is a warning if collections stop the application for 5 % of the "
			    "time, and 3 seconds, or if threads stall, while half of the heap is "
			    "free after collections. A fifth or more of "
			    "boxing, of 10 MiB/s, is info, 80 % a warning.",
		.measures = "bytes allocated per second for each processor",
		.unit = JFREC_UNIT_BYTES_PER_S,
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
