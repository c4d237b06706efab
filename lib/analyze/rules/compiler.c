/* SPDX-License-Identifier: MIT */
/*
 * compiler.c - does the JIT compiler keep up, or compile and throw away?
 */
#include "analyze/rules.h"
#include "analyze/samples.h"

enum { DEOPTIMIZATION, QUEUE, COMPILATION, LOAD };
enum { METHOD, REASON, LINE };
enum { COMPILER, QUEUED };
enum { COMPILED_METHOD, SUCCEEDED };
enum { LOAD_USER, LOAD_SYSTEM, LOAD_THREAD };

/* So many compilations of one method that fail. */
#define FAILING 3

/* The start of a JVM, in which compilers are busy. */
#define START_NS INT64_C(60000000000)

/* After it they have this share of what the JVM uses of the processors, and this much. */
#define JIT_SHARE 0.30
#define JIT_CPUS  0.20

/* So long it must have been recorded for that. */
#define JIT_NS INT64_C(30000000000)

/* A queue that grows for so long. */
#define GROWS_NS INT64_C(60000000000)

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.Deoptimization", OCCURS, "method", "reason", "lineNumber"),
	READS_EITHER(1, "jdk.CompilerQueueUtilization", PERIODIC, "compiler", "queueSize"),
	READS_EITHER(1, "jdk.Compilation", OCCURS, "method", "succeded"),
	READS("jdk.ThreadCPULoad", HELPS, "user", "system", "eventThread"),
	READS("jdk.CPULoad", HELPS),
	{ 0 },
};

struct state {
	struct groups thrown_away; /* method, reason, line */
	struct groups by_second;   /* deoptimizations */
	struct groups failed;	   /* method */
	struct series queue;
	struct series jit, others; /* loads of threads */
};

/* Of each thread, for the period before the event. */
static void take_load(struct state *s, const struct event *e)
{
	const char *name = event_text_of(e, event_text(e, LOAD_THREAD));
	double load = event_number(e, LOAD_USER) + event_number(e, LOAD_SYSTEM);
	bool is_jit = strncmp(name, "C1 CompilerThread", 17) == 0 ||
		      strncmp(name, "C2 CompilerThread", 17) == 0;

	if (load > 0)
		series_add(is_jit ? &s->jit : &s->others, e, e->start_ns, load);
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;

	if (e->input == DEOPTIMIZATION) {
		groups_add(&s->thrown_away, e,
			   (uint32_t[4]){ event_text(e, METHOD), event_text(e, REASON),
					  (uint32_t)event_long(e, LINE) },
			   1, NULL);
		groups_add(&s->by_second, e,
			   (uint32_t[4]){ (uint32_t)(e->start_ns / 1000000000) }, 1, NULL);
	} else if (e->input == QUEUE) {
		series_add(&s->queue, e, e->start_ns, event_number(e, QUEUED));
	} else if (e->input == LOAD) {
		take_load(s, e);
	} else if (event_long(e, SUCCEEDED) == 0) {
		groups_add(&s->failed, e, (uint32_t[4]){ event_text(e, COMPILED_METHOD) }, 1, NULL);
	}
}

static void fini(void *state)
{
	struct state *s = state;

	groups_fini(&s->thrown_away);
	groups_fini(&s->by_second);
	groups_fini(&s->failed);
	series_fini(&s->queue);
	series_fini(&s->jit);
	series_fini(&s->others);
}

static int64_t warm(const struct judging *j)
{
	return j->facts->warm_ns != NO_NUMBER ? j->facts->warm_ns : j->facts->start_ns;
}

/* The most within a second, after start-up. */
static const struct group *busiest_second(const struct judging *j, const struct groups *seconds)
{
	const struct group *most = NULL;

	for (uint32_t i = 0; i < seconds->count; i++) {
		const struct group *g = &seconds->list[i];

		if (g->first_ns >= warm(j) &&
		    (!most || g->count > most->count ||
		     (g->count == most->count && g->first_ns < most->first_ns)))
			most = g;
	}
	return most;
}

static void judge_thrown_away(struct judging *j, struct state *s)
{
	const struct group *second = busiest_second(j, &s->by_second), *worst;

	groups_sort(&s->thrown_away);
	if (!s->thrown_away.count)
		return;
	worst = &s->thrown_away.list[0];
	judge_by(j, (double)worst->count);
	if (is_found(j)) {
		summarize(j, "The code of %s was thrown away %s times, since %s did not hold %s",
			  text_at(j, worst->key[0]), count_text(j, (double)worst->count),
			  text_at(j, worst->key[1]), limit_text(j));
		show_name(j, JFREC_EVIDENCE_METHOD,
			  textf(j, "line %u, reason %s", worst->key[2], text_at(j, worst->key[1])),
			  text_at(j, worst->key[0]),
			  (double)worst->count / (double)groups_count(&s->thrown_away));
	} else if (second && second->count > 100) {
		judge_at_least(j, JFREC_SEVERITY_INFO);
		summarize(j, "Compiled code was thrown away %s times within a second, at %s, after "
			     "start-up",
			  count_text(j, (double)second->count), time_text(j, second->first_ns));
		show_range(j, "most", second->first_ns, second->last_ns);
	}
	if (is_found(j))
		show_command(j, "view deoptimizations-by-reason");
}

