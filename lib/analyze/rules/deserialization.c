/* SPDX-License-Identifier: MIT */
/*
 * deserialization.c - are objects read from streams without a filter?
 */
#include "analyze/rules.h"

enum { CONFIGURED, STATUS, TYPE, DEPTH, STACK };

static const struct reads inputs[] = {
	READS("jdk.Deserialization", OCCURS,
	      "filterConfigured", "filterStatus", "type", "depth", "stackTrace"),
	{ 0 },
};

struct state {
	struct groups unfiltered; /* class, stack: roots of what was read */
	struct groups rejected;	  /* class, stack */
};

/* One call of readObject() sends an event for each object that it reads: roots have depth 1. */
static void take(void *state, const struct event *e)
{
	struct state *s = state;
	uint32_t key[4] = { event_text(e, TYPE), event_stack(e, STACK) };

	if (strcmp(event_text_of(e, event_text(e, STATUS)), "REJECTED") == 0)
		groups_add(&s->rejected, e, key, 1, NULL);
	else if (event_long(e, CONFIGURED) == 0 && event_long(e, DEPTH) <= 1)
		groups_add(&s->unfiltered, e, key, 1, NULL);
}

static void fini(void *state)
{
	struct state *s = state;

	groups_fini(&s->unfiltered);
	groups_fini(&s->rejected);
}

static bool comes_from_network(const struct judging *j, uint32_t stack)
{
	static const char *const prefixes[] = {
		"java.net.Socket", "sun.nio.ch.NioSocketImpl", "sun.nio.ch.SocketChannelImpl",
		"sun.rmi.",	   "java.rmi.",		       "weblogic.",
		"javax.servlet.",  "jakarta.servlet.",	       "io.netty.",
	};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		if (stack_has(j, stack, prefixes[i]))
			return true;
	}
	return false;
}

static void show(struct judging *j, const char *label, const struct groups *of)
{
	for (uint32_t i = 0; i < of->count && i < 3; i++) {
		show_name(j, JFREC_EVIDENCE_CLASS,
			  textf(j, "%s, %s times", label, count_text(j, (double)of->list[i].count)),
			  text_at(j, of->list[i].key[0]), NAN);
		show_stack(j, "read at", of->list[i].key[1], NAN);
	}
}

static void judge_unfiltered(struct judging *j, struct state *s)
{
	const struct group *worst = &s->unfiltered.list[0];

	judge_at_least(j, JFREC_SEVERITY_INFO);
	for (uint32_t i = 0; i < s->unfiltered.count; i++) {
		if (!comes_from_network(j, s->unfiltered.list[i].key[1]))
			continue;
		worst = &s->unfiltered.list[i];
		judge_at_least(j, JFREC_SEVERITY_WARNING);
		break;
	}
	summarize(j, "Objects of %s are read%s without a filter, %s times in all",
		  text_at(j, worst->key[0]),
		  j->finding->severity == JFREC_SEVERITY_WARNING ? " from the network" : "",
		  count_text(j, (double)groups_count(&s->unfiltered)));
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;

	groups_sort(&s->unfiltered);
	groups_sort(&s->rejected);
	summarize(j, "Whatever was deserialized passed a filter");
	if (s->unfiltered.count)
		judge_unfiltered(j, s);
	if (s->rejected.count) {
		judge_at_least(j, JFREC_SEVERITY_WARNING);
		summarize(j, "A filter rejected objects of %s: an attack, or the filter is too narrow",
			  text_at(j, s->rejected.list[0].key[0]));
		show(j, "rejected", &s->rejected);
	}
	if (!is_found(j))
		return;
	show(j, "without a filter", &s->unfiltered);
	show_command(j, "print --events jdk.Deserialization");
}

const struct rule rule_deserialization = {
	.info = {
		.id = "deserialization",
		.question = "Are objects read from streams without a filter?",
		.matters = "Reading objects from a stream without a filter lets the sender "
			   "choose which classes are loaded and which code runs.",
		.computes = "Looks at the roots (depth 1) of jdk.Deserialization with "
			    "filterConfigured=false: info, and a warning below a frame of the "
			    "network. What a filter rejected is a warning.",
		.advice = "Set a filter: -Djdk.serialFilter, or ObjectInputStream.setObjectInputFilter()",
		.beware = "The event is off by default (`jfrec start --settings security-audit`).",
		.jdk_from = 11,
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
