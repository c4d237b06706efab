/* SPDX-License-Identifier: MIT */
/*
 * asking.c - which rules there are, which of them are asked, and by which limits
 */
#include <stdio.h>
#include <stdlib.h>

#include "analyze/user_rules.h"
#include "base/error.h"
#include "base/glob.h"
#include "base/near.h"
#include "jfrec-tool.h"

size_t jfrec_rule_count(void)
{
	size_t n = 0;

	while (all_rules[n])
		n++;
	return n;
}

const struct jfrec_rule_info *jfrec_rule_get(size_t i)
{
	return i < jfrec_rule_count() ? &all_rules[i]->info : NULL;
}

const struct jfrec_rule_info *jfrec_rule_find(const char *id)
{
	for (size_t i = 0; all_rules[i]; i++) {
		if (strcmp(all_rules[i]->info.id, id) == 0)
			return &all_rules[i]->info;
	}
	return NULL;
}

bool jfrec_rule_input_get(const struct jfrec_rule_info *info, size_t n,
			  struct jfrec_rule_input *input)
{
	const struct rule *rule = (const struct rule *)info; /* its first member */

	for (size_t i = 0; rule->inputs && rule->inputs[i].type; i++) {
		/* It is what another producer has in place of one that is in the list. */
		if (rule->inputs[i].is_of_others || n-- > 0)
			continue;
		*input = (struct jfrec_rule_input){ rule->inputs[i].type, rule->inputs[i].need,
						    rule->inputs[i].either };
		return true;
	}
	return false;
}

const char *jfrec_severity_name(enum jfrec_severity s)
{
	static const char *const names[] = {
		[JFREC_SEVERITY_IGNORED] = "ignored", [JFREC_SEVERITY_NO_DATA] = "no-data",
		[JFREC_SEVERITY_OK] = "ok",	      [JFREC_SEVERITY_INFO] = "info",
		[JFREC_SEVERITY_WARNING] = "warning",
	};

	return names[s];
}

const char *jfrec_no_data_name(enum jfrec_no_data n)
{
	static const char *const names[] = {
		[JFREC_DATA] = NULL,	       [JFREC_NOT_IN_JVM] = "not-in-jvm",
		[JFREC_SWITCHED_OFF] = "off", [JFREC_NONE_CAME] = "none",
		[JFREC_TOO_FEW] = "too-few",
	};

	return names[n];
}

/* Globs ---------------------------------------------------------------------------------------- */

static int fail_unknown(const struct jfrec_analysis *a, const char *name, size_t len,
			struct jfrec_error *err)
{
	char typed[64], list[NEAR_LIST_MAX];
	struct near near = { .name = typed };

	snprintf(typed, sizeof(typed), "%.*s", (int)len, name);
	for (size_t i = 0; i < a->rule_count; i++)
		near_offer(&near, a->choices[i].rule->info.id);
	near_list(&near, list);
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "there is no rule '%s'%s", typed,
			  *list ? list : "; `jfrec analyze --list` shows them all");
}

/* Call fn for each rule that one of the globs matches. */
static int each_rule(struct jfrec_analysis *a, const char *globs,
		     void (*fn)(struct rule_choice *, const char *), const char *arg,
		     struct jfrec_error *err)
{
	for (const char *at = globs; *at;) {
		size_t len = strcspn(at, ",");
		bool is_met = false;

		for (size_t i = 0; i < a->rule_count; i++) {
			if (!glob_match(at, len, a->choices[i].rule->info.id))
				continue;
			fn(&a->choices[i], arg);
			is_met = true;
		}
		if (len && !is_met)
			return fail_unknown(a, at, len, err);
		at += len + (at[len] == ',');
	}
	return 0;
}

static void want(struct rule_choice *choice, const char *arg)
{
	(void)arg;
	choice->is_wanted = true;
}

static void ignore(struct rule_choice *choice, const char *reason)
{
	choice->is_ignored = true;
	choice->ignored_because = reason;
}

int jfrec_analysis_only(struct jfrec_analysis *a, const char *globs, struct jfrec_error *err)
{
	for (size_t i = 0; !a->has_only && i < a->rule_count; i++)
		a->choices[i].is_wanted = false;
	a->has_only = true;
	return each_rule(a, globs, want, NULL, err);
}

int jfrec_analysis_ignore(struct jfrec_analysis *a, const char *globs, const char *reason,
			  struct jfrec_error *err)
{
	char *copy = reason ? arena_strndup(&a->arena, reason, strlen(reason)) : NULL;

	if (reason && !copy)
		return jfrec_fail_memory(err);
	return each_rule(a, globs, ignore, copy, err);
}

/* Limits --------------------------------------------------------------------------------------- */

