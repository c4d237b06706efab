/* SPDX-License-Identifier: MIT */
/*
 * gc_zgc_stall.c - did threads wait for memory, because ZGC came too late?
 */
#include "analyze/rules.h"

enum { THREAD, STACK, SIZE };

static const char *const jmc[] = { "ZGCAllocationStallRule", NULL };

static const struct reads inputs[] = {
	READS("jdk.ZAllocationStall", OCCURS, "eventThread", "stackTrace", "size"),
	READS("jdk.GCConfiguration", PERIODIC),
	{ 0 },
};

/* Of the time of the threads that waited: from here on it is a warning, however short each is. */
#define WARNING_SHARE 0.01

struct state {
	struct groups threads; /* that waited */
	struct span_of longest;
	uint32_t stack;
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	int64_t ns = event_duration(e), longest = s->longest.end_ns - s->longest.start_ns;
	uint32_t thread;

	if (e->input != 0)
		return;
	thread = event_thread(e, THREAD);
	groups_add(&s->threads, e, (uint32_t[4]){ thread }, (double)ns, NULL);
	if (ns > longest || (ns == longest && e->start_ns < s->longest.start_ns)) {
		s->longest = (struct span_of){ e->start_ns, e->end_ns, 0, 0, thread };
		s->stack = event_stack(e, STACK);
	}
}

static void fini(void *state)
{
	groups_fini(&((struct state *)state)->threads);
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	double longest = (double)(s->longest.end_ns - s->longest.start_ns);
	double sum = groups_sum(&s->threads), n = (double)groups_count(&s->threads), share;

	if (!uses_collector(j, "Z")) {
		not_for_this_jvm(j, "Only ZGC lets threads wait for memory in this way");
		return;
	}
	if (!s->threads.count && hidden_by_threshold(j, "jdk.ZAllocationStall", j->info))
		return;
	if (!s->threads.count) {
		summarize(j, "No thread waited for memory");
		return;
	}
	share = sum / ((double)s->threads.count * (double)recorded_ns(j));
	judge_by(j, longest);
	if (share >= WARNING_SHARE)
		judge_at_least(j, JFREC_SEVERITY_WARNING);
	summarize(j, "%u thread%s waited %s times for memory, %s in all, the longest %s at %s %s",
		  s->threads.count, plural(s->threads.count), count_text(j, n), span_text(j, sum),
		  span_text(j, longest), time_text(j, s->longest.start_ns), limit_text(j));
	show_range(j, "longest", s->longest.start_ns, s->longest.end_ns);
	show_thread(j, "waited longest", s->longest.thread, NAN);
	show_stack(j, "allocated at", s->stack, NAN);
	show_quantity(j, "time of these threads that was waiting", share, JFREC_UNIT_PERCENT);
	show_quantity(j, "waits per minute", n * 60e9 / (double)recorded_ns(j),
		      JFREC_UNIT_NONE);
	show_events(j, "jdk.ZAllocationStall", s->longest.start_ns, s->longest.end_ns, NULL);
}

const struct rule rule_gc_zgc_stall = {
	.info = {
		.id = "gc-zgc-stall",
		.jmc = jmc,
		.question = "Did threads wait for memory because ZGC came too late?",
		.matters = "ZGC promises pauses under a millisecond. Threads that wait for "
			   "memory break that promise without any pause being recorded.",
		.computes = "Takes the longest jdk.ZAllocationStall. All of them together are a "
			    "warning from 1 % of the time of the threads that waited.",
		.measures = "longest wait",
		.unit = JFREC_UNIT_NS,
		.info = 10e6,
		.warning = 100e6,
		.advice = "Raise -Xmx: ZGC needs room for what is allocated while it collects; or "
			  "allocate less (see allocation-site), or give it more threads "
			  "(-XX:ConcGCThreads)",
		.differs = "JDK Mission Control divides the minutes waited by the minutes before the "
			   "recording.",
		.jdk_from = 15,
	},
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
