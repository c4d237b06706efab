/* SPDX-License-Identifier: MIT */
/*
 * class_redefinition.c - do agents keep changing classes while the program runs?
 */
#include "analyze/rules.h"
#include "format/clock.h"

enum { COUNT, STACK };

/* In less than a minute, so many are needed, all along: a few are the end of a start. */
#define FEWEST	    5
#define SHORTEST_NS 5e9

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.RetransformClasses", OCCURS, "classCount", "stackTrace"),
	READS_EITHER(1, "jdk.RedefineClasses", OCCURS, "classCount", "stackTrace"),
	{ 0 },
};

struct state {
	struct series classes;
	uint32_t stack;
	int64_t at_ns;
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;

	series_add(&s->classes, e, e->start_ns, event_number(e, COUNT));
	if (!s->stack || e->start_ns > s->at_ns) {
		s->stack = event_stack(e, STACK);
		s->at_ns = e->start_ns;
	}
}

static void fini(void *state)
{
	series_fini(&((struct state *)state)->classes);
}

/* Changes after start-up. */
struct changes {
	double count, classes;
	int64_t first_ns, last_ns;
};

static struct changes changes_from(const struct state *s, int64_t from_ns)
{
	struct changes c = { .first_ns = INT64_MAX, .last_ns = INT64_MIN };

	for (size_t i = 0; i < s->classes.count; i++) {
		const struct point *p = &s->classes.list[i];

		if (p->at_ns < from_ns)
			continue;
		c.count++;
		c.classes += isnan(p->value) ? 0 : p->value;
		c.first_ns = p->at_ns < c.first_ns ? p->at_ns : c.first_ns;
		c.last_ns = p->at_ns > c.last_ns ? p->at_ns : c.last_ns;
	}
	return c;
}

/* Does it go on for most of a short recording? */
static bool goes_on(const struct changes *c, double ns)
{
	return ns >= SHORTEST_NS && c->count >= FEWEST &&
	       (double)(c->last_ns - c->first_ns) >= 0.6 * ns;
}

/* An agent changes classes while the JVM starts, too, which lasts 10 s at least. */
static int64_t warm_from(const struct facts *f)
{
	int64_t started = f->jvm_start_ns > 0 ? long_add(f->jvm_start_ns, INT64_C(10000000000)) : 0;

	if (f->warm_ns != NO_NUMBER)
		return f->warm_ns;
	return started > f->start_ns && started < f->end_ns ? started : f->start_ns;
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	int64_t warm = warm_from(j->facts);
	/* Not the time between the two: a clock that was set counts as a gap between chunks. */
	double ns = (double)(recorded_ns(j) - (warm - j->facts->start_ns));
	struct changes c = changes_from(s, warm);
	double rate;

	if (ns < 60e9 && !goes_on(&c, ns)) {
		too_few(j, "Less than a minute was recorded after start-up");
		return;
	}
	rate = c.count / (ns / 60e9);
	judge_by(j, rate);
	summarize(j, "Classes were changed %s times a minute after start-up, %s classes in all %s",
		  count_text(j, rate), count_text(j, c.classes), limit_text(j));
	if (!is_found(j))
		return;
	show_stack(j, "changed by", s->stack, NAN);
	show_command(j, "print --events jdk.RetransformClasses,jdk.RedefineClasses");
}

const struct rule rule_class_redefinition = {
	.info = {
		.id = "class-redefinition",
		.question = "Do agents keep changing classes while the program runs?",
		.matters = "Each change of a class stops all threads and throws compiled code "
			   "away.",
		.computes = "Counts how often a minute, once start-up is over, an agent changes classes "
			    "(jdk.RetransformClasses, jdk.RedefineClasses). If less than a minute "
			    "was recorded after it, five changes are needed that spread over most of "
			    "5 s or more.",
		.measures = "changes a minute",
		.unit = JFREC_UNIT_NONE,
		.info = 1,
		.warning = INFINITY,
		.advice = "Find the agent (`jfrec view jdk-agents RECORDING`) and let it instrument at "
			  "start only",
		.jdk_from = 17,
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
