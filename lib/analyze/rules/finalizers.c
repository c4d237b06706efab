/* SPDX-License-Identifier: MIT */
/*
 * finalizers.c - does code depend on finalization, which will be removed?
 */
#include "analyze/rules.h"

#define BACKLOG 10000

/* Finalizers a second: each object is registered, lives for one more collection, and waits. */
#define MANY 10000

static const char *const jmc[] = { "FinalizersRun", NULL };

enum { CLASS, SOURCE, OBJECTS, RUN };

static const struct reads inputs[] = {
	READS("jdk.FinalizerStatistics", OCCURS, "finalizableClass", "codeSource", "objects",
	      "totalFinalizersRun"),
	{ 0 },
};

struct state {
	struct groups run;     /* class, source: finalizers run in all */
	struct groups waiting; /* class, source: objects that wait */
};

static bool is_of_platform(const char *class)
{
	static const char *const prefixes[] = { "java.", "javax.", "sun.",   "com.sun.", "jdk.",
						"scala.", "kotlin.", "kotlinx.", "groovy.", "closure." };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		if (strncmp(class, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	}
	return false;
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	uint32_t class = event_text(e, CLASS);
	uint32_t key[4] = { class, event_text(e, SOURCE) };
	double run = event_number(e, RUN), waiting = event_number(e, OBJECTS);
	struct group *g;

	if (is_of_platform(event_text_of(e, class)) || isnan(run))
		return;
	g = groups_add(&s->run, e, key, run, NULL);
	if (g && (g->count == 1 || run < g->first))
		g->first = run;
	groups_add(&s->waiting, e, key, isnan(waiting) ? 0 : waiting, NULL);
}

static void fini(void *state)
{
	struct state *s = state;

	groups_fini(&s->run);
	groups_fini(&s->waiting);
}

/* A chunk may have one event, at its end: then the time since the JVM started is all there is. */
static double rate_of(const struct judging *j, double all, double here)
{
	const struct facts *f = j->facts;
	double recorded = (double)recorded_ns(j), up = (double)(f->end_ns - f->jvm_start_ns);

	if (here > 0 && recorded >= 1e9)
		return here * 1e9 / recorded;
	return f->jvm_start_ns > 0 && up >= 1e9 ? all * 1e9 / up : 0;
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	double all = 0, here = 0, backlog = 0, rate;
	const struct group *most = NULL;
	bool was_asked_twice = false;
	unsigned ran = 0;

	for (uint32_t i = 0; i < s->run.count; i++) {
		const struct group *g = &s->run.list[i];

		all += g->most;
		here += g->most - g->first;
		ran += g->most > 0;
		was_asked_twice |= g->count > 1;
		if (!most || g->most > most->most)
			most = g;
	}
	for (uint32_t i = 0; i < s->waiting.count; i++)
		backlog = fmax(backlog, s->waiting.list[i].most);
	judge_by(j, backlog);
	rate = rate_of(j, all, here);
	if (all > 0)
		judge_at_least(j, rate >= MANY ? JFREC_SEVERITY_WARNING : JFREC_SEVERITY_INFO);
	if (!is_found(j)) {
		summarize(j, "No finalizers of the application or its libraries were run");
		return;
	}
	summarize(j, "Finalizers of %u class%s were run, %s times since the JVM started%s", ran,
		  ran == 1 ? "" : "es", count_text(j, all),
		  was_asked_twice ? textf(j, ", %s of these while it was recorded", count_text(j, here))
				  : "");
	show_name(j, JFREC_EVIDENCE_CLASS, "most often", text_at(j, most->key[0]),
		  all > 0 ? most->most / all : NAN);
	show_name(j, JFREC_EVIDENCE_FILE, "from", text_at(j, most->key[1]), NAN);
	show_quantity(j, "objects of one class that wait for it, at most", backlog,
		      JFREC_UNIT_NONE);
	if (rate >= 1)
		show_quantity(j, "finalizers a second", rate, JFREC_UNIT_NONE);
	show_command(j, "view finalizers");
	if (backlog >= j->warning)
		advise(j, "The finalizer thread is late, so memory is held: close these objects in the "
			  "code (AutoCloseable, Cleaner)");
}

const struct rule rule_finalizers = {
	.info = {
		.id = "finalizers",
		.jmc = jmc,
		.question = "Does code depend on finalization, which will be removed?",
		.matters = "Objects with finalize() are kept until one thread gets round to "
			   "them, so memory fills. A later JDK will no longer call finalize() "
			   "at all.",
		.computes = "Looks for finalizers that were run, of classes that are not the JDK's "
			    "(jdk.FinalizerStatistics, whose counters are since the start of the "
			    "JVM). Ten thousand objects that wait are a warning, and so are ten thousand "
			    "finalizers a second.",
		.measures = "objects of one class that wait for their finalizer",
		.unit = JFREC_UNIT_NONE,
		.info = BACKLOG,
		.warning = BACKLOG,
		.advice = "Replace finalize() by AutoCloseable or java.lang.ref.Cleaner; try the "
			  "program with --finalization=disabled",
		.differs = "JDK Mission Control adds up counters that are sums already.",
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
