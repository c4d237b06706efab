/* SPDX-License-Identifier: MIT */
/*
 * sampling_reached.c - how many samples should there be, and how many are there?
 *
 * HotSpot's sampler looks at five threads at most in each period, going round. So with k threads
 * that run, k > 5, the period of each is k/5 of what was asked for.
 */
#include <stdlib.h>

#include "analyze/rules.h"
#include "analyze/samples.h"
#include "format/clock.h"

#define SECOND_NS INT64_C(1000000000)

/* Threads that the sampler looks at in each period. */
#define AT_ONCE 5

/* Of less than this nothing can be said; nor of start-up, most of which is spent in the JVM. */
#define ENOUGH_PER_SECOND 5
#define ENOUGH_EXPECTED	  250

/* What was missed matters from this share of one processor on. */
#define LEAST_MISSED 0.05

enum { SAMPLE, LOAD };
enum { THREAD, USER };

static const struct reads inputs[] = {
	READS("jdk.ExecutionSample", OCCURS, "sampledThread"),
	READS("jdk.ThreadCPULoad", PERIODIC, "eventThread", "user"),
	READS("jdk.CPUInformation", PERIODIC),
	READS("jdk.CPULoad", HELPS),
	{ 0 },
};

/* What a thread used since it was last asked; time in the kernel is native code's. */
struct load {
	int64_t at_ns;
	uint32_t thread;
	bool is_ours;	   /* a thread of the JVM */
	bool is_carrier;   /* of virtual threads, which samples name instead of it */
	bool is_last;	   /* of those that were asked at one moment */
	double share, cpu; /* cpu: seconds */
};

#define MAX_LOADS 500000

struct state {
	struct groups sampled[2]; /* by thread, by second: samples */
	double of_virtual;	  /* samples of virtual threads */
	struct load *loads;
	size_t count, room;
};

/* "ForkJoinPool-1-worker-3": threads of the common pool are called "ForkJoinPool.commonPool-...". */
static bool is_carrier(const char *name)
{
	return strncmp(name, "ForkJoinPool-", 13) == 0 && strstr(name, "-worker-");
}

static void take_load(struct state *s, const struct event *e)
{
	struct load load = { .at_ns = e->start_ns,
			     .thread = event_thread(e, THREAD),
			     .is_ours = is_jvm_thread(event_text_of(e, event_text(e, THREAD))),
			     .is_carrier = is_carrier(event_text_of(e, event_text(e, THREAD))),
			     .share = event_number(e, USER) };

	if (!isnan(load.share) && s->count < MAX_LOADS &&
	    !collect_push((void **)&s->loads, &s->count, &s->room, &load, sizeof(load)))
		event_no_memory(e);
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;

	if (e->input == LOAD) {
		take_load(s, e);
	} else if (e->input == SAMPLE) {
		uint32_t thread = event_thread(e, THREAD);

		s->of_virtual += event_thread_is_virtual(e, thread);
		groups_add(&s->sampled[0], e, (uint32_t[4]){ thread }, 1, NULL);
		s->sampled[1].limit = 100000;
		groups_add(&s->sampled[1], e, (uint32_t[4]){ (uint32_t)(e->start_ns / SECOND_NS) },
			   1, NULL);
	}
}

static void fini(void *state)
{
	struct state *s = state;

	groups_fini(&s->sampled[0]);
	groups_fini(&s->sampled[1]);
	collect_free(s->loads);
}

static double sum_of(const struct groups *g, uint32_t thread)
{
	const struct group *of = groups_find(g, (uint32_t[4]){ thread });

	return of ? of->sum : 0;
}