static void judge_queue(struct judging *j, struct state *s)
{
	int64_t from = warm(j), last;
	double slope;

	series_sort(&s->queue);
	if (!s->queue.count)
		return;
	last = s->queue.list[s->queue.count - 1].at_ns;
	slope = last - from >= GROWS_NS ? series_slope(&s->queue, from) : 0;
	if (!(slope > 0) || slope * (double)(last - from) / 1e9 < 100)
		return;
	judge_at_least(j, JFREC_SEVERITY_INFO);
	summarize(j, "The compiler's queue grew after start-up, by %s methods a second",
		  count_text(j, slope));
	show_range(j, "grew", from, last);
	advise(j, "Give the JVM more than one CPU, or more compiler threads (-XX:CICompilerCount)");
}

static void judge_failed(struct judging *j, struct state *s)
{
	groups_sort(&s->failed);
	if (!s->failed.count || s->failed.list[0].count < FAILING)
		return;
	judge_at_least(j, JFREC_SEVERITY_INFO);
	show_name(j, JFREC_EVIDENCE_METHOD,
		  textf(j, "failed to compile %s times",
			count_text(j, (double)s->failed.list[0].count)),
		  text_at(j, s->failed.list[0].key[0]), NAN);
	summarize(j, "%s could not be compiled, %s times", text_at(j, s->failed.list[0].key[0]),
		  count_text(j, (double)s->failed.list[0].count));
	advise(j, "Split the method: huge ones stay interpreted");
	show_command(j, "print --events jdk.CompilationFailure");
}

/* What threads used on average, in processors, of what each event says for a period. */
static double cpus_from(const struct judging *j, const struct series *loads, int64_t from_ns)
{
	double length = (double)(j->facts->end_ns - from_ns), sum = 0;

	for (size_t i = 0; i < loads->count; i++)
		sum += loads->list[i].at_ns >= from_ns ? loads->list[i].value : 0;
	return sum * seen_cpus(j) * (double)type_period_ns(j, "jdk.ThreadCPULoad") / length;
}

/* By jdk.CPULoad: also what the collectors use. */
static double jvm_cpus_from(const struct judging *j, int64_t from_ns)
{
	const struct facts *f = j->facts;
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < f->load_count; i++) {
		if (f->load[i].at_ns < from_ns)
			continue;
		sum += (double)f->load[i].jvm;
		n++;
	}
	return n && f->hw_threads > 0 ? sum / (double)n * (double)f->hw_threads : 0;
}

static void judge_cost(struct judging *j, const struct state *s)
{
	int64_t began = j->facts->jvm_start_ns > 0 ? j->facts->jvm_start_ns : j->facts->start_ns;
	int64_t from = began + START_NS;
	double jit, all;

	/* A thread's first value may be of long before the recording. */
	if (from < j->facts->start_ns + type_period_ns(j, "jdk.ThreadCPULoad") / 2)
		from = j->facts->start_ns + type_period_ns(j, "jdk.ThreadCPULoad") / 2;
	if (j->facts->end_ns - from < JIT_NS)
		return;
	jit = cpus_from(j, &s->jit, from);
	/* On some systems the one is too small; the greater is right. */
	all = fmax(jvm_cpus_from(j, from), jit + cpus_from(j, &s->others, from));
	if (jit < JIT_CPUS || jit < JIT_SHARE * all)
		return;
	judge_at_least(j, JFREC_SEVERITY_INFO);
	summarize(j, "The compilers used %s processors, %s of all that the JVM used, and that more than "
		     "a minute after its start",
		  count_text(j, jit), percent_text(j, fmin(1, jit / all)));
	show_range(j, "when", from, j->facts->end_ns);
	advise(j, "Code that is always new is always being compiled: look for generated "
		  "classes (class-loading), and for code that is thrown away "
		  "(deoptimizations-by-reason)");
}

static void judge(void *state, struct judging *j)
{
	summarize(j, "The compiler kept up, and seldom threw code away");
	judge_failed(j, state);
	judge_cost(j, state);
	judge_queue(j, state);
	judge_thrown_away(j, state);
}

const struct rule rule_compiler = {
	.info = {
		.id = "compiler",
		.question = "Does the JIT compiler keep up, or compile and throw away?",
		.matters = "Code that is compiled and then discarded, over and over, costs "
			   "processors and runs slowly in between.",
		.computes = "Counts jdk.Deoptimization by method and reason; also info: more than 100 "
			    "within a second after start-up, a compiler queue that grows for a minute "
			    "(jdk.CompilerQueueUtilization, JDK 25 and later), a method that failed to "
			    "compile three times, compilers that have 30 % of what the JVM uses of "
			    "the processors (jdk.ThreadCPULoad) after its first minute.",
		.measures = "times that one method's code was thrown away for one reason",
		.unit = JFREC_UNIT_NONE,
		.info = 1000,
		.warning = 1000,
		.advice = "Look at the line: a branch or a type that was rare became common; splitting "
			  "the method there helps the compiler",
		.beware = "Failures such as \"out of nodes\" of single methods are normal.",
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
