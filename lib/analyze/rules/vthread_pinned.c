/* SPDX-License-Identifier: MIT */
/*
 * vthread_pinned.c - do virtual threads block the threads that carry them?
 */
#include <stdlib.h>

#include "analyze/rules.h"

enum { PINNED, ENTER, PROPERTY };
enum { STACK, REASON, OPERATION };
enum { KEY, VALUE };

/* From here on a monitor does not pin any more (JEP 491). */
#define JDK_WITHOUT_MONITORS 24

static const struct reads inputs[] = {
	READS("jdk.VirtualThreadPinned", OCCURS, "stackTrace", "pinnedReason", "blockingOperation"),
	READS("jdk.JavaMonitorEnter", HELPS, "eventThread"),
	READS("jdk.InitialSystemProperty", HELPS, "key", "value"),
	{ 0 },
};

struct state {
	struct spans pins;
	struct groups sites;   /* reason, stack */
	struct groups waiters; /* threads that waited for a monitor */
	long parallelism;
};

static void take_property(struct state *s, const struct event *e)
{
	if (strcmp(event_text_of(e, event_text(e, KEY)),
		   "jdk.virtualThreadScheduler.parallelism") == 0)
		s->parallelism = strtol(event_text_of(e, event_text(e, VALUE)), NULL, 10);
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	double ns = (double)event_duration(e);

	if (e->input == PROPERTY) {
		take_property(s, e);
	} else if (e->input == ENTER) {
		groups_add(&s->waiters, e, (uint32_t[4]){ event_thread(e, 0) }, ns, NULL);
	} else {
		spans_add(&s->pins, e,
			  (struct span_of){ .start_ns = e->start_ns, .end_ns = e->end_ns });
		groups_add(&s->sites, e,
			   (uint32_t[4]){ event_text(e, REASON), event_stack(e, STACK),
					  event_text(e, OPERATION) },
			   ns, NULL);
	}
}

static void fini(void *state)
{
	struct state *s = state;

	spans_fini(&s->pins);
	groups_fini(&s->sites);
	groups_fini(&s->waiters);
}

static int compare_times(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* How many spans overlap at most; `spans` is sorted by start. */
static size_t most_at_once(const struct spans *spans)
{
	int64_t *ends = malloc((spans->count + 1) * sizeof(*ends));
	size_t open = 0, most = 0, ended = 0;

	for (size_t i = 0; ends && i < spans->count; i++)
		ends[i] = spans->list[i].end_ns;
	if (ends && spans->count)
		qsort(ends, spans->count, sizeof(*ends), compare_times);
	for (size_t i = 0; ends && i < spans->count; i++) {
		while (ended < i && ends[ended] <= spans->list[i].start_ns) {
			ended++;
			open--;
		}
		open++;
		most = open > most ? open : most;
	}
	free(ends);
	return most;
}

/* The frame that parked is the JDK's; what pins is the first of the application below it. */
static void show_sites(struct judging *j, struct groups *sites, double sum)
{
	groups_sort(sites);
	for (uint32_t i = 0; i < sites->count && i < 3; i++) {
		const struct group *g = &sites->list[i];
		const char *reason = text_at(j, g->key[0]);
		size_t own = stack_first_own(j, g->key[1]);

		if (*reason)
			show_note(j, "%s, %s times, %s: %s", text_at(j, g->key[2]),
				  count_text(j, (double)g->count), span_text(j, g->sum), reason);
		if (own != SIZE_MAX)
			show_name(j, JFREC_EVIDENCE_METHOD,
				  textf(j, "pinned for %s, at most %s", span_text(j, g->sum),
					span_text(j, g->most)),
				  stack_method(j, g->key[1], own), sum > 0 ? g->sum / sum : NAN);
		show_stack(j, "pinned at", g->key[1], NAN);
	}
}

/* Up to JDK 23 a pinned thread that waits for a monitor is seen as such only. */
static void show_waiters(struct judging *j, const struct groups *waiters)
{
	double sum = 0;

	for (uint32_t i = 0; i < waiters->count; i++) {
		if (thread_of(j, waiters->list[i].key[0]).is_virtual)
			sum += waiters->list[i].sum;
	}
	if (sum > 0 && j->facts->jdk < JDK_WITHOUT_MONITORS)
		show_quantity(j, "virtual threads also waited for monitors, carrier and all", sum,
			      JFREC_UNIT_NS);
}

static double carriers_of(const struct judging *j, const struct state *s)
{
	if (s->parallelism > 0)
		return (double)s->parallelism;
	return usable_cpus(j) >= 1 ? usable_cpus(j) : 1;
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	double carriers = carriers_of(j, s), sum, share;
	size_t at_once;

	spans_sort(&s->pins);
	sum = groups_sum(&s->sites);
	share = sum / (carriers * (double)recorded_ns(j));
	if (!s->pins.count) {
		summarize(j, "No virtual thread was pinned%s",
			  longer_than_threshold(j, "jdk.VirtualThreadPinned"));
		return;
	}
	at_once = most_at_once(&s->pins);
	judge_by(j, share);
	/* For a moment that is a delay, no more. */
	if ((double)at_once >= carriers)
		judge_at_least(j, share >= j->info ? JFREC_SEVERITY_WARNING : JFREC_SEVERITY_INFO);
	summarize(j, "Virtual threads blocked their carriers %s times, for %s: %s of the time of "
		     "%s carriers%s %s",
		  count_text(j, (double)s->pins.count), span_text(j, sum), percent_text(j, share),
		  count_text(j, carriers),
		  (double)at_once >= carriers ? ", at times all of them at once" : "", limit_text(j));
	show_quantity(j, "pinned at once, at most", (double)at_once, JFREC_UNIT_NONE);
	show_sites(j, &s->sites, sum);
	show_waiters(j, &s->waiters);
	show_command(j, "view pinning-by-site");
	if (j->facts->jdk && j->facts->jdk < JDK_WITHOUT_MONITORS)
		advise(j, "Use java.util.concurrent.locks.ReentrantLock instead of synchronized "
			  "there, or JDK 24 or later, where synchronized does not pin");
}

const struct rule rule_vthread_pinned = {
	.info = {
		.id = "vthread-pinned",
		.question = "Do virtual threads block the threads that carry them?",
		.matters = "A few carrier threads run all virtual threads. One that is pinned "
			   "takes its carrier with it while it waits; if all carriers wait, "
			   "nothing runs.",
		.computes = "Adds up jdk.VirtualThreadPinned and divides by the time of all carriers "
			    "(jdk.virtualThreadScheduler.parallelism, else the processors). As many "
			    "at once as there are carriers is a warning from the limit of info on, and "
			    "info below.",
		.measures = "time of the carriers that was blocked",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.01,
		.warning = 0.10,
		.advice = "Up to JDK 23 use java.util.concurrent.locks.ReentrantLock instead of "
			  "synchronized, or move to JDK 24 or later; there, move the wait out of "
			  "the class initializer or the native method",
		.beware = "Shorter ones than the threshold (20 ms) are not seen. Reading a file "
			  "blocks a carrier without an event.",
		.jdk_from = 21,
	},
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
