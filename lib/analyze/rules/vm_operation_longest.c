/* SPDX-License-Identifier: MIT */
/*
 * vm_operation_longest.c - which VM operation stopped everything longest?
 */
#include "analyze/rules.h"

/* Operations of one kind and caller this close together are one. */
#define NEAR_NS 10000000

#define REDEFINED_NS 250e6
#define STARTING_NS  INT64_C(1000000000)

static const char *const jmc[] = { "VMOperations", "biasedLockingRevocationPause", NULL };

enum { OPERATION, SAFEPOINT, BLOCKING, CALLER };

static const struct reads inputs[] = {
	READS("jdk.ExecuteVMOperation", OCCURS, "operation", "safepoint", "blocking", "caller"),
	READS("jdk.GCPhasePause", HELPS),
	{ 0 },
};

struct state {
	struct spans operations; /* what the name, thread the caller */
	struct groups by_name;	/* name */
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	uint32_t name = event_text(e, OPERATION), caller = event_thread(e, CALLER);

	if (event_long(e, SAFEPOINT) != 1 && event_long(e, BLOCKING) != 1)
		return;
	spans_add(&s->operations, e, (struct span_of){ e->start_ns, e->end_ns, 0, name, caller });
	groups_add(&s->by_name, e, (uint32_t[4]){ name }, (double)event_duration(e), NULL);
}

static void fini(void *state)
{
	struct state *s = state;

	spans_fini(&s->operations);
	groups_fini(&s->by_name);
}

/* The rules about collections judge these. */
static bool is_collection(const char *name)
{
	static const char *const begins[] = { "G1", "Gen", "Parallel", "Serial", "Collect", "CMS",
					      "CGC", "Z", "X", "Shenandoah", "GC_", "Epsilon" };

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++) {
		if (strncmp(name, begins[i], strlen(begins[i])) == 0)
			return true;
	}
	return false;
}

/* The longest, neighbours joined. Collections are left out if they have rules of their own. */
static struct span_of longest(const struct judging *j, const struct spans *s, bool no_gc)
{
	struct span_of best = { 0 }, run = { 0 };

	for (size_t i = 0; i < s->count; i++) {
		struct span_of o = s->list[i];

		if (no_gc && is_collection(text_at(j, o.what)))
			continue;
		if (run.end_ns && run.what == o.what && run.thread == o.thread &&
		    o.start_ns - run.end_ns <= NEAR_NS) {
			if (o.end_ns > run.end_ns)
				run.end_ns = o.end_ns;
		} else {
			run = o;
		}
		if (run.end_ns - run.start_ns > best.end_ns - best.start_ns)
			best = run;
	}
	return best;
}

static void show_all(struct judging *j, struct state *s)
{
	groups_sort(&s->by_name);
	for (uint32_t i = 0; i < s->by_name.count && i < 5; i++) {
		const struct group *g = &s->by_name.list[i];

		show_quantity(j, textf(j, "%s, %s times", text_at(j, g->key[0]),
				       count_text(j, (double)g->count)),
			      g->sum, JFREC_UNIT_NS);
	}
}

static double revoked_ns(const struct judging *j, const struct state *s)
{
	double ns = 0;

	for (uint32_t i = 0; i < s->by_name.count; i++) {
		if (strstr(text_at(j, s->by_name.list[i].key[0]), "RevokeBias"))
			ns += s->by_name.list[i].sum;
	}
	return ns;
}

/* Agents change classes again and again, and no one counts on it. Recorders do it as they start. */
static bool is_of_agent(const struct judging *j, const struct span_of *o)
{
	return strcmp(text_at(j, o->what), "RedefineClasses") == 0 &&
	       strcmp(thread_of(j, o->thread).name, "Attach Listener") != 0 &&
	       o->start_ns - j->facts->start_ns >= STARTING_NS;
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	bool no_gc = type_presence(j, "jdk.GCPhasePause") >= TYPE_SILENT;
	double ns, revoked = revoked_ns(j, s);
	struct span_of worst;

	spans_sort(&s->operations);
	worst = longest(j, &s->operations, no_gc);
	ns = (double)(worst.end_ns - worst.start_ns);
	if (ns <= 0 && hidden_by_threshold(j, "jdk.ExecuteVMOperation", j->info))
		return;
	judge_by(j, ns);
	if (revoked >= 100e6)
		judge_at_least(j, JFREC_SEVERITY_INFO);
	if (is_of_agent(j, &worst) && ns >= REDEFINED_NS)
		judge_at_least(j, JFREC_SEVERITY_INFO);
	if (ns <= 0) {
		summarize(j, "No VM operation besides collections stopped the application");
		return;
	}
	summarize(j, "The VM operation %s stopped the application for %s at %s %s",
		  text_at(j, worst.what), span_text(j, ns), time_text(j, worst.start_ns),
		  limit_text(j));
	show_range(j, "when", worst.start_ns, worst.end_ns);
	show_thread(j, "called by", worst.thread, NAN);
	show_all(j, s);
	show_events(j, "jdk.ExecuteVMOperation", worst.start_ns, worst.end_ns, NULL);
	if (revoked >= 100e6 && ns < j->info)
		advise(j, "Taking biased locks back took %s: use -XX:-UseBiasedLocking, or JDK 18 or "
			  "later",
		       span_text(j, revoked));
}

const struct rule rule_vm_operation_longest = {
	.info = {
		.id = "vm-operation-longest",
		.jmc = jmc,
		.question = "Which VM operation stopped everything longest?",
		.matters = "During such an operation all threads stand still. Monitoring tools "
			   "and agents often ask for it, and their owners do not know what it "
			   "costs.",
		.computes = "Takes VM operations that block or need a safepoint "
			    "(jdk.ExecuteVMOperation), joins those of one kind and caller that are "
			    "10 ms apart or less, and takes the longest. Collections are left to "
			    "their own rules, where their pauses were recorded. Biased locks taken "
			    "back for 100 ms in all are info, and so are classes that are changed for "
			    "250 ms (RedefineClasses).",
		.measures = "longest VM operation",
		.unit = JFREC_UNIT_NS,
		.info = 1e9,
		.warning = 2e9,
		.advice = "Find the caller: thread dumps, heap dumps, class redefinition by agents and "
			  "deadlock checks are VM operations",
		.differs = "JDK Mission Control judges collections here, too.",
	},
	.about = ABOUT_SYMPTOM,
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
