/* SPDX-License-Identifier: MIT */
/*
 * halts_share.c - what share of time was the application stopped by anything?
 */
#include "analyze/rules.h"

#define WINDOW_NS INT64_C(60000000000)

/* 5 % of a minute: with less in all, a large share is that of a short recording. */
#define LEAST_NS INT64_C(3000000000)

static const char *const jmc[] = { "ApplicationHalts", NULL };

enum { PAUSE, OPERATION, BEGIN, SYNCHRONIZATION };
enum { NAME, SAFEPOINT, CALLER };

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.GCPhasePause", OCCURS, "name"),
	READS_EITHER(1, "jdk.ExecuteVMOperation", OCCURS, "operation", "safepoint", "caller"),
	READS("jdk.SafepointBegin", HELPS, "startTime"),
	READS("jdk.SafepointStateSynchronization", HELPS, "startTime"),
	READS("jdk.SafepointEnd", HELPS, "startTime"),
	READS("jdk.SafepointCleanup", HELPS, "startTime"),
	READS("jdk.SafepointCleanupTask", HELPS, "startTime"),
	READS("jdk.SafepointWaitBlocked", HELPS, "startTime"),
	READS("jdk.CPULoad", HELPS),
	{ 0 },
};

struct state {
	struct spans halts;
	struct groups operations;   /* by name */
	struct spans to_reach; /* safepoints */
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	struct span_of span = { e->start_ns, e->end_ns, 0, 0, 0 };

	if (e->input == OPERATION) {
		if (event_long(e, SAFEPOINT) != 1)
			return;
		span.what = event_text(e, NAME);
		groups_add(&s->operations, e, (uint32_t[4]){ span.what },
			   (double)event_duration(e), NULL);
	}
	/* Both tell of the time until all threads stand still; one of them may be off. */
	if (e->input == SYNCHRONIZATION || e->input == BEGIN)
		spans_add(&s->to_reach, e, span);
	spans_add(&s->halts, e, span);
}

static void fini(void *state)
{
	struct state *s = state;

	spans_fini(&s->halts);
	spans_fini(&s->to_reach);
	groups_fini(&s->operations);
}

static void show_operations(struct judging *j, struct state *s)
{
	groups_sort(&s->operations);
	for (uint32_t i = 0; i < s->operations.count && i < 3; i++) {
		const struct group *g = &s->operations.list[i];

		show_quantity(j, textf(j, "%s, %s times", text_at(j, g->key[0]),
				       count_text(j, (double)g->count)),
			      g->sum, JFREC_UNIT_NS);
	}
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	const struct facts *f = j->facts;
	int64_t width = window_ns(j, WINDOW_NS), gc, to_reach;
	const struct span_of *late;
	struct worst w;
	double share;

	spans_sort(&s->halts);
	w = spans_worst(&s->halts, width, f->start_ns, f->end_ns);
	gc = spans_union(&f->pauses, w.from_ns, w.to_ns);
	share = (double)w.covered_ns / (double)width;
	judge_by(j, share);
	if (w.covered_ns < LEAST_NS)
		judge_at_most(j, JFREC_SEVERITY_INFO);
	summarize(j, "The application was stopped for %s of %s from %s, %s of it by collections %s",
		  percent_text(j, share), span_text(j, (double)width), time_text(j, w.from_ns),
		  w.covered_ns ? percent_text(j, (double)gc / (double)w.covered_ns) : "none",
		  limit_text(j));
	if (!s->halts.count)
		return;
	show_range(j, "worst window", w.from_ns, w.to_ns);
	show_operations(j, s);
	spans_sort(&s->to_reach);
	late = spans_longest(&s->to_reach);
	to_reach = spans_union(&s->to_reach, w.from_ns, w.to_ns);
	if (late) {
		show_quantity(j, "time until all threads had stopped, in that window",
			      (double)to_reach, JFREC_UNIT_NS);
		show_quantity(j, "longest wait until all threads had stopped",
			      (double)(late->end_ns - late->start_ns), JFREC_UNIT_NS);
	}
	show_command_if(j, "jdk.ExecuteVMOperation", "view vm-operations");
	show_command_if(j, "jdk.GCPhasePause", "view gc-pauses");
	if ((double)to_reach > 0.5 * (double)w.covered_ns) {
		/* Who waits for a processor comes late. */
		if (processors_were_full(j, w.from_ns, w.to_ns)) {
			judge_at_most(j, JFREC_SEVERITY_INFO);
			doubt(j, "no processor was left, and a thread that gets none stops late: see "
				 "cpu-others and cpu-jvm");
		}
		show_command_if(j, "jdk.SafepointBegin", "view safepoints");
		advise(j, "Most of it is the wait until all threads stand still: see gc-safepoint-entry");
	}
	if ((double)gc > 0.8 * (double)w.covered_ns) {
		judge_at_most(j, JFREC_SEVERITY_OK);
		show_note(j, "nearly all of it is garbage collection: gc-pause-share judges that");
	}
}

const struct rule rule_halts_share = {
	.info = {
		.id = "halts-share",
		.jmc = jmc,
		.question = "What share of time was the application stopped by anything?",
		.matters = "The JVM stops all threads for more than garbage collection: thread "
			   "dumps, heap dumps, changes of code. Users see each stop as a "
			   "delay.",
		.computes = "Takes all times in which the JVM stopped its threads: pauses of "
			    "collections, VM operations at safepoints, and the way into and out of "
			    "these. Times that overlap count once. The worst window of 60 seconds "
			    "counts, or the whole recording if it is shorter. Less than 3 seconds in "
			    "it are info at most, and so are waits until all threads had stopped while "
			    "no processor was left (jdk.CPULoad). What collections are 80 % of is left "
			    "to gc-pause-share.",
		.measures = "share of the worst window in which the application was stopped",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.05,
		.warning = 0.10,
		.advice = "`jfrec view vm-operations RECORDING` shows what stops the application and who asks "
			  "for it",
		.beware = "VM operations shorter than the threshold of the recording, 10 ms by "
			  "default, are not seen.",
		.differs = "JDK Mission Control counts times twice that overlap in part, and divides "
			   "by 60 seconds also where less was recorded.",
	},
	.about = ABOUT_SYMPTOM,
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
