/* SPDX-License-Identifier: MIT */
/*
 * vthread_many.c - do more virtual threads begin than end?
 */
#include "analyze/rules.h"

/* A shorter time says nothing about growth. */
#define ENOUGH_NS INT64_C(60000000000)

enum { START, END };

static const struct reads inputs[] = {
	READS("jdk.VirtualThreadStart", OCCURS, "javaThreadId"),
	READS("jdk.VirtualThreadEnd", OCCURS, "javaThreadId"),
	{ 0 },
};

/* How many more began than ended, by tenth of a minute. */
struct state {
	struct groups balance;
	double alive;
};

static uint32_t slot_of(int64_t ns)
{
	return (uint32_t)(ns / INT64_C(6000000000));
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	double one = e->input == START ? 1 : -1;

	s->alive += one;
	groups_add(&s->balance, e, (uint32_t[4]){ slot_of(e->start_ns) }, one, NULL);
}

static void fini(void *state)
{
	groups_fini(&((struct state *)state)->balance);
}

/* How many more began than ended between the two. */
static double growth(const struct groups *balance, int64_t from_ns, int64_t to_ns)
{
	double sum = 0;

	for (uint32_t i = 0; i < balance->count; i++) {
		uint32_t slot = balance->list[i].key[0];

		if (slot >= slot_of(from_ns) && slot < slot_of(to_ns))
			sum += balance->list[i].sum;
	}
	return sum;
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	const struct facts *f = j->facts;
	int64_t third = recorded_ns(j) / 3;
	bool grows = true;

	if (recorded_ns(j) < ENOUGH_NS) {
		too_few(j, "Only %s were recorded; a minute is needed to see growth",
			span_text(j, (double)recorded_ns(j)));
		return;
	}
	for (int i = 0; i < 3; i++)
		grows &= growth(&s->balance, f->start_ns + i * third,
				f->start_ns + (i + 1) * third) > 0;
	summarize(j, "%s more virtual threads began than ended", count_text(j, s->alive));
	if (!grows)
		return;
	judge_by(j, s->alive);
	summarize(j, "%s more virtual threads began than ended, and their number grew all the time %s",
		  count_text(j, s->alive), limit_text(j));
	show_command(j, "query 'SELECT stackTrace, COUNT(*) FROM jdk.VirtualThreadStart "
			"GROUP BY stackTrace'");
}

const struct rule rule_vthread_many = {
	.info = {
		.id = "vthread-many",
		.question = "Do more virtual threads begin than end?",
		.matters = "Virtual threads are cheap, but what they hold is not: memory, "
			   "connections, locks. Without a bound, one peak uses all of it up.",
		.computes = "Subtracts jdk.VirtualThreadEnd from jdk.VirtualThreadStart. It is a "
			    "finding if the number grew in each third of at least a minute.",
		.measures = "virtual threads that did not end",
		.unit = JFREC_UNIT_NONE,
		.info = 1000,
		.warning = INFINITY,
		.advice = "Bound what is done at once, with a java.util.concurrent.Semaphore",
		.beware = "Both events are off by default, and there are many of them.",
		.jdk_from = 21,
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