static const char *const unit_examples[] = {
	[JFREC_UNIT_NONE] = "a number such as 12",
	[JFREC_UNIT_PERCENT] = "a percentage such as 20%",
	[JFREC_UNIT_NS] = "a duration such as 500ms",
	[JFREC_UNIT_BYTES] = "a size such as 64M",
	[JFREC_UNIT_HERTZ] = "a number per second such as 100",
	[JFREC_UNIT_BYTES_PER_S] = "a size per second such as 64M",
};

const char *limit_example(enum jfrec_unit unit)
{
	size_t i = unit;

	return i < sizeof(unit_examples) / sizeof(*unit_examples) && unit_examples[i]
		       ? unit_examples[i]
		       : unit_examples[JFREC_UNIT_NONE];
}

static bool parse_number(const char *text, const char *unit, double *v)
{
	char *end;

	*v = strtod(text, &end);
	if (end == text || !isfinite(*v) || *v < 0)
		return false;
	end += strspn(end, " ");
	return !*end || strcmp(end, unit) == 0;
}

bool limit_parse(const char *text, enum jfrec_unit unit, double *v)
{
	uint64_t bytes;
	int64_t ns;

	if (strcmp(text, "never") == 0) {
		*v = INFINITY;
		return true;
	}
	switch (unit) {
	case JFREC_UNIT_PERCENT:
		if (!strchr(text, '%') || !parse_number(text, "%", v))
			return false;
		*v /= 100;
		return true;
	case JFREC_UNIT_NS:
		if (!jfrec_parse_duration(text, &ns))
			return false;
		*v = (double)ns;
		return true;
	case JFREC_UNIT_BYTES:
	case JFREC_UNIT_BYTES_PER_S:
		if (!jfrec_parse_size(text, &bytes))
			return false;
		*v = (double)bytes;
		return true;
	case JFREC_UNIT_HERTZ:
		return parse_number(text, "/s", v);
	default:
		return parse_number(text, "", v);
	}
}

static struct rule_choice *choice_named(struct jfrec_analysis *a, const char *id, size_t len)
{
	for (size_t i = 0; i < a->rule_count; i++) {
		const char *name = a->choices[i].rule->info.id;

		if (strlen(name) == len && memcmp(name, id, len) == 0)
			return &a->choices[i];
	}
	return NULL;
}

int jfrec_analysis_set_limit(struct jfrec_analysis *a, const char *limit, struct jfrec_error *err)
{
	size_t len = strcspn(limit, "=."), class_len;
	const char *class = limit[len] == '.' ? limit + len + 1 : "", *value;
	struct rule_choice *choice = choice_named(a, limit, len);
	bool is_info, is_warning;
	double v;

	class_len = strcspn(class, "=");
	value = class[class_len] == '=' ? class + class_len + 1 : NULL;
	is_info = class_len == 4 && memcmp(class, "info", 4) == 0;
	is_warning = class_len == 7 && memcmp(class, "warning", 7) == 0;
	if (!value || (!is_info && !is_warning))
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "'%s' is not a limit; write RULE.info=VALUE or "
				  "RULE.warning=VALUE, for example gc-pause-share.warning=20%%",
				  limit);
	if (!choice)
		return fail_unknown(a, limit, len, err);
	if (!choice->rule->info.measures)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "%s has no limits that can be set", choice->rule->info.id);
	if (!limit_parse(value, choice->rule->info.unit, &v))
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "the limits of %s take %s or never, not '%s'",
				  choice->rule->info.id, limit_example(choice->rule->info.unit),
				  value);
	if (is_info)
		choice->info = v;
	else
		choice->warning = v;
	return 0;
}

size_t jfrec_analysis_rule_count(const struct jfrec_analysis *a)
{
	return a->rule_count;
}

const struct jfrec_rule_info *jfrec_analysis_rule_get(const struct jfrec_analysis *a, size_t i)
{
	return i < a->rule_count ? &a->choices[i].rule->info : NULL;
}

const struct jfrec_rule_info *jfrec_analysis_rule_find(const struct jfrec_analysis *a,
						       const char *id)
{
	for (size_t i = 0; i < a->rule_count; i++) {
		if (strcmp(a->choices[i].rule->info.id, id) == 0)
			return &a->choices[i].rule->info;
	}
	return NULL;
}

void jfrec_analysis_limits(const struct jfrec_analysis *a, const struct jfrec_rule_info *rule,
			   double *info, double *warning)
{
	for (size_t i = 0; i < a->rule_count; i++) {
		if (&a->choices[i].rule->info == rule) {
			*info = a->choices[i].info;
			*warning = a->choices[i].warning;
		}
	}
}
