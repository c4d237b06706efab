/* SPDX-License-Identifier: MIT */
/*
 * deprecated_calls.c - what of this program will not run on a later JDK?
 */
#include "analyze/rules.h"

enum { INVOCATION, MUTATION, SERIALIZATION, SYNCHRONIZATION };
enum { NAME, STACK, FOR_REMOVAL };

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.DeprecatedInvocation", OCCURS, "method", "stackTrace", "forRemoval"),
	READS_EITHER(1, "jdk.FinalFieldMutation", OCCURS, "declaringClass", "stackTrace"),
	READS_EITHER(1, "jdk.SerializationMisdeclaration", OCCURS, "misdeclaredClass"),
	READS_EITHER(1, "jdk.SyncOnValueBasedClass", OCCURS, "valueBasedClass", "stackTrace"),
	{ 0 },
};

static const char *const what[] = {
	[INVOCATION] = "is called and marked for removal",
	[MUTATION] = "has final fields that are changed",
	[SERIALIZATION] = "declares serialization wrongly",
	[SYNCHRONIZATION] = "is value-based and synchronized on",
};

struct state {
	struct groups uses; /* input, name, stack */
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	uint32_t key[4] = { e->input, event_text(e, NAME), event_stack(e, STACK) };

	/* With level=all the event comes for all that is deprecated. */
	if (e->input != INVOCATION || event_long(e, FOR_REMOVAL) == 1)
		groups_add(&s->uses, e, key, 1, NULL);
}

static void fini(void *state)
{
	groups_fini(&((struct state *)state)->uses);
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	double n;

	groups_sort(&s->uses);
	n = (double)s->uses.count + (double)s->uses.others;
	judge_by(j, n);
	if (!s->uses.count) {
		summarize(j, "Nothing that was called is marked for removal");
		return;
	}
	summarize(j, "%s place%s will break on a later JDK: %s %s", count_text(j, n), plural(n),
		  text_at(j, s->uses.list[0].key[1]), what[s->uses.list[0].key[0]]);
	for (uint32_t i = 0; i < s->uses.count && i < 5; i++) {
		const struct group *g = &s->uses.list[i];

		show_name(j, g->key[0] == INVOCATION ? JFREC_EVIDENCE_METHOD : JFREC_EVIDENCE_CLASS,
			  what[g->key[0]], text_at(j, g->key[1]), NAN);
		show_stack(j, "used at", g->key[2], NAN);
	}
	show_command(j, "print --events jdk.DeprecatedInvocation,jdk.FinalFieldMutation,"
			"jdk.SerializationMisdeclaration,jdk.SyncOnValueBasedClass");
}

const struct rule rule_deprecated_calls = {
	.info = {
		.id = "deprecated-calls",
		.question = "What of this program will not run on a later JDK?",
		.matters = "What is marked for removal will be gone in a later JDK: the "
			   "program then fails when it comes to that call.",
		.computes = "Counts the places that call what is marked for removal "
			    "(jdk.DeprecatedInvocation), change final fields, declare "
			    "serialization wrongly, or synchronize on value-based classes.",
		.measures = "places in the code",
		.unit = JFREC_UNIT_NONE,
		.info = 1,
		.warning = INFINITY,
		.advice = "Replace these calls before the next JDK; `jdeprscan` finds those that were "
			  "not run",
		.beware = "A call is seen once, if it was linked while Flight Recorder ran from the "
			  "JVM's start; calls by reflection are not seen.",
		.jdk_from = 17,
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
