/* SPDX-License-Identifier: MIT */
/*
 * hot_method.c - which method would pay most to optimize?
 */
#include "analyze/rules.h"

/* Samples are counted in halves of windows of 30 s. */
#define HALF_NS	  INT64_C(15000000000)
#define WINDOW_NS (2 * HALF_NS)

/* HotSpot looks at so many threads each time. */
#define THREADS_A_TIME 5.0

#define FEW_SAMPLES 100

static const char *const jmc[] = { "MethodProfiling", NULL };

enum { SAMPLE, CPU_SAMPLE };
enum { STACK, PERIOD };

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.ExecutionSample", OCCURS, "stackTrace"),
	READS_EITHER(1, "jdk.CPUTimeSample", OCCURS, "stackTrace", "samplingPeriod"),
	READS("jdk.CPULoad", HELPS),
	{ 0 },
};

struct state {
	struct groups windows; /* half window, method, kind */
	struct groups methods; /* method, kind */
	struct groups stacks;  /* stack, kind */
	uint64_t samples, cpu_samples;
	double cpu_ns;
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	uint32_t stack = event_stack(e, STACK), method, kind = e->input;
	double weight = 1;
	struct group *g;
	bool is_most;

	if (e->input == CPU_SAMPLE) {
		weight = fmax(0, event_number(e, PERIOD));
		s->cpu_samples++;
		s->cpu_ns += weight;
	} else {
		s->samples++;
	}
	/* Of java.lang and java.util it is the caller that can be changed. */
	method = event_top_without(e, stack);
	if (!method)
		return;
	s->windows.limit = 100000;
	s->stacks.limit = 100000;
	groups_add(&s->windows, e,
		   (uint32_t[4]){ (uint32_t)(e->start_ns / HALF_NS), method, kind }, weight, NULL);
	g = groups_add(&s->methods, e, (uint32_t[4]){ method, kind }, weight, NULL);
	if (g)
		g = groups_add(&s->stacks, e, (uint32_t[4]){ stack, kind, method }, weight, &is_most);
}

static void fini(void *state)
{
	struct state *s = state;

	groups_fini(&s->windows);
	groups_fini(&s->methods);
	groups_fini(&s->stacks);
}

struct hottest {
	double weight; /* in a window */
	uint32_t half, method;
};

static const struct group *group_at(const struct groups *g, uint32_t half, uint32_t method,
				    uint32_t kind)
{
	return groups_find(g, (uint32_t[4]){ half, method, kind });
}

/* The method with most in any window, which is two halves. */
static struct hottest hottest_of(const struct groups *windows, uint32_t kind)
{
	struct hottest h = { 0 };

	for (uint32_t i = 0; i < windows->count; i++) {
		const struct group *g = &windows->list[i], *next;
		double weight = g->sum;

		if (g->key[2] != kind)
			continue;
		next = group_at(windows, g->key[0] + 1, g->key[1], kind);
		if (next)
			weight += next->sum;
		if (weight > h.weight ||
		    (weight == h.weight && (g->key[0] < h.half || h.weight == 0)))
			h = (struct hottest){ weight, g->key[0], g->key[1] };
	}
	return h;
}

static const struct group *first_of_kind(const struct groups *g, uint32_t kind, uint32_t skip)
{
	for (uint32_t i = 0; i < g->count; i++) {
		if (g->list[i].key[1] == kind && skip-- == 0)
			return &g->list[i];
	}
	return NULL;
}

/* As JDK Mission Control's curve: 25 at 2.9 %, 75 at 19 %. */
static double sigmoid(double r)
{
	return 100 / (1 + exp(150 * (0.0333 - r)) + exp(7 * (0.0333 - r)));
}

/* How much of the processors, of `share` of all samples. */
static double busy_cpus(const struct judging *j, double share)
{
	const struct facts *f = j->facts;
	double sum = 0;

	for (size_t i = 0; i < f->load_count; i++)
		sum += f->load[i].jvm > 0 ? (double)f->load[i].jvm : 0;
	return f->load_count && f->hw_threads > 0
		       ? share * sum / (double)f->load_count * (double)f->hw_threads
		       : NAN;
}

