/* SPDX-License-Identifier: MIT */
/*
 * gc_safepoint_entry.c - do threads come late to safepoints, where all the others wait for them?
 */
#include "analyze/rules.h"

enum { SYNCHRONIZATION, LOAD, LATENCY, BEGIN };
enum { THREADS };
enum { THREAD, STACK };

/* All waits together, of the time that was recorded. */
#define SHARE_INFO    0.05
#define SHARE_WARNING 0.1
#define SHARE_NS      1e9

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.SafepointStateSynchronization", OCCURS, "runningThreadCount"),
	READS("jdk.CPULoad", HELPS),
	READS("jdk.SafepointLatency", HELPS, "eventThread", "stackTrace"),
	/* Of the way into a safepoint the wait for threads is nearly all. */
	READS_EITHER(1, "jdk.SafepointBegin", OCCURS, "totalThreadCount"),
	{ 0 },
};

struct state {
	struct span_of longest;
	int64_t running; /* NO_NUMBER: not known */
	bool has_exact; /* jdk.SafepointStateSynchronization */
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
	/* Where both are on, the one lies in the other. */
	s->sum += e->input == BEGIN && s->has_exact ? 0 : (double)ns;
	if (e->input == SYNCHRONIZATION && !s->has_exact) {
		s->has_exact = true;
		s->sum = (double)ns;
	}
	if (ns > longest || (ns == longest && e->start_ns < s->longest.start_ns)) {
		s->longest = (struct span_of){ .start_ns = e->start_ns, .end_ns = e->end_ns };
		s->running = e->input == SYNCHRONIZATION ? event_long(e, THREADS) : NO_NUMBER;
	}
}

static void fini(void *state)
{
	groups_fini(&((struct state *)state)->late);
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	double ns = (double)(s->longest.end_ns - s->longest.start_ns), share;

	if (!s->count && hidden_by_threshold(j, "jdk.SafepointStateSynchronization", j->info))
		return;
	if (!s->count) {
		summarize(j, "Threads came to safepoints in time");
		return;
	}
	judge_by(j, ns);
	share = s->sum / (double)recorded_ns(j);
	if (share >= SHARE_INFO && s->sum >= SHARE_NS)
		judge_at_least(j, share >= SHARE_WARNING ? JFREC_SEVERITY_WARNING
							 : JFREC_SEVERITY_INFO);
	/* A thread that gets no processor comes late, wherever it is. */
	else if (ns < j->warning && processors_were_full(j, s->longest.start_ns, s->longest.end_ns))
		judge_at_most(j, JFREC_SEVERITY_OK);
	summarize(j, "All threads waited up to %s for one that came late to a safepoint, at %s %s",
		  span_text(j, ns), time_text(j, s->longest.start_ns), limit_text(j));
	if (share >= SHARE_INFO && s->sum >= SHARE_NS)
		summarize(j, "All threads waited %s of the time for one that came late to a safepoint, up "
			     "to %s at once",
			  percent_text(j, share), span_text(j, ns));
	show_range(j, "longest", s->longest.start_ns, s->longest.end_ns);
	if (s->running != NO_NUMBER)
		show_quantity(j, "threads still running", (double)s->running, JFREC_UNIT_NONE);
	show_quantity(j, "waited in all", s->sum, JFREC_UNIT_NS);
	/* Other collectors have the flag on. */
	if (uses_collector(j, "Serial") || uses_collector(j, "Parallel"))
		advise(j, "Look for counted loops over large arrays (-XX:+UseCountedLoopSafepoints), huge "
			  "copies and memory-mapped files; first see whether the JVM had too little CPU: "
			  "container-throttled, cpu-others");
	groups_sort(&s->late);
	for (uint32_t i = 0; i < s->late.count && i < 3; i++) {
		show_thread(j, textf(j, "late, up to %s", span_text(j, s->late.list[i].most)),
			    s->late.list[i].key[0], NAN);
		show_stack(j, "where it was when it came", s->late.list[i].most_stack, NAN);
	}
	show_events(j, s->has_exact ? "jdk.SafepointStateSynchronization" : "jdk.SafepointBegin",
		    s->longest.start_ns, s->longest.end_ns, NULL);
}

const struct rule rule_gc_safepoint_entry = {
	.info = {
		.id = "gc-safepoint-entry",
		.question = "Do threads come late to safepoints, where all the others wait for them?",
		.matters = "To stop the application, the JVM has to wait for its slowest "
			   "thread. All others wait with it.",
		.computes = "Takes the longest jdk.SafepointStateSynchronization, or jdk.SafepointBegin, of "
			    "which it is nearly all. 5 % of the time in such waits, and a second, are "
			    "info, 10 % a warning. Shorter ones than a second are ok while no "
			    "processor was left. "
			    "jdk.SafepointLatency (JDK 25 and later) names the threads that were "
			    "late.",
		.measures = "longest wait for a safepoint",
		.unit = JFREC_UNIT_NS,
		.info = 100e6,
		.warning = 1e9,
		.advice = "Look for huge copies and memory-mapped files; first see whether the JVM had "
			  "too little CPU: container-throttled, cpu-others",
		.beware = "In the JDK's own settings jdk.SafepointStateSynchronization is off, and "
			  "jdk.SafepointBegin comes from 10 ms on.",
	},
	.about = ABOUT_SYMPTOM,
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
