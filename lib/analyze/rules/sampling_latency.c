/* SPDX-License-Identifier: MIT */
/*
 * sampling_latency.c - how long does a thread take to answer the sampler?
 *
 * From JDK 25 on a thread walks its own stack at its next poll (JEP 518). One that does not poll
 * is not asked again until it has answered, and all samples of that time are missing.
 */
#include <stdlib.h>

#include "analyze/rules.h"

enum { THREAD, STACK };

#define LONGEST_WARNING_NS INT64_C(1000000000)
#define SHARE_WARNING	   0.10

static const struct reads inputs[] = {
	READS("jdk.SafepointLatency", OCCURS, "eventThread", "stackTrace"),
	READS("jdk.CPULoad", HELPS),
	{ 0 },
};

struct state {
	struct spans waits;
	struct groups threads;
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	uint32_t thread = event_thread(e, THREAD);
	struct group *g;
	bool is_most;

	spans_add(&s->waits, e,
		  (struct span_of){
			  .start_ns = e->start_ns, .end_ns = e->end_ns, .thread = thread });
	g = groups_add(&s->threads, e, (uint32_t[4]){ thread }, (double)event_duration(e),
		       &is_most);
	if (g && is_most)
		g->most_stack = event_stack(e, STACK);
}

static void fini(void *state)
{
	struct state *s = state;

	spans_fini(&s->waits);
	groups_fini(&s->threads);
}

static int compare_lengths(const void *a, const void *b)
{
	const struct span_of *x = a, *y = b;
	int64_t p = x->end_ns - x->start_ns, q = y->end_ns - y->start_ns;

	return (p > q) - (p < q);
}

static double percentile(struct spans *s, double share)
{
	size_t at = (size_t)(share * (double)(s->count - 1));

	qsort(s->list, s->count, sizeof(*s->list), compare_lengths);
	return (double)(s->list[at].end_ns - s->list[at].start_ns);
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	const struct span_of *longest = spans_longest(&s->waits);
	double p99, of_thread, longest_ns;
	bool is_taken;

	if (!longest && hidden_by_threshold(j, "jdk.SafepointLatency", j->info))
		return;
	if (!longest) {
		summarize(j, "Threads answered the sampler at once");
		return;
	}
	longest_ns = (double)(longest->end_ns - longest->start_ns);
	show_range(j, "longest", longest->start_ns, longest->end_ns);
	p99 = percentile(&s->waits, 0.99);
	groups_sort(&s->threads);
	of_thread = s->threads.list[0].sum / (double)recorded_ns(j);
	judge_by(j, p99);
	is_taken = processors_were_taken(j, longest->start_ns, longest->end_ns);
	if (longest_ns >= (double)LONGEST_WARNING_NS || of_thread >= SHARE_WARNING)
		judge_at_least(j, JFREC_SEVERITY_WARNING);
	/* A thread that gets no processor answers late, wherever it is. */
	else if (is_taken)
		judge_at_most(j, JFREC_SEVERITY_OK);
	summarize(j, "Threads took up to %s to answer the sampler, p99 %s %s",
		  span_text(j, longest_ns), span_text(j, p99), limit_text(j));
	for (uint32_t i = 0; i < s->threads.count && i < 3; i++) {
		const struct group *g = &s->threads.list[i];

		show_thread(j, textf(j, "late for %s, at most %s", span_text(j, g->sum),
				     span_text(j, g->most)),
			    g->key[0], NAN);
		show_stack(j, "where it was when it answered", g->most_stack, NAN);
	}
	show_command(j, "view safepoint-latency-by-thread");
	if (is_found(j) && is_taken) {
		judge_at_most(j, JFREC_SEVERITY_INFO);
		doubt(j, "other processes had most of the processors: a thread that does not run answers "
			 "late, wherever it is");
	}
	/* Other collectors have the flag on. */
	if (uses_collector(j, "Serial") || uses_collector(j, "Parallel"))
		advise(j, "Try -XX:+UseCountedLoopSafepoints, or split the loop that runs before the place "
			  "that is shown: in it the thread cannot be stopped, and each collection waits "
			  "for it, too");
}

const struct rule rule_sampling_latency = {
	.info = {
		.id = "sampling-latency",
		.question = "How long does a thread take to answer the sampler?",
		.matters = "A thread that answers late is seen where it came to a stop, not "
			   "where it was. All pauses for collections wait for it, too.",
		.computes = "Takes the 99th percentile of jdk.SafepointLatency. A wait of a second, "
			    "or a thread that was late for 10 % of the time, is a warning; info at most "
			    "while other processes had most of the processors (jdk.CPULoad), and "
			    "shorter waits are ok then.",
		.measures = "wait that one in a hundred exceeds",
		.unit = JFREC_UNIT_NS,
		.info = 10e6,
		.warning = INFINITY,
		.advice = "Look at what runs before the place that is shown, such as a copy of a large "
			  "array: in it the thread cannot be stopped, and each collection waits for "
			  "it, too",
		.beware = "The stack is where the thread was when it answered, after the loop. The "
			  "event is off in the JDK's settings.",
		.jdk_from = 25,
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
