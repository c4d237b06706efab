/* SPDX-License-Identifier: MIT */
/*
 * causes.c - which finding explains which, and the verdict in one sentence
 *
 * One trouble makes several rules speak: a heap that is too small makes long pauses, many pauses,
 * full collections. What follows from another finding is shown beneath it; it is judged all the
 * same.
 */
#include "analyze/causes.h"

#include <stdio.h>
#include <string.h>

#include "analyze/engine.h"
#include "analyze/rule.h"

#define MAX_CAUSES 12

/*
 * What a finding may follow from, the likeliest first. It does so only from one that is as severe.
 * There are no circles: in no row is a cause below what it explains.
 */
static const struct row {
	const char *effect, *causes[MAX_CAUSES];
} rows[] = {
	{ "live-set-growth", { "leak-holder" } },
	{ "heap-too-small", { "leak-holder", "live-set-growth" } },
	{ "heap-exhausted", { "live-set-growth", "heap-too-small" } },
	{ "gc-full", { "live-set-growth", "heap-too-small", "heap-exhausted", "gc-humongous",
		       "gc-explicit", "gc-by-tools", "gc-evacuation-failed" } },
	{ "gc-stall", { "live-set-growth", "heap-too-small", "heap-exhausted", "gc-full" } },
	{ "gc-evacuation-failed", { "live-set-growth", "heap-too-small", "heap-exhausted",
				    "gc-humongous" } },
	{ "gc-frequency", { "live-set-growth", "heap-too-small", "heap-exhausted", "gc-humongous",
			    "gc-zgc-stall", "allocation-site" } },
	{ "gc-pause-share", { "live-set-growth", "heap-too-small", "heap-exhausted", "gc-explicit",
			      "gc-humongous", "host-throttled", "container-throttled", "host-cpu",
			      "gc-full", "allocation-site" } },
	{ "gc-pause-longest", { "live-set-growth", "heap-too-small", "heap-exhausted", "gc-explicit",
				"host-throttled", "container-throttled", "host-cpu", "gc-full",
				"gc-pause-share", "gc-parallelism" } },
	{ "gc-pause-target", { "live-set-growth", "heap-too-small", "heap-exhausted",
			       "gc-evacuation-failed", "gc-pause-longest", "gc-parallelism" } },
	{ "gc-zgc-stall", { "live-set-growth" } },
	{ "gc-shenandoah-degenerated", { "live-set-growth" } },
	{ "gc-humongous", { "live-set-growth", "heap-too-small" } },
	{ "allocation-site", { "live-set-growth", "heap-too-small", "gc-humongous", "exceptions" } },
	{ "gc-safepoint-entry", { "host-throttled", "container-throttled", "host-cpu" } },
	{ "sampling-latency", { "host-throttled", "container-throttled", "host-cpu" } },
	{ "vm-operation-longest", { "host-throttled", "container-throttled", "host-cpu" } },
	{ "halts-share", { "gc-safepoint-entry", "live-set-growth", "heap-too-small", "heap-exhausted", "gc-pause-share",
			   "gc-explicit", "vm-operation-longest" } },
	{ "container-throttled", { "host-throttled" } },
	{ "cpu-others", { "host-cpu" } },
	{ "physical-memory", { "native-memory", "direct-buffers", "host-memory" } },
	{ "host-memory", { "live-set-growth", "native-memory", "direct-buffers" } },
	{ "container-memory", { "live-set-growth", "native-memory", "direct-buffers", "host-memory" } },
	{ "metaspace-growth", { "class-loader-leak" } },
	{ "class-loading", { "class-loader-leak" } },
	{ "native-memory", { "direct-buffers", "thread-growth", "metaspace-growth" } },
	{ "compiler", { "code-cache" } },
	{ "cpu-jvm", { "hot-method", "exceptions" } },
	{ "crash", { "live-set-growth", "heap-too-small", "heap-exhausted", "metaspace-growth" } },
};

static struct jfrec_rule_finding *finding_of(const struct jvm *jvm, const char *rule)
{
	for (size_t i = 0; i < jvm->finding_count; i++) {
		if (strcmp(jvm->findings[i].rule->id, rule) == 0)
			return &jvm->findings[i];
	}
	return NULL;
}

static const struct row *row_of(const char *effect)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (strcmp(rows[i].effect, effect) == 0)
			return &rows[i];
	}
	return NULL;
}

