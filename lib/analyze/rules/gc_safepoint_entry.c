/* SPDX-License-Identifier: MIT */
/*
 * gc_safepoint_entry.c - do threads come late to safepoints, where all the others wait for them?
 */
#include "analyze/rules.h"

enum { SYNCHRONIZATION, LATENCY };
enum { THREADS };
enum { THREAD, STACK };

static const struct reads inputs[] = {
	READS("jdk.SafepointStateSynchronization", OCCURS, "runningThreadCount"),
	READS("jdk.SafepointLatency", HELPS, "eventThread", "stackTrace"),
	{ 0 },
};

struct state {
	struct span_of longest;
	int64_t running;
	uint64_t count;
	double sum;
	struct groups late; /* threads: how late */
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	int64_t ns = event_duration(e), longest = s->longest.end_ns - s->longest.start_ns;
	struct group *g;
	bool is_most;

	if (e->input == LATENCY) {
		g = groups_add(&s->late, e, (uint32_t[4]){ event_thread(e, THREAD) }, (double)ns,
			       &is_most);
		if (g && is_most)
			g->most_stack = event_stack(e, STACK);
		return;
	}
	s->count++;
	s->sum += (double)ns;
	if (ns > longest || (ns == longest && e->start_ns < s->longest.start_ns)) {
		s->longest = (struct span_of){ .start_ns = e->start_ns, .end_ns = e->end_ns };
		s->running = event_long(e, THREADS);
	}
}

static void fini(void *state)
{
	groups_fini(&((struct state *)state)->late);
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	double ns = (double)(s->longest.end_ns - s->longest.start_ns);

	if (!s->count && hidden_by_threshold(j, "jdk.SafepointStateSynchronization", j->info))
		return;
	if (!s->count) {
		summarize(j, "Threads came to safepoints in time");
		return;
	}
	judge_by(j, ns);
	summarize(j, "All threads waited up to %s for one that came late to a safepoint, at %s %s",
		  span_text(j, ns), time_text(j, s->longest.start_ns), limit_text(j));
	show_range(j, "longest", s->longest.start_ns, s->longest.end_ns);
	show_quantity(j, "threads still running", (double)s->running, JFREC_MEASURE_NUMBER);
	show_quantity(j, "waited in all", s->sum, JFREC_MEASURE_NS);
	groups_sort(&s->late);
	for (uint32_t i = 0; i < s->late.count && i < 3; i++) {
		show_thread(j, textf(j, "late, up to %s", span_text(j, s->late.list[i].most)),
			    s->late.list[i].key[0], NAN);
		show_stack(j, "where it was when it came", s->late.list[i].most_stack, NAN);
	}
	show_events(j, "jdk.SafepointStateSynchronization", s->longest.start_ns, s->longest.end_ns,
		    NULL);
}

const struct rule rule_gc_safepoint_entry = {
	.info = {
		.id = "gc-safepoint-entry",
		.question = "Do threads come late to safepoints, where all the others wait for them?",
		.matters = "To stop the application, the JVM has to wait for its slowest "
			   "thread. All others wait with it.",
		.computes = "Takes the longest jdk.SafepointStateSynchronization. "
			    "jdk.SafepointLatency (JDK 25 and later) names the threads that were "
			    "late.",
		.measures = "longest wait for a safepoint",
		.unit = JFREC_MEASURE_NS,
		.info = 100e6,
		.warning = 1e9,
		.advice = "Look for counted loops over large arrays (-XX:+UseCountedLoopSafepoints), "
			  "huge copies and memory-mapped files; first see whether the JVM had too "
			  "little CPU: container-throttled, cpu-others",
		.beware = "The JDK's own settings have the event off; jfrec's continuous, gc and "
			  "profile have it on.",
	},
	.about = ABOUT_SYMPTOM,
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
