/* SPDX-License-Identifier: MIT */
/*
 * hot_method.c - which method would pay most to optimize?
 */
#include "analyze/rules.h"
#include "format/equivalents.h"

/* Samples are counted in halves of windows of 30 s. */
#define HALF_NS	  INT64_C(15000000000)
#define WINDOW_NS (2 * HALF_NS)

/* HotSpot looks at so many threads each time. */
#define THREADS_A_TIME 5.0

#define FEW_SAMPLES 100

static const char *const jmc[] = { "MethodProfiling", NULL };

enum { SAMPLE, CPU_SAMPLE, OTHERS_SAMPLE };
enum { STACK, PERIOD };
enum { STATE = PERIOD };

/* async-profiler's, by default. */
#define ASYNC_INTERVAL_NS 1e7

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.ExecutionSample", OCCURS, "stackTrace", "state"),
	READS_EITHER(1, "jdk.CPUTimeSample", OCCURS, "stackTrace", "samplingPeriod"),
	READS_OTHERS_EITHER(1, "jdk.ExecutionSample", OCCURS, "stackTrace", "state"),
	READS("jdk.CPULoad", HELPS),
	READS("jdk.ThreadCPULoad", HELPS),
	{ 0 },
};

struct state {
	struct groups windows; /* half window, method, kind */
	struct groups methods; /* method, kind: the first of the application */
	struct groups tops;    /* method, kind: on top of the stack */
	struct groups stacks;  /* stack, kind */
	uint64_t samples, cpu_samples;
	double others; /* samples that other producers' stand for */
	uint64_t waiting; /* samples of threads that were not at work */
	double cpu_ns;
};

/* A thread that waits has one of these on top, whatever the sampler says. */
static bool is_wait(const char *method)
{
	static const char *const waits[] = {
		"jdk.internal.misc.Unsafe.park", "sun.misc.Unsafe.park", "java.lang.Object.wait",
		"java.util.concurrent.locks.LockSupport.park", "java.lang.Thread.sleep",
		"jdk.internal.misc.Unsafe.unpark", "java.util.concurrent.locks.LockSupport.unpark",
		"java.lang.Thread.yield",
	};

	for (size_t i = 0; i < sizeof(waits) / sizeof(*waits); i++) {
		if (strncmp(method, waits[i], strlen(waits[i])) == 0)
			return true;
	}
	return false;
}

/* async-profiler's samples by the wall clock are of all threads, and say what each was doing. */
static bool is_at_work(const struct event *e, uint32_t stack)
{
	const char *state = e->input == SAMPLE ? event_text_of(e, event_text(e, STATE)) : "";

	return strcmp(state, "STATE_SLEEPING") != 0 &&
	       !is_wait(event_text_of(e, event_top_method(e, stack)));
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	uint32_t stack = event_stack(e, STACK), method, kind = e->input;
	double weight = 1;

	if (!is_at_work(e, stack)) {
		s->waiting++;
		return;
	}
	if (e->input == CPU_SAMPLE) {
		weight = fmax(0, event_number(e, PERIOD));
		s->cpu_samples++;
		s->cpu_ns += weight;
	} else if (e->input == OTHERS_SAMPLE) {
		weight = event_samples(e);
		s->others += weight;
	} else {
		s->samples++;
	}
	/* Of the JDK's it is the caller that can be changed. */
	method = event_top_own(e, stack);
	if (!method)
		return;
	s->windows.limit = 100000;
	s->stacks.limit = 100000;
	groups_add(&s->windows, e,
		   (uint32_t[4]){ (uint32_t)(e->start_ns / HALF_NS), method, kind }, weight, NULL);
	groups_add(&s->tops, e, (uint32_t[4]){ event_top_method(e, stack), kind }, weight, NULL);
	if (groups_add(&s->methods, e, (uint32_t[4]){ method, kind }, weight, NULL))
		groups_add(&s->stacks, e, (uint32_t[4]){ stack, kind, method }, weight, NULL);
}

