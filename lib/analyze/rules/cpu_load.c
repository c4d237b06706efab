/* SPDX-License-Identifier: MIT */
/*
 * cpu_load.c - is the JVM short of processors, or do others take them?
 */
#include <stdlib.h>

#include "analyze/rules.h"
#include "analyze/samples.h"

#define WINDOW_NS INT64_C(60000000000)

/* The JVM's own load --------------------------------------------------------------------------- */

static const char *const jvm_jmc[] = { "HighJvmCpu", "FewSampledThreads", NULL };

enum { LOAD, THREAD_LOAD };
enum { USER, SYSTEM, THREAD };

static const struct reads jvm_inputs[] = {
	READS("jdk.CPULoad", PERIODIC),
	READS("jdk.ThreadCPULoad", HELPS, "user", "system", "eventThread"),
	READS("jdk.CPUInformation", HELPS),
	READS("jdk.ContainerConfiguration", HELPS),
	READS("jdk.ExecutionSample", HELPS),
	{ 0 },
};

struct loads {
	struct groups threads;
};

static void take_thread(void *state, const struct event *e)
{
	struct loads *s = state;

	if (e->input == THREAD_LOAD)
		groups_add(&s->threads, e, (uint32_t[4]){ event_thread(e, THREAD) },
			   event_number(e, USER) + event_number(e, SYSTEM), NULL);
}

static void free_loads(void *state)
{
	groups_fini(&((struct loads *)state)->threads);
}

/* Were values noted for about a minute? A busy start-up or a short job is not a lack. */
static bool has_minute(const struct facts *f)
{
	return f->load_count && f->load[f->load_count - 1].at_ns - f->load[0].at_ns >=
					WINDOW_NS * 9 / 10;
}

/* The greatest mean of a minute, or of all if it is shorter; NAN. */
static double worst_minute(const struct judging *j, int64_t *at_ns)
{
	const struct facts *f = j->facts;
	double sum = 0, worst = NAN;
	size_t from = 0, n = 0;

	for (size_t i = 0; i < f->load_count; i++) {
		sum += (double)f->load[i].jvm;
		n++;
		while (f->load[i].at_ns - f->load[from].at_ns > WINDOW_NS) {
			sum -= (double)f->load[from++].jvm;
			n--;
		}
		if (f->load[i].at_ns - f->load[0].at_ns < WINDOW_NS * 9 / 10 &&
		    i + 1 < f->load_count)
			continue;
		if (isnan(worst) || sum / (double)n > worst) {
			worst = sum / (double)n;
			*at_ns = f->load[from].at_ns;
		}
	}
	return worst;
}

static void show_threads(struct judging *j, struct loads *s)
{
	double hw = seen_cpus(j);

	groups_sort(&s->threads);
	for (uint32_t i = 0; i < s->threads.count && i < 5; i++) {
		const struct group *g = &s->threads.list[i];

		if (hw > 0 && !isnan(g->sum))
			show_name(j, JFREC_EVIDENCE_THREAD,
				  textf(j, "%s of a processor in the mean of %s times",
					percent_text(j, g->sum / (double)g->count * hw),
					count_text(j, (double)g->count)),
				  thread_of(j, g->key[0]).name, NAN);
	}
}

/* The mean load of the application's busiest thread; 0: unknown. */
static double busiest(const struct judging *j, const struct loads *s, uint32_t *thread)
{
	for (uint32_t i = 0; i < s->threads.count; i++) {
		const struct group *g = &s->threads.list[i];

		if (g->count < 2 || is_jvm_thread(thread_of(j, g->key[0]).name))
			continue;
		*thread = g->key[0];
		return g->sum / (double)g->count;
	}
	return 0;
}

static bool load_is_wrong(struct judging *j)
{
	if (!j->facts->load_is_wrong)
		return false;
	none_came(j, "jdk.CPULoad of this JVM is far less than what its threads used: it counts the "
		     "JVM's time in a wrong unit (known of macOS on ARM, up to JDK 20)");
	return true;
}

static void judge_jvm(void *state, struct judging *j)
{
	struct loads *s = state;
	double hw = (double)j->facts->hw_threads, cpus = seen_cpus(j), load, of_usable;
	uint32_t thread = 0;
	double alone;
	int64_t at = 0;

	if (load_is_wrong(j))
		return;
	load = worst_minute(j, &at);
	if (isnan(load)) {
		none_came(j, "jdk.CPULoad has no values");
		return;
	}
	of_usable = hw > 0 && cpus > 0 ? fmin(1, load * hw / cpus) : load;
	judge_by(j, of_usable);
	if (!has_minute(j->facts))
		judge_at_most(j, JFREC_SEVERITY_INFO);
	summarize(j, "The JVM used %s of the processors that it may use, in the %s from %s %s",
		  percent_text(j, of_usable), has_minute(j->facts) ? "minute" : "time",
		  time_text(j, at), limit_text(j));
	if (hw > 0)
		show_quantity(j, "processors used", load * hw, JFREC_UNIT_NONE);
	if (!isnan(busy_by_threads(j, false))) {
		show_quantity(j, "processors used in the mean, by the JVM's load", busy_cpus(j),
			      JFREC_UNIT_NONE);
		show_quantity(j, "processors used in the mean, by its threads",
			      busy_by_threads(j, false), JFREC_UNIT_NONE);
	}
	show_quantity(j, "processors that it may use", cpus, JFREC_UNIT_NONE);
	show_threads(j, s);
	show_command(j, "view cpu-load-samples");
	alone = hw > 0 ? busiest(j, s, &thread) * cpus : 0;
	if (!is_found(j) && alone >= 0.9 && cpus >= 2 && load * hw < 1.5) {
		judge_at_least(j, JFREC_SEVERITY_INFO);
		summarize(j, "One thread, %s, is always at work while %s other processor%s little to do",
			  thread_of(j, thread).name, count_text(j, cpus - 1),
			  cpus - 1 == 1 ? " has" : "s have");
		advise(j, "Let more threads share its work");
	}
}

