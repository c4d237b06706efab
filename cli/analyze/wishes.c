/* SPDX-License-Identifier: MIT */
/*
 * wishes.c - files with rules and limits of a project, and with findings of earlier runs
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "analyze/analyze.h"
#include "base/typo.h"
#include "jfrec-tool.h"

/* Rules ---------------------------------------------------------------------------------------- */

struct jfrec_user_rules *rules_read(const struct opt_list *files)
{
	struct jfrec_error err = { 0 };
	struct jfrec_user_rules *rules = jfrec_user_rules_new(&err);
	int ret = 0;

	for (size_t i = 0; rules && ret == 0 && i < files->count; i++) {
		ret = jfrec_user_rules_load(rules, files->texts[i], &err);
		if (ret < 0)
			say(files->texts[i], failure_text(&err));
	}
	if (rules && ret == 0)
		return rules;
	if (!rules)
		say_out_of_memory();
	jfrec_user_rules_free(rules);
	return NULL;
}

/* Limits --------------------------------------------------------------------------------------- */

static int fail_entry(const struct jfrec_yaml_node *n, struct jfrec_error *err)
{
	struct typo typo = { .word = n->key };
	char meant[TYPO_TEXT_MAX];

	typo_offer(&typo, "info");
	typo_offer(&typo, "warning");
	typo_offer(&typo, "ignore");
	return jfrec_yaml_fail_key(n, err, "a rule has info, warning or ignore, not %.60s%s", n->key,
				   typo_text(&typo, meant));
}

static int fail_rule(const struct jfrec_analysis *a, const struct jfrec_yaml_node *n,
		     struct jfrec_error *err)
{
	struct typo typo = { .word = n->key };
	const struct jfrec_rule_info *rule;
	char meant[TYPO_TEXT_MAX];

	for (size_t i = 0; (rule = jfrec_analysis_rule_get(a, i)); i++)
		typo_offer(&typo, rule->id);
	return jfrec_yaml_fail_key(n, err, "there is no rule called %.60s%s", n->key,
				   typo.meant ? typo_text(&typo, meant)
					      : "; `jfrec analyze --list` shows them all");
}

/*
 *	rules:
 *	  gc-pause-share: {info: 10%, warning: 20%}
 *	  pid-1: off
 *	  secrets: {ignore: test data}
 */
static int apply_entry(struct jfrec_analysis *a, const char *rule, const struct jfrec_yaml_node *n,
		       struct jfrec_error *err)
{
	struct jfrec_error why = { 0 };
	char limit[256];
	int ret;

	if (n->kind != JFREC_YAML_TEXT)
		return jfrec_yaml_fail(n, err, "%s of a rule is a text", n->key);
	if (strcmp(n->key, "ignore") == 0) {
		ret = jfrec_analysis_ignore(a, rule, n->text, &why);
	} else if (strcmp(n->key, "info") == 0 || strcmp(n->key, "warning") == 0) {
		snprintf(limit, sizeof(limit), "%s.%s=%s", rule, n->key, n->text);
		ret = jfrec_analysis_set_limit(a, limit, &why);
	} else {
		return fail_entry(n, err);
	}
	return ret < 0 ? jfrec_yaml_fail(n, err, "%s", why.text) : 0;
}

static int apply_rule(struct jfrec_analysis *a, const struct jfrec_yaml_node *rule,
		      struct jfrec_error *err)
{
	if (!jfrec_analysis_rule_find(a, rule->key))
		return fail_rule(a, rule, err);
	if (rule->kind == JFREC_YAML_TEXT && strcmp(rule->text, "off") == 0)
		return jfrec_analysis_ignore(a, rule->key, "off in the file of limits", err);
	if (rule->kind != JFREC_YAML_MAP)
		return jfrec_yaml_fail(rule, err, "a rule is off, or has info, warning or ignore");
	for (const struct jfrec_yaml_node *n = rule->first; n; n = n->next) {
		if (apply_entry(a, rule->key, n, err) < 0)
			return -1;
	}
	return 0;
}

int limits_apply(struct jfrec_analysis *a, const struct jfrec_yaml *file, struct jfrec_error *err)
{
	const struct jfrec_yaml_node *root = jfrec_yaml_root(file);

	if (root->kind != JFREC_YAML_MAP)
		return jfrec_yaml_fail(root, err, "a file of limits begins with `rules:`");
	for (const struct jfrec_yaml_node *n = root->first; n; n = n->next) {
		if (strcmp(n->key, "rules") != 0 || n->kind != JFREC_YAML_MAP)
			return jfrec_yaml_fail_key(n, err, "a file of limits has only `rules:`, with "
						   "a line for each rule");
		for (const struct jfrec_yaml_node *rule = n->first; rule; rule = rule->next) {
			if (apply_rule(a, rule, err) < 0)
				return -1;
		}
	}
	return 0;
}

/* Baseline ------------------------------------------------------------------------------------- */

static int rank_of(const char *severity)
{
	if (severity && strcmp(severity, "warning") == 0)
		return JFREC_SEVERITY_WARNING;
	return severity && strcmp(severity, "info") == 0 ? JFREC_SEVERITY_INFO : 0;
}

static void note_findings(json_t *baseline, const json_t *jvm)
{
	const json_t *finding;
	size_t i;

	json_array_foreach(json_object_get(jvm, "findings"), i, finding) {
		const char *rule = json_string_value(json_object_get(finding, "rule"));
		int rank = rank_of(json_string_value(json_object_get(finding, "severity")));
		const json_t *before = rule ? json_object_get(baseline, rule) : NULL;

		if (rule && rank > json_integer_value(before))
			json_object_set_new(baseline, rule, json_integer(rank));
	}
}

/* NULL: it is not JSON, or cannot be read; errno is set then. */
static json_t *load(const char *path)
{
	FILE *f = fopen(path, "re");
	json_t *document = f ? json_loadf(f, JSON_REJECT_DUPLICATES, NULL) : NULL;

	if (f) {
		errno = ferror(f) ? errno : 0;
		fclose(f);
	}
	return document;
}

json_t *baseline_read(const char *path)
{
	json_t *document = load(path), *baseline;
	const json_t *jvm, *jvms = json_object_get(document, "jvms");
	size_t i;

	if (!json_is_array(jvms)) {
		say(path, document || !errno ? "is not a document of `jfrec analyze --json`"
					     : strerror(errno));
		json_decref(document);
		return NULL;
	}
	baseline = json_object();
	json_array_foreach(jvms, i, jvm)
		note_findings(baseline, jvm);
	json_decref(document);
	return baseline;
}

bool is_new(const json_t *baseline, const struct jfrec_rule_finding *f)
{
	return !baseline ||
	       (json_int_t)f->severity > json_integer_value(json_object_get(baseline, f->rule->id));
}

bool report_shows(const struct analyze_report *r, const struct jfrec_rule_finding *f)
{
	return f->severity >= JFREC_SEVERITY_INFO && f->severity >= r->least &&
	       is_new(r->baseline, f);
}
