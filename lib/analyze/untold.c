/* SPDX-License-Identifier: MIT */
/*
 * untold.c - what an outage would need and a recording does not tell
 *
 * "0 warnings" is read as "healthy", also where no rule could have warned.
 */
#include "analyze/untold.h"

#include <string.h>

#include "analyze/engine.h"
#include "analyze/rule.h"

#define MAX_RULES 2

/* What was recorded for so long and is too short all the same needs far more. */
#define LONG_NS (INT64_C(300) * 1000000000)

/* Any of the rules tells of it. */
static const struct question {
	const char *what, *rules[MAX_RULES];
	bool is_slow; /* it takes minutes to see */
} questions[] = {
	{ "a leak", { "live-set-growth", "leak-holder" }, true },
	{ "memory outside of the heap", { "native-memory" }, true },
	{ "throttling", { "container-throttled", "host-throttled" }, false },
	{ "a deadlock", { "deadlock" }, false },
	{ "starved pools", { "pool-wait" }, false },
	{ "contended locks", { "lock-contention" }, false },
	{ "slow backends", { "socket-wait" }, false },
	{ "hot code", { "hot-method" }, false },
	{ "pauses of collections", { "gc-pause-share" }, false },
};

static const struct jfrec_rule_finding *finding_of(const struct jvm *jvm, const char *rule)
{
	for (size_t i = 0; i < jvm->finding_count; i++) {
		if (strcmp(jvm->findings[i].rule->id, rule) == 0)
			return &jvm->findings[i];
	}
	return NULL;
}

/* What is not for this JVM cannot be recorded of it, and what is of the host is in no recording. */
static bool can_be_recorded(const struct jfrec_rule_finding *f)
{
	return f->severity == JFREC_SEVERITY_NO_DATA && f->no_data != JFREC_NOT_IN_JVM &&
	       strncmp(f->rule->id, "host-", strlen("host-")) != 0;
}

/*
 * Could no rule answer, though a recording can have the answer?  *is_short: it is for want of time.
 */
static bool is_untold(const struct jvm *jvm, const struct question *q, bool *is_short)
{
	bool can_be = false;

	for (size_t i = 0; i < MAX_RULES && q->rules[i]; i++) {
		const struct jfrec_rule_finding *f = finding_of(jvm, q->rules[i]);

		if (!f)
			continue;
		if (f->severity != JFREC_SEVERITY_NO_DATA)
			return false;
		can_be |= can_be_recorded(f);
		*is_short |= f->no_data == JFREC_TOO_FEW;
	}
	return can_be;
}

/* A JVM that runs has a number here, which another host or container would not know. */
static const char *target_of(struct judging *j)
{
	const struct jfrec_host_facts *h = j->analysis->host;

	return h ? textf(j, "%d", h->pid) : "PID";
}

const char *untold_of(struct jvm *jvm)
{
	struct judging j = { .facts = &jvm->facts, .analysis = jvm->analysis, .jvm = jvm };
	const char *list = "", *duration = "60s";
	size_t count = 0;

	if (jvm->facts.is_native || jvm->analysis->has_only)
		return NULL;
	for (size_t i = 0; i < sizeof(questions) / sizeof(*questions); i++) {
		bool is_short = false;

		if (!is_untold(jvm, &questions[i], &is_short))
			continue;
		list = textf(&j, "%s%s%s", list, count++ ? ", " : "", questions[i].what);
		if (questions[i].is_slow && is_short && recorded_ns(&j) >= LONG_NS)
			duration = "30m";
		else if (questions[i].is_slow && strcmp(duration, "60s") == 0)
			duration = "6m";
	}
	if (!count)
		return NULL;
	return textf(&j, "This recording cannot tell of %s; to record what can: `jfrec record --duration %s %s`",
		     list, duration, target_of(&j));
}