static bool is_of(const struct jfrec_rule_finding *f, const char *rule)
{
	return strcmp(f->rule->id, rule) == 0;
}

/* A JVM may die of more than a lack of memory, and full collections may be made unasked, too. */
static bool can_follow(const struct jfrec_rule_finding *f, const char *cause)
{
	if (is_of(f, "crash"))
		return strcasestr(f->summary, "out of memory");
	if (is_of(f, "gc-full") && (strcmp(cause, "gc-explicit") == 0 || strcmp(cause, "gc-by-tools") == 0))
		return strstr(f->summary, "all asked for");
	return true;
}

static const struct jfrec_rule_finding *cause_of(const struct jvm *jvm,
						 const struct jfrec_rule_finding *f)
{
	const struct row *row = f->severity >= JFREC_SEVERITY_INFO ? row_of(f->rule->id) : NULL;

	for (size_t i = 0; row && i < MAX_CAUSES && row->causes[i]; i++) {
		const struct jfrec_rule_finding *cause = finding_of(jvm, row->causes[i]);

		if (cause && cause->severity >= f->severity && can_follow(f, row->causes[i]))
			return cause;
	}
	return NULL;
}

/* The first cause of all: what is folded beneath something that is folded is beneath that. */
static const struct jfrec_rule_finding *first_cause_of(const struct jvm *jvm,
						       const struct jfrec_rule_finding *f)
{
	const struct jfrec_rule_finding *cause = cause_of(jvm, f), *next;

	for (size_t steps = 0; cause && steps < sizeof(rows) / sizeof(*rows); steps++) {
		next = cause_of(jvm, cause);
		if (!next)
			break;
		cause = next;
	}
	return cause;
}

void find_causes(struct jvm *jvm)
{
	for (size_t i = 0; i < jvm->finding_count; i++) {
		struct jfrec_rule_finding *f = &jvm->findings[i];
		const struct jfrec_rule_finding *cause = first_cause_of(jvm, f);

		f->explained_by = cause ? cause->rule->id : NULL;
	}
}

/* Verdict -------------------------------------------------------------------------------------- */

static size_t followers_of(const struct jvm *jvm, const struct jfrec_rule_finding *f)
{
	size_t n = 0;

	for (size_t i = 0; i < jvm->finding_count; i++)
		n += jvm->findings[i].explained_by == f->rule->id;
	return n;
}

/* A sentence without what is in brackets at its end: " (limit 10 %)". */
static int length_without_limit(const char *sentence)
{
	const char *limit = strstr(sentence, " (limit ");

	return limit && limit[strlen(limit) - 1] == ')' && !strchr(limit + 2, '(')
		       ? (int)(limit - sentence)
		       : (int)strlen(sentence);
}

static const char *verdict_on(struct judging *j, const struct jfrec_rule_finding *f, size_t others)
{
	size_t n = followers_of(j->jvm, f);
	const char *follow = n ? textf(j, "; %zu finding%s from it", n, n == 1 ? " follows" : "s follow")
			       : "";

	return textf(j, "%.*s%s%s", length_without_limit(f->summary), f->summary, follow,
		     others ? textf(j, "; %zu more warning%s", others, plural((double)others)) : "");
}

const char *verdict_of(struct jvm *jvm)
{
	struct judging j = { .facts = &jvm->facts, .analysis = jvm->analysis, .jvm = jvm };
	const struct jfrec_rule_finding *first = NULL;
	size_t warnings = 0, infos = 0, judged = 0;

	for (size_t i = 0; i < jvm->finding_count; i++) {
		const struct jfrec_rule_finding *f = &jvm->findings[i];

		judged += f->severity != JFREC_SEVERITY_NO_DATA;
		if (f->explained_by)
			continue;
		warnings += f->severity == JFREC_SEVERITY_WARNING;
		infos += f->severity == JFREC_SEVERITY_INFO;
		first = first ? first : f;
	}
	if (warnings)
		return verdict_on(&j, first, warnings - 1);
	if (infos)
		return textf(&j, "No trouble was found by the %zu rules that had data; %zu thing%s worth "
				 "a look",
			     judged, infos, infos == 1 ? " is" : "s are");
	return textf(&j, "No trouble was found by the %zu rules that had data", judged);
}
