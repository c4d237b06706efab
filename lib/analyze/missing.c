/* SPDX-License-Identifier: MIT */
/*
 * missing.c - why a rule cannot judge: events missing, off, or unknown to this JDK
 */
#include <stdio.h>

#include "analyze/engine.h"
#include "format/equivalents.h"

void missing_fini(struct jfrec_analysis *a)
{
	jfrec_dictionary_free(a->dictionary);
	for (size_t i = 0; i < sizeof(a->profiles) / sizeof(*a->profiles); i++)
		jfrec_settings_free(a->profiles[i]);
}

/* Settings that would help --------------------------------------------------------------------- */

/* What `jfrec record` takes by itself, then those for production. */
static const char *const profile_names[] = { "analyze", "continuous", "profile", "memory-leak",
					     "startup", "locks", "io", "gc", "virtual-threads",
					     "security-audit", "container", "exceptions" };

static struct jfrec_settings *profile_at(struct jfrec_analysis *a, size_t i)
{
	const char *text = jfrec_profile_text(profile_names[i]);
	struct jfrec_error err;

	if (!a->profiles[i] && text)
		a->profiles[i] = jfrec_settings_parse(text, strlen(text), &err);
	return a->profiles[i];
}

const char *profile_with(struct jfrec_analysis *a, const char *event)
{
	for (size_t i = 0; i < sizeof(profile_names) / sizeof(*profile_names); i++) {
		const struct jfrec_settings *s = profile_at(a, i);
		const char *value = s ? jfrec_settings_value(s, event, "enabled") : NULL;

		if (value && strcmp(value, "true") == 0)
			return profile_names[i];
	}
	return NULL;
}

/* JDKs ----------------------------------------------------------------------------------------- */

/* The oldest and the newest JDK that has the event; 0: it is none of the JDK's. */
static void jdks_with(struct jfrec_analysis *a, const char *event, int *first, int *last,
		      bool *newest)
{
	size_t count;
	uint32_t bits;

	*first = *last = 0;
	*newest = false;
	if (!a->dictionary)
		a->dictionary = jfrec_dictionary_new(0, NULL);
	if (!a->dictionary)
		return;
	bits = jfrec_dictionary_presence(a->dictionary, event, JFREC_PART_TYPE, NULL);
	count = jfrec_dictionary_jdk_count(a->dictionary);
	for (size_t i = 0; i < count && i < 32; i++) {
		if (!(bits & 1u << i))
			continue;
		*last = jfrec_dictionary_jdk_get(a->dictionary, i);
		if (!*first)
			*first = *last;
		*newest = i == count - 1;
	}
}

/* Reasons -------------------------------------------------------------------------------------- */

static void tell_undeclared(struct judging *j, const char *event)
{
	int jdk = j->facts->jdk, first, last;
	bool newest;

	jdks_with(j->analysis, event, &first, &last, &newest);
	if (jdk && first && jdk < first)
		not_for_this_jvm(j, "%s exists from JDK %d on, this is %d", event, first, jdk);
	else if (jdk && last && !newest && jdk > last)
		not_for_this_jvm(j, "%s exists up to JDK %d, this is %d", event, last, jdk);
	else
		not_for_this_jvm(j, "The recording does not declare %s", event);
}

/* Whose profiler recorded it, with settings of its own; NULL: the JDK. */
static const char *producer_met(const struct judging *j)
{
	const char *producer = NULL;

	for (size_t i = 0; i < j->jvm->type_count && !producer; i++) {
		if (j->jvm->types[i].is_declared)
			producer = producer_of(text_at(j, j->jvm->types[i].name));
	}
	return producer;
}

static void tell_off(struct judging *j, const char *event)
{
	const char *profile = profile_with(j->analysis, event), *producer = producer_met(j);
	const char *was = producer
				  ? textf(j, "%s was off, as %s's profiler has it", event, producer)
				  : textf(j, "%s was off", event);
	const char *where = producer ? " beside it" : "";

	if (profile)
		none_came(j, "%s; `jfrec start --settings %s` records it%s", was, profile, where);
	else
		none_came(j, "%s; `jfrec start --set %s#enabled=true` records it%s", was, event,
			  where);
	j->finding->settings = profile;
	j->finding->no_data = JFREC_SWITCHED_OFF;
}

static void tell_silent(struct judging *j, const char *event)
{
	double period = (double)type_period_ns(j, event);

	if (period > 0)
		none_came(j, "%s was on with a period of %s, but none came in %s", event,
			  span_text(j, period), span_text(j, (double)recorded_ns(j)));
	else
		none_came(j, "%s was on, but none came in %s", event,
			  span_text(j, (double)recorded_ns(j)));
}

static void tell(struct judging *j, const struct reads *input, enum presence p)
{
	switch (p) {
	case TYPE_UNDECLARED:
		tell_undeclared(j, input->type);
		break;
	case TYPE_OFF:
		tell_off(j, input->type);
		break;
	case TYPE_UNKNOWN:
		none_came(j, "There are no %s events, and the recording does not say whether they "
			     "were on",
			  input->type);
		break;
	default:
		tell_silent(j, input->type);
	}
}

const char *why_no_event(struct jfrec_analysis *a, struct jvm *jvm, const char *event)
{
	struct jfrec_rule_finding finding = { 0 };
	struct judging j = { .facts = &jvm->facts, .analysis = a, .jvm = jvm, .finding = &finding };
	struct reads input = { .type = event };
	enum presence p = type_presence(&j, event);

	if (p == TYPE_HAS_EVENTS)
		return NULL;
	tell(&j, &input, p);
	return finding.summary;
}

static bool is_enough(const struct reads *input, enum presence p)
{
	if (input->need == JFREC_RULE_HELPS)
		return true;
	return p == TYPE_HAS_EVENTS || (p == TYPE_SILENT && input->need == JFREC_RULE_OCCURS);
}

static enum presence presence_of(const struct judging *j, const struct reads *input)
{
	if (!input->is_of_others)
		return type_presence(j, input->type);
	return other_met(j, input->type) ? TYPE_HAS_EVENTS : TYPE_UNDECLARED;
}

/* Of several, report the one that is easiest to fix. */
static bool either_is_there(struct judging *j, unsigned either)
{
	const struct reads *best = NULL;
	enum presence best_presence = TYPE_UNDECLARED;

	for (const struct reads *i = j->rule->inputs; i->type; i++) {
		enum presence p;

		if (i->either != either)
			continue;
		p = presence_of(j, i);
		if (is_enough(i, p))
			return true;
		/* The JVM's own is named, since it can be switched on. */
		if (i->is_of_others)
			continue;
		if (!best || p > best_presence) {
			best = i;
			best_presence = p;
		}
	}
	tell(j, best, best_presence);
	return false;
}

bool inputs_are_there(struct judging *j)
{
	for (const struct reads *i = j->rule->inputs; i && i->type; i++) {
		enum presence p;

		if (i->either) {
			if (!either_is_there(j, i->either))
				return false;
			continue;
		}
		p = presence_of(j, i);
		if (!is_enough(i, p)) {
			tell(j, i, p);
			return false;
		}
	}
	return true;
}