const struct rule rule_cpu_jvm = {
	.info = {
		.id = "cpu-jvm",
		.jmc = jvm_jmc,
		.question = "Is the JVM short of processors?",
		.matters = "A JVM that uses all it may use has no reserve: each further "
			   "request makes all others slower.",
		.computes = "The mean load of the JVM (jdk.CPULoad) in the worst minute, of the "
			    "processors that it may use: in a container those of its quota, in whole "
			    "processors. With less than a minute of values it is info at most. One "
			    "thread that is always at work while the others have little to do is "
			    "info.",
		.measures = "mean load of the worst minute, of the processors that may be used",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.75,
		.warning = 0.90,
		.advice = "See hot-method for what the time goes into, or give the JVM more processors",
		.beware = "A batch job that uses all it may use is as it should be.",
		.differs = "The limits of JDK Mission Control's rule are such that it never speaks.",
	},
	.about = ABOUT_SYMPTOM,
	.curve = CURVE,
	.inputs = jvm_inputs,
	.state_size = sizeof(struct loads),
	.take = take_thread,
	.judge = judge_jvm,
	.fini = free_loads,
};

/* Other processes ------------------------------------------------------------------------------ */

static const char *const others_jmc[] = { "CompareCpu", "ManyRunningProcesses", NULL };

static const struct reads others_inputs[] = {
	READS("jdk.CPULoad", PERIODIC),
	READS("jdk.SystemProcess", HELPS),
	READS("jdk.ContainerConfiguration", HELPS),
	{ 0 },
};

struct stretch {
	int64_t from_ns, to_ns;
	double value;
};

static double others_at(const struct cpu_load *l)
{
	double machine = fmin(1, (double)l->machine), others = machine - (double)l->jvm;

	return others > 0 ? others * machine : 0;
}

/* Neighbours are joined, pass by pass, while the mean of both is over 40 %. */
static size_t join(struct stretch *list, size_t count)
{
	size_t n = 0;

	for (size_t i = 1; i < count; i++) {
		double mean = (list[n].value + list[i].value) / 2;

		if (mean > 0.4) {
			list[n].to_ns = list[i].to_ns;
			list[n].value = mean;
		} else {
			list[++n] = list[i];
		}
	}
	return count ? n + 1 : 0;
}

static struct stretch longest_stretch(const struct facts *f)
{
	size_t count = f->load_count > 1 ? f->load_count - 1 : 0, before;
	struct stretch *list = calloc(count + 1, sizeof(*list)), best = { 0 };

	for (size_t i = 0; list && i < count; i++)
		list[i] = (struct stretch){ f->load[i].at_ns, f->load[i + 1].at_ns,
					    (others_at(&f->load[i]) + others_at(&f->load[i + 1])) /
						    2 };
	do {
		before = count;
		count = list ? join(list, count) : 0;
	} while (count < before);
	for (size_t i = 0; i < count; i++) {
		if (list[i].to_ns - list[i].from_ns > best.to_ns - best.from_ns)
			best = list[i];
	}
	free(list);
	return best;
}

static void judge_others(void *state, struct judging *j)
{
	struct stretch s = longest_stretch(j->facts);
	bool in_container = j->facts->has_container;

	(void)state;
	if (load_is_wrong(j))
		return;
	if (j->facts->load_count < 2) {
		too_few(j, "%zu values of jdk.CPULoad say nothing; 2 are needed",
			j->facts->load_count);
		return;
	}
	judge_by(j, s.value);
	summarize(j, "Other processes %stook %s of the processors for %s from %s, counted the more the "
		     "busier the machine was %s",
		  in_container ? "of the host " : "", percent_text(j, s.value),
		  span_text(j, (double)(s.to_ns - s.from_ns)), time_text(j, s.from_ns),
		  limit_text(j));
	show_range(j, "when", s.from_ns, s.to_ns);
	if (type_count(j, "jdk.SystemProcess"))
		show_quantity(j, "processes noted, of all lists",
			      (double)type_count(j, "jdk.SystemProcess"), JFREC_UNIT_NONE);
	show_command(j, "view cpu-load-samples");
}

const struct rule rule_cpu_others = {
	.info = {
		.id = "cpu-others",
		.jmc = others_jmc,
		.question = "Do other processes take the processors?",
		.matters = "If other processes use the processors, the application is slow for "
			   "no reason of its own, and changing it will not help.",
		.computes = "What other processes use (jdk.CPULoad: the machine less the JVM), counted "
			    "the more the busier the machine is, over the longest time in which "
			    "it does not change much.",
		.measures = "load by others, times the load of the machine",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.2,
		.warning = INFINITY,
		.advice = "Find out what else runs on this machine, or give the JVM processors of its "
			  "own",
		.beware = "In a container this is the work of other containers.",
		.differs = "JDK Mission Control can warn; here the work of other processes is info at most.",
	},
	.about = ABOUT_SYMPTOM,
	.inputs = others_inputs,
	.judge = judge_others,
};