static void fini(void *state)
{
	struct state *s = state;

	groups_fini(&s->windows);
	groups_fini(&s->methods);
	groups_fini(&s->tops);
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

static const struct group *heaviest(const struct groups *g, uint32_t kind)
{
	const struct group *most = NULL;

	for (uint32_t i = 0; i < g->count; i++) {
		if (g->list[i].key[1] == kind && (!most || g->list[i].sum > most->sum))
			most = &g->list[i];
	}
	return most;
}

/* The method of the application that asked most for a library's. */
struct asker {
	uint32_t method; /* text; 0: there is none */
	double weight;	 /* of its samples, also in other methods of libraries */
};

static uint32_t app_of(const struct judging *j, uint32_t stack)
{
	size_t i = stack_first_app(j, stack, 0);

	return i == SIZE_MAX ? 0 : stack_method_text(j, stack, i);
}

static struct asker asker_of(struct judging *j, const struct state *s, uint32_t method,
			     uint32_t kind)
{
	double *of_method = judging_memory(j, 2 * text_count(j) * sizeof(*of_method));
	double *all = of_method + text_count(j);
	struct asker asker = { 0 };

	if (!of_method || is_jdk_method(text_at(j, method)) ||
	    !is_library_method(text_at(j, method)))
		return asker;
	for (uint32_t i = 0; i < s->stacks.count; i++) {
		const struct group *g = &s->stacks.list[i];
		uint32_t app = g->key[1] == kind ? app_of(j, g->key[0]) : 0;

		if (!app)
			continue;
		all[app] += g->sum;
		of_method[app] += g->key[2] == method ? g->sum : 0;
		if (of_method[app] > of_method[asker.method] ||
		    (of_method[app] == of_method[asker.method] && app < asker.method))
			asker.method = app;
	}
	asker.weight = all[asker.method];
	return asker;
}

/* As JDK Mission Control's curve: 25 at 2.9 %, 75 at 19 %. */
static double sigmoid(double r)
{
	return 100 / (1 + exp(150 * (0.0333 - r)) + exp(7 * (0.0333 - r)));
}

static const char *first_of_what(const char *method)
{
	if (is_jdk_method(method))
		return "of the JDK, with no other code below";
	return is_library_method(method) ? "first outside of the JDK" : "first of the application";
}

static void show_methods(struct judging *j, struct state *s, uint32_t kind, double all)
{
	const struct group *stack, *g;

	groups_sort(&s->stacks);
	for (uint32_t i = 0; i < 3 && (g = first_of_kind(&s->methods, kind, i)) != NULL; i++)
		show_name(j, JFREC_EVIDENCE_METHOD, first_of_what(text_at(j, g->key[0])),
			  text_at(j, g->key[0]), all > 0 ? g->sum / all : NAN);
	for (uint32_t i = 0; i < 3 && (g = first_of_kind(&s->tops, kind, i)) != NULL; i++)
		show_name(j, JFREC_EVIDENCE_METHOD, "on top", text_at(j, g->key[0]),
			  all > 0 ? g->sum / all : NAN);
	stack = first_of_kind(&s->stacks, kind, 0);
	if (stack)
		show_stack(j, "hottest stack", stack->key[0], all > 0 ? stack->sum / all : NAN);
}

/* How the samples were taken. */
struct sampling {
	double period_ns; /* 0: it is not known */
	bool is_cpu_time; /* of each processor, not of five threads at a time */
	bool is_wall;	  /* of all threads */
};

/* By the CPU clock of each thread. */
static struct sampling sampling_of_others(const struct judging *j)
{
	const struct equivalent *other = other_met(j, "jdk.ExecutionSample");
	int64_t interval = other ? setting_ns(type_setting(j, other->type, SETTING_INTERVAL)) : 0;

	return (struct sampling){ .period_ns = interval > 0 ? (double)interval : ASYNC_INTERVAL_NS,
				  .is_cpu_time = true };
}

static struct sampling sampling_of(const struct judging *j, uint32_t kind)
{
	const char *event = type_setting(j, "jdk.ExecutionSample", SETTING_EVENT);
	struct sampling s = { .period_ns = (double)type_period_ns(j, "jdk.ExecutionSample") };
	int64_t interval;

	if (kind == OTHERS_SAMPLE)
		return sampling_of_others(j);
	if (s.period_ns > 0)
		return s;
	interval = setting_ns(type_setting(j, "jdk.ExecutionSample", SETTING_INTERVAL));
	if (interval < 0 && !event)
		return s;
	s.period_ns = interval > 0 ? (double)interval : ASYNC_INTERVAL_NS;
	s.is_wall = event && strcmp(event, "wall") == 0;
	s.is_cpu_time = !s.is_wall;
	return s;
}

/* The share of what could be sampled, in the worst window. */
static double ratio_of(const struct judging *j, const struct state *s, const struct hottest *h,
		       uint32_t kind, double share)
{
	double window = (double)window_ns(j, WINDOW_NS), cpus = usable_cpus(j), busy, ratio;
	struct sampling how = sampling_of(j, kind);

	if (kind == CPU_SAMPLE)
		return cpus > 0 ? h->weight / window / cpus : h->weight / window;
	if (how.period_ns <= 0)
		return NAN;
	if (how.is_wall)
		return share * (double)s->samples / (double)(s->samples + s->waiting);
	if (how.is_cpu_time)
		return h->weight * how.period_ns / window / (cpus > 0 ? cpus : 1);
	ratio = h->weight * how.period_ns / THREADS_A_TIME / window;
	/* Where the sampler missed much, as much of the CPU as its share of the samples. */
	busy = busy_by_threads(j, true);
	return busy > 0 ? fmax(ratio, share * fmin(busy, THREADS_A_TIME) / THREADS_A_TIME) : ratio;
}

/* Before groups are sorted: in what share of the samples the method itself was at work. */
static double self_share(const struct state *s, uint32_t method, uint32_t kind, double all)
{
	const struct group *self = groups_find(&s->tops, (uint32_t[4]){ method, kind });

	return self && all > 0 ? self->sum / all : 0;
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	uint32_t kind = s->samples ? SAMPLE : s->cpu_samples ? CPU_SAMPLE : OTHERS_SAMPLE;
	struct hottest h = hottest_of(&s->windows, kind);
	double all = kind == SAMPLE	? (double)s->samples
		     : kind == CPU_SAMPLE ? s->cpu_ns
					  : s->others;
	double samples = kind == CPU_SAMPLE ? (double)s->cpu_samples : all;
	double share, self, ratio, cpus;
	const char *method;
	const struct group *most;
	struct asker asker;

	most = heaviest(&s->methods, kind);
	if (!most || samples <= 0) {
		summarize(j, "No thread was seen at work");
		return;
	}
	share = most->sum / all;
	method = text_at(j, most->key[0]);
	self = self_share(s, most->key[0], kind, all);
	ratio = ratio_of(j, s, &h, kind, share);
	if (isnan(ratio)) {
		none_came(j, "The recording does not say how often samples were taken");
		return;
	}
	judge_by(j, ratio);
	if (samples < FEW_SAMPLES || sampling_of(j, kind).is_wall)
		judge_at_most(j, JFREC_SEVERITY_INFO);
	j->finding->score = sigmoid(ratio);
	cpus = share * busy_cpus(j);
	asker = asker_of(j, s, most->key[0], kind);
	summarize(j,
		  "%s is the %s in %s of the samples%s%s%s, and on top "
		  "in %s%s%s; in the worst window that was %s of what can be sampled %s",
		  method,
		  is_library_method(method) ? "first method outside of the JDK"
					    : "first method of the application",
		  percent_text(j, share), isnan(cpus) ? "" : ", ",
		  isnan(cpus) ? "" : count_text(j, cpus), isnan(cpus) ? "" : " CPUs",
		  percent_text(j, self), asker.method ? ", asked for most by " : "",
		  asker.method ? text_at(j, asker.method) : "", percent_text(j, ratio),
		  limit_text(j));
	groups_sort(&s->methods);
	groups_sort(&s->tops);
	if (asker.method)
		show_name(j, JFREC_EVIDENCE_METHOD, "asked for most by", text_at(j, asker.method),
			  all > 0 ? asker.weight / all : NAN);
	show_methods(j, s, kind, all);
	show_quantity(j, "samples", samples, JFREC_UNIT_NONE);
	show_command(j, "flame --profile %s", sampling_of(j, kind).is_wall ? "wall" : "cpu");
	if (samples < FEW_SAMPLES)
		doubt(j, "there are only %s samples: the share is %s give or take %s",
		      count_text(j, samples), percent_text(j, share),
		      percent_text(j, 1.96 * sqrt(share * (1 - share) / samples)));
}

const struct rule rule_hot_method = {
	.info = {
		.id = "hot-method",
		.jmc = jmc,
		.question = "Which method would pay most to optimize?",
		.matters = "Time spent on making other methods faster is wasted. Start with "
			   "the one that takes most.",
		.computes = "Counts samples by the first method that is not of the JDK, and says in how "
			    "many of them it is on top, and, of a library's, which method of the "
			    "application asked for it. Threads that wait are left out. The best "
			    "window of 30 seconds, or the recording if it is shorter, is compared "
			    "with the samples that the JVM can take: five threads at a time. Where "
			    "samples are missing, its share of the CPU that threads used counts "
			    "(jdk.ThreadCPULoad). CPU-time samples, async-profiler's and "
			    "Datadog's are compared with the processors. Fewer than 100 samples, and samples by the "
			    "wall clock, are info at most.",
		.measures = "samples of one method in the worst window, of those that can be taken",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.029,
		.warning = 0.19,
		.advice = "Look at the method and at who calls it: `jfrec flame -o flame.html RECORDING` "
			  "writes a page that shows both",
		.beware = "Threads in native code, in the collector or in the compiler are not seen. "
			  "Whether the profile can be trusted is judged by the rules whose names "
			  "begin with sampling.",
		.differs = "JDK Mission Control leaves out the packages java.lang and java.util only, "
			   "does not see the first 15 seconds after the beginning "
			   "of each chunk, and divides short recordings by 30 seconds.",
	},
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