static void show_methods(struct judging *j, struct state *s, uint32_t kind, double all)
{
	const struct group *stack, *g;

	groups_sort(&s->stacks);
	for (uint32_t i = 0; i < 3 && (g = first_of_kind(&s->methods, kind, i)) != NULL; i++)
		show_name(j, JFREC_EVIDENCE_METHOD, "method", text_at(j, g->key[0]),
			  all > 0 ? g->sum / all : NAN);
	stack = first_of_kind(&s->stacks, kind, 0);
	if (stack)
		show_stack(j, "hottest stack", stack->key[0], all > 0 ? stack->sum / all : NAN);
}

/* The share of what could be sampled, in the worst window. */
static double ratio_of(const struct judging *j, const struct hottest *h, uint32_t kind)
{
	double window = (double)window_ns(j, WINDOW_NS);
	double period = (double)type_period_ns(j, "jdk.ExecutionSample");
	double cpus = usable_cpus(j);

	if (kind == CPU_SAMPLE)
		return cpus > 0 ? h->weight / window / cpus : h->weight / window;
	if (period > 0)
		return h->weight * period / THREADS_A_TIME / window;
	return NAN;
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	uint32_t kind = s->samples ? SAMPLE : CPU_SAMPLE;
	struct hottest h = hottest_of(&s->windows, kind);
	double all = kind == SAMPLE ? (double)s->samples : s->cpu_ns, share, ratio, cpus;
	uint64_t samples = s->samples ? s->samples : s->cpu_samples;
	const struct group *most;

	groups_sort(&s->methods);
	most = first_of_kind(&s->methods, kind, 0);
	if (!most || !samples) {
		summarize(j, "No thread was seen at work");
		return;
	}
	ratio = ratio_of(j, &h, kind);
	if (isnan(ratio)) {
		none_came(j, "The recording does not say how often samples were taken");
		return;
	}
	share = most->sum / all;
	judge_by(j, ratio);
	if (samples < FEW_SAMPLES)
		judge_at_most(j, JFREC_SEVERITY_INFO);
	j->finding->score = sigmoid(ratio);
	cpus = busy_cpus(j, share);
	summarize(j, "%s is on top of %s of the samples%s%s%s; in the worst window it filled %s of "
		     "what can be sampled %s",
		  text_at(j, most->key[0]), percent_text(j, share),
		  isnan(cpus) ? "" : ", ", isnan(cpus) ? "" : count_text(j, cpus),
		  isnan(cpus) ? "" : " CPUs", percent_text(j, ratio), limit_text(j));
	show_methods(j, s, kind, all);
	show_quantity(j, "samples", (double)samples, JFREC_MEASURE_NUMBER);
	show_command(j, "flame --profile cpu");
	if (samples < FEW_SAMPLES)
		doubt(j, "there are only %llu samples: the share is %s give or take %s",
		      (unsigned long long)samples, percent_text(j, share),
		      percent_text(j, 1.96 * sqrt(share * (1 - share) / (double)samples)));
}

const struct rule rule_hot_method = {
	.info = {
		.id = "hot-method",
		.jmc = jmc,
		.question = "Which method would pay most to optimize?",
		.matters = "Time spent on making other methods faster is wasted. Start with "
			   "the one that takes most.",
		.computes = "Counts samples by the method on top of the stack; frames of the packages "
			    "java.lang and java.util are left out. The best window of 30 seconds, or "
			    "the recording if it is shorter, is compared with the samples that the "
			    "JVM can take: five threads at a time. CPU-time samples are compared "
			    "with the processors. Fewer than 100 samples are info at most.",
		.measures = "samples of one method in the worst window, of those that can be taken",
		.unit = JFREC_MEASURE_SHARE,
		.info = 0.029,
		.warning = 0.19,
		.advice = "Look at the method and at who calls it: `jfrec flame -o flame.html RECORDING` "
			  "writes a page that shows both",
		.beware = "Threads in native code, in the collector or in the compiler are not seen. "
			  "Whether the profile can be trusted is judged by the rules whose names "
			  "begin with sampling.",
		.differs = "JDK Mission Control does not see the first 15 seconds after the beginning "
			   "of each chunk, and divides short recordings by 30 seconds.",
	},
	.about = ABOUT_SYMPTOM,
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
