/* SPDX-License-Identifier: MIT */
/*
 * asking.c - which rules judge, and by which limits: options of all commands that judge
 */
#include "analyze/asking.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "jfrec-tool.h"

const struct opt_choice asking_severities[] = {
	{ "info", JFREC_SEVERITY_INFO },
	{ "warning", JFREC_SEVERITY_WARNING },
	{ 0 },
};

const struct opt_choice asking_failures[] = {
	{ "info", JFREC_SEVERITY_INFO },
	{ "warning", JFREC_SEVERITY_WARNING },
	{ "never", ASKING_NEVER },
	{ 0 },
};

/* clang-format off */
const struct opt asking_rows[] = {
	OPT_ONCE(0, "only", "RULES", "apply only these rules, separated by commas", struct asking_opts, only),
	OPT_LIST(0, "ignore", "RULES[:WHY]", "only count what these rules find", struct asking_opts, ignore),
	OPT_LIST(0, "limit", "RULE.CLASS=VALUE", "set a limit: gc-pause-share.warning=20%", struct asking_opts, limits),
	OPT_ONCE(0, "limits", "FILE", "take limits and ignored rules from a YAML file", struct asking_opts, limits_file),
	OPT_LIST(0, "rules", "FILE", "also judge by the rules of a YAML file", struct asking_opts, rules_files),
	{ 0 },
};
/* clang-format on */

bool asking_is_given(const struct asking_opts *o)
{
	return o->only || o->limits_file || o->ignore.count || o->limits.count ||
	       o->rules_files.count;
}

int asking_read(struct asking_opts *o)
{
	struct jfrec_error err;

	if (o->rules_files.count && !(o->user_rules = rules_read(&o->rules_files)))
		return EXIT_FAILED;
	if (!o->limits_file || (o->user_limits = jfrec_yaml_read(o->limits_file, false, &err)))
		return EXIT_DONE;
	say(o->limits_file, failure_text(&err));
	return EXIT_FAILED;
}

static int ignore(struct jfrec_analysis *a, const char *text, struct jfrec_error *err)
{
	const char *reason = strchr(text, ':');
	char *globs = reason ? strndup(text, (size_t)(reason - text)) : strdup(text);
	int ret = globs ? jfrec_analysis_ignore(a, globs, reason ? reason + 1 : NULL, err)
			: jfrec_fail_memory(err);

	free(globs);
	return ret;
}

int asking_apply(const struct asking_opts *o, struct jfrec_analysis *a, struct jfrec_error *err)
{
	if (o->only && jfrec_analysis_only(a, o->only, err) < 0)
		return -1;
	if (o->user_limits && limits_apply(a, o->user_limits, err) < 0)
		return -1;
	for (size_t i = 0; i < o->ignore.count; i++) {
		if (ignore(a, o->ignore.texts[i], err) < 0)
			return -1;
	}
	for (size_t i = 0; i < o->limits.count; i++) {
		if (jfrec_analysis_set_limit(a, o->limits.texts[i], err) < 0)
			return -1;
	}
	return 0;
}

void asking_fini(struct asking_opts *o)
{
	opt_list_fini(&o->ignore);
	opt_list_fini(&o->limits);
	opt_list_fini(&o->rules_files);
	jfrec_user_rules_free(o->user_rules);
	jfrec_yaml_free(o->user_limits);
}