static int compare_loads(const void *a, const void *b)
{
	const struct load *x = a, *y = b;

	if (x->at_ns != y->at_ns)
		return x->at_ns < y->at_ns ? -1 : 1;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

/* Are all threads asked one at a time, since there is but one? */
static bool is_lone(const struct state *s)
{
	for (size_t i = 1; i < s->count; i++) {
		if (s->loads[i].at_ns == s->loads[i - 1].at_ns)
			return false;
	}
	return true;
}

static uint32_t greatest_thread(const struct state *s)
{
	uint32_t most = 0;

	for (size_t i = 0; i < s->count; i++)
		most = s->loads[i].thread > most ? s->loads[i].thread : most;
	return most;
}

/*
 * The first asking reaches back to the start of each thread, which may be long before the
 * recording: what was used then is no more than at the next asking; nothing, if there is none.
 */
static void limit_first(struct judging *j, struct state *s, size_t first)
{
	double *later = judging_memory(j, ((size_t)greatest_thread(s) + 1) * sizeof(*later));

	if (!later)
		return;
	for (size_t k = s->count; k > first; k--)
		later[s->loads[k - 1].thread] = s->loads[k - 1].share;
	for (size_t i = 0; i < first; i++)
		s->loads[i].share = fmin(s->loads[i].share, later[s->loads[i].thread]);
}

/* The moments of the first asking: those of all threads at once. */
static size_t first_asking(const struct state *s)
{
	size_t n = 0;

	while (n < s->count && s->loads[n].at_ns == s->loads[0].at_ns)
		n++;
	return n;
}

/* Did the JVM start so long before the recording that threads did much before it? */
static bool began_later(const struct facts *f, int64_t period)
{
	return f->jvm_start_ns == NO_NUMBER ||
	       long_subtract(f->start_ns, f->jvm_start_ns) > period / 2;
}

/*
 * Work out the CPU seconds. All threads are asked at one moment, once in a period; a thread that
 * ends is asked then, too, alone, about the time since that moment.
 */
static void find_cpu(struct judging *j, struct state *s)
{
	int64_t period = type_period_ns(j, "jdk.ThreadCPULoad"), asked = j->facts->start_ns;
	const struct load *l = s->loads;
	bool lone;

	period = period > 0 ? period : INT64_C(10000000000);
	if (s->count)
		qsort(s->loads, s->count, sizeof(*s->loads), compare_loads);
	lone = is_lone(s);
	if (began_later(j->facts, period))
		limit_first(j, s, first_asking(s));
	for (size_t i = 0, next; i < s->count; i = next) {
		int64_t ns = long_subtract(l[i].at_ns, asked);

		ns = ns < 0 ? 0 : ns > period ? period : ns;
		for (next = i; next < s->count && l[next].at_ns == l[i].at_ns; next++)
			s->loads[next].cpu = l[next].share * seen_cpus(j) * (double)ns / 1e9;
		if (next - i > 1 || (lone && ns >= period * 9 / 10) || next == s->count) {
			asked = l[i].at_ns;
			s->loads[next - 1].is_last = true;
		}
	}
}

/* CPU seconds of a thread, or samples of a second. */
struct used {
	uint32_t key;
	double cpu;
};

static int compare_keys(const void *a, const void *b)
{
	const struct used *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

static int compare_used(const void *a, const void *b)
{
	const struct used *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu > y->cpu ? -1 : 1;
	return compare_keys(a, b);
}

/* Those of the application, the thread with most first. The memory is the judging's. */
static size_t sum_up(struct judging *j, const struct state *s, struct used **list)
{
	struct used *u = s->count ? judging_memory(j, s->count * sizeof(*u)) : NULL;
	size_t n = 0, kept = 0;

	*list = u;
	for (size_t i = 0; u && i < s->count; i++) {
		if (!s->loads[i].is_ours)
			u[n++] = (struct used){ s->loads[i].thread, s->loads[i].cpu };
	}
	if (n)
		qsort(u, n, sizeof(*u), compare_keys);
	for (size_t i = 0; i < n; i++) {
		if (kept && u[kept - 1].key == u[i].key)
			u[kept - 1].cpu += u[i].cpu;
		else
			u[kept++] = u[i];
	}
	if (kept)
		qsort(u, kept, sizeof(*u), compare_used);
	return kept;
}

struct reached {
	double expected, samples, cpu;
};

/* The seconds that have samples, in their order. */
struct seconds {
	struct used *list;
	size_t count, next; /* before `next` are those that earlier times have passed */
};

static struct seconds seconds_of(struct judging *j, const struct groups *by_second)
{
	struct seconds s = { by_second->count
				     ? judging_memory(j, by_second->count * sizeof(*s.list))
				     : NULL,
			     0, 0 };

	for (uint32_t i = 0; s.list && i < by_second->count; i++)
		s.list[s.count++] = (struct used){ by_second->list[i].key[0],
						   by_second->list[i].sum };
	if (s.count)
		qsort(s.list, s.count, sizeof(*s.list), compare_keys);
	return s;
}

/*
 * Samples within a time that begins no earlier than the one asked for before; of a second that lies
 * in it in part, as large a part.
 */
static double samples_between(struct seconds *s, int64_t from_ns, int64_t to_ns)
{
	double sum = 0;

	for (size_t i = s->next; i < s->count; i++) {
		int64_t from = (int64_t)s->list[i].key * SECOND_NS, to = from + SECOND_NS;

		if (to <= from_ns)
			s->next = i + 1;
		if (from >= to_ns)
			break;
		from = from > from_ns ? from : from_ns;
		to = to < to_ns ? to : to_ns;
		if (to > from)
			sum += s->list[i].cpu * (double)(to - from) / (double)SECOND_NS;
	}
	return sum;
}

/* From one moment of asking to the next; only where enough is expected. */
static struct reached count(struct judging *j, const struct state *s, double period)
{
	struct seconds seconds = seconds_of(j, &s->sampled[1]);
	struct reached all = { 0 };
	int64_t from = j->facts->start_ns;
	double cpu = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct load *l = &s->loads[i];
		double lasted = (double)long_subtract(l->at_ns, from) / 1e9, running, expected;

		cpu += l->is_ours ? 0 : l->cpu;
		if (!l->is_last || lasted <= 0)
			continue;
		running = cpu / lasted;
		expected = (running < AT_ONCE ? running : AT_ONCE) / period * lasted;
		if (expected >= ENOUGH_PER_SECOND * lasted) {
			all.expected += expected;
			all.cpu += cpu;
			all.samples += samples_between(&seconds, from, l->at_ns);
		}
		from = l->at_ns;
		cpu = 0;
	}
	return all;
}

/*
 * Threads that burn CPU and are hardly sampled. Returns the share of CPU time that is theirs. due:
 * what of the samples all threads have.
 */
static double hardly_sampled(struct judging *j, struct state *s, double period, double due,
			     bool show)
{
	struct used *threads;
	size_t n = sum_up(j, s, &threads);
	double all = 0, missed = 0, running, each;
	unsigned shown = 0;

	for (size_t i = 0; i < n; i++)
		all += threads[i].cpu;
	running = all / ((double)recorded_ns(j) / 1e9);
	each = (running > AT_ONCE ? AT_ONCE / running : 1) * due;
	for (size_t i = 0; i < n; i++) {
		double cpu = threads[i].cpu, samples = sum_of(&s->sampled[0], threads[i].key);

		/* Samples name the virtual threads that a carrier ran. */
		if (s->of_virtual > 0 && is_carrier(thread_of(j, threads[i].key).name))
			continue;
		if (cpu < 1 || samples >= 0.1 * each * cpu / period)
			continue;
		missed += cpu;
		if (show && shown++ < 5)
			show_thread(j, textf(j, "used %s of CPU, sampled %s times",
					     span_text(j, cpu * 1e9), count_text(j, samples)),
				    threads[i].key, all > 0 ? cpu / all : NAN);
	}
	/* Of a program that hardly works it does not matter. */
	return all > 0 && missed >= LEAST_MISSED * (double)recorded_ns(j) / 1e9 ? missed / all : 0;
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	double period = (double)type_period_ns(j, "jdk.ExecutionSample") / 1e9, missed, due = 1;
	struct reached r;
	bool is_taken;

	if (is_foreign_sampler(j))
		return;
	if (period <= 0)
		period = 0.02;
	find_cpu(j, s);
	r = count(j, s, period);
	is_taken = processors_were_taken(j, j->facts->start_ns, j->facts->end_ns);
	/* The sampler is a thread, too: what it misses then it misses of all. */
	if (is_taken && r.samples < r.expected)
		due = r.samples / r.expected;
	missed = hardly_sampled(j, s, period, due, false);
	if (r.expected < ENOUGH_EXPECTED) {
		too_few(j, "The program used too little CPU to expect %d samples", ENOUGH_EXPECTED);
		return;
	}
	judge_by(j, r.samples < r.expected ? 1 - r.samples / r.expected : 0);
	if (is_found(j) && is_taken) {
		judge_at_most(j, JFREC_SEVERITY_INFO);
		doubt(j, "other processes had most of the processors, and the sampler had to wait for "
			 "one: see cpu-others");
	}
	if (missed >= 0.25)
		judge_at_least(j, JFREC_SEVERITY_WARNING);
	/* The other sampler, where there is one, has what is missing. */
	if (type_count(j, "jdk.CPUTimeSample"))
		judge_at_most(j, JFREC_SEVERITY_INFO);
	summarize(j,
		  "%s of the samples are missing: after start-up %s were taken instead of the "
		  "expected %s for %s of CPU %s",
		  percent_text(j, fmax(0, 1 - r.samples / r.expected)),
		  count_text(j, floor(r.samples)), count_text(j, floor(r.expected)),
		  span_text(j, r.cpu * 1e9), limit_text(j));
	if (missed >= 0.25)
		summarize(j, "Threads that used %s of the CPU were hardly sampled", percent_text(j, missed));
	if (!is_found(j))
		return;
	show_quantity(j, "samples in times of much work", floor(r.samples), JFREC_UNIT_NONE);
	show_quantity(j, "samples expected then", floor(r.expected), JFREC_UNIT_NONE);
	hardly_sampled(j, s, period, due, true);
	if (type_count(j, "jdk.CPUTimeSample"))
		advise(j, "Do not trust the profile of these threads; that of jdk.CPUTimeSample, which "
			  "`flame --profile cpu` shows, has them");
	show_command_if(j, "jdk.ThreadCPULoad", "view thread-cpu-load");
}

const struct rule rule_sampling_reached = {
	.info = {
		.id = "sampling-reached",
		.question = "How many samples should there be, and how many are there?",
		.matters = "A profile shows only what the sampler saw. If it missed most "
			   "samples of some threads, the hottest method may not be in it.",
		.computes = "Expects one jdk.ExecutionSample for each period of CPU time that "
			    "application threads used outside of the kernel (jdk.ThreadCPULoad), of five threads at most, "
			    "and 250 samples in all. Threads that used 25 % of the CPU and have less "
			    "than a tenth of their samples are a warning; carriers of virtual threads "
			    "are left out, since samples name the virtual threads. All missing alike "
			    "is info at most while other processes had most of the processors "
			    "(jdk.CPULoad).",
		.measures = "samples that are missing",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.5,
		.warning = 0.8,
		.advice = "Do not trust the profile of these threads: on JDK 25 and later record "
			  "jdk.CPUTimeSample, else use async-profiler",
		.beware = "Up to JDK 24 a sample at a place without debug information is dropped "
			  "without a trace; threads inside the JVM are never sampled.",
	},
	.about = ABOUT_RECORDING,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
