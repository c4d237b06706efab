/* SPDX-License-Identifier: MIT */
/*
 * security_properties.c - did the program change how the JDK protects it?
 */
#include <stdlib.h>

#include "analyze/rules.h"

enum { MODIFICATION, INITIAL };
enum { KEY, VALUE, STACK };

static const struct reads inputs[] = {
	READS("jdk.SecurityPropertyModification", OCCURS, "key", "value", "stackTrace"),
	READS("jdk.InitialSecurityProperty", HELPS, "key", "value"),
	{ 0 },
};

static const char *const watched[] = {
	"jdk.tls.disabledAlgorithms", "jdk.certpath.disabledAlgorithms",
	"jdk.jar.disabledAlgorithms", "jdk.serialFilter",
	"networkaddress.cache.ttl",
};

struct state {
	struct groups changes; /* key, value, stack */
	struct groups initial; /* key, value */
};

static bool is_watched(const char *key)
{
	for (size_t i = 0; i < sizeof(watched) / sizeof(*watched); i++) {
		if (strcmp(key, watched[i]) == 0)
			return true;
	}
	return false;
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	uint32_t key[4] = { event_text(e, KEY), event_text(e, VALUE) };

	if (!is_watched(event_text_of(e, key[0])))
		return;
	if (e->input == MODIFICATION)
		key[2] = event_stack(e, STACK);
	groups_add(e->input == MODIFICATION ? &s->changes : &s->initial, e, key, 1, NULL);
}

static void fini(void *state)
{
	struct state *s = state;

	groups_fini(&s->changes);
	groups_fini(&s->initial);
}

static const char *initial_value(const struct judging *j, const struct state *s, uint32_t key)
{
	for (uint32_t i = 0; i < s->initial.count; i++) {
		if (s->initial.list[i].key[0] == key)
			return text_at(j, s->initial.list[i].key[1]);
	}
	return NULL;
}

/* A shorter list forbids less; a name that is kept forever never follows a change of address. */
static bool is_weaker(const char *key, const char *before, const char *after)
{
	if (strcmp(key, "networkaddress.cache.ttl") == 0)
		return strtol(after, NULL, 10) < 0;
	return !*after || (before && strlen(after) < strlen(before));
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	const struct group *worst = NULL;
	bool weaker = false;

	groups_sort(&s->changes);
	for (uint32_t i = 0; i < s->changes.count; i++) {
		const struct group *g = &s->changes.list[i];
		const char *key = text_at(j, g->key[0]);

		judge_at_least(j, JFREC_SEVERITY_INFO);
		if (!weaker &&
		    is_weaker(key, initial_value(j, s, g->key[0]), text_at(j, g->key[1]))) {
			judge_at_least(j, JFREC_SEVERITY_WARNING);
			weaker = true;
			worst = g;
		}
		worst = worst ? worst : g;
		show_name(j, JFREC_EVIDENCE_SETTING, "changed", key, NAN);
		show_stack(j, "changed at", g->key[2], NAN);
	}
	if (!worst) {
		summarize(j, "No security property that matters was changed");
		return;
	}
	summarize(j, "The program changed %s at %s%s", text_at(j, worst->key[0]),
		  time_text(j, worst->first_ns), weaker ? ", and forbids less than the JDK" : "");
	show_command(j, "print --events jdk.SecurityPropertyModification");
}

const struct rule rule_security_properties = {
	.info = {
		.id = "security-properties",
		.question = "Did the program change how the JDK protects it?",
		.matters = "The JDK forbids what is known to be weak. A program, or one of its "
			   "libraries, that takes this back weakens all connections of the "
			   "JVM.",
		.computes = "Looks at jdk.SecurityPropertyModification of disabled algorithms, "
			    "jdk.serialFilter and networkaddress.cache.ttl. It is a warning if the "
			    "new value is shorter than that of jdk.InitialSecurityProperty.",
		.advice = "Find the library that does it, by the stack, and let it keep the JDK's lists",
		.beware = "The event is off by default (`jfrec start --settings security-audit`).",
		.jdk_from = 11,
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
