/* SPDX-License-Identifier: MIT */
/*
 * verdict.c - fail a build if a recording has a warning
 *
 * usage: verdict RECORDING [RULES.yaml]
 *        verdict [RULE]
 *
 * The second form explains a rule that comes with the library, or lists them all.
 */
#include <stdio.h>

#include <jfrec/analyze.h>

static int list(void)
{
	for (size_t i = 0; i < jfrec_rule_count(); i++)
		printf("%s\n", jfrec_rule_get(i)->id);
	return 0;
}

static int explain(const struct jfrec_rule_info *rule)
{
	struct jfrec_rule_input input;

	printf("%s\n%s\n", rule->question, rule->matters);
	for (size_t n = 0; jfrec_rule_input_get(rule, n, &input); n++)
		printf("reads %s\n", input.event);
	return 0;
}

static void print_evidence(const struct jfrec_rule_finding *f)
{
	const struct jfrec_evidence *e;

	for (size_t i = 0; (e = jfrec_finding_evidence_get(f, i)) != NULL; i++)
		if (e->text)
			printf("  %s%s%s: %s\n", jfrec_evidence_kind_name(e->kind),
			       e->label ? ", " : "", e->label ? e->label : "", e->text);
}

/* How many warnings there are. */
static size_t print_findings(const struct jfrec_analysis *a)
{
	const struct jfrec_rule_finding *f;
	size_t warnings = 0;

	for (size_t jvm = 0; jvm < jfrec_analysis_jvm_count(a); jvm++) {
		printf("%s\n", jfrec_analysis_jvm_get(a, jvm)->verdict);
		for (size_t i = 0; (f = jfrec_analysis_finding_get(a, jvm, i)) != NULL; i++) {
			if (f->severity == JFREC_SEVERITY_NO_DATA)
				printf("%s: %s\n", jfrec_no_data_name(f->no_data), f->rule->id);
			if (f->severity < JFREC_SEVERITY_INFO)
				continue;
			printf("%s: %s: %s\n", jfrec_severity_name(f->severity), f->rule->id,
			       f->summary);
			warnings += f->severity == JFREC_SEVERITY_WARNING;
			if (f->severity == JFREC_SEVERITY_WARNING)
				print_evidence(f);
		}
	}
	return warnings;
}

static int judge(const char *path, const struct jfrec_user_rules *rules, struct jfrec_error *err)
{
	struct jfrec_analysis_options o = { .struct_size = sizeof(o), .rules = rules };
	struct jfrec_reader *r = jfrec_reader_open(path, NULL, err);
	struct jfrec_analysis *a = r ? jfrec_analysis_new(&o, err) : NULL;
	int ret = -1;

	if (a && jfrec_analysis_read(a, r, err) == 0 && jfrec_analysis_finish(a, err) == 0)
		ret = print_findings(a) > 0;
	jfrec_analysis_free(a);
	jfrec_reader_close(r);
	return ret;
}

static int add_rules(struct jfrec_user_rules *rules, const char *path, struct jfrec_error *err)
{
	static char text[65536];
	FILE *f = fopen(path, "r");
	size_t len = f ? fread(text, 1, sizeof(text), f) : 0;

	if (!f)
		return jfrec_fail(err, JFREC_EIO, JFREC_NO_OFFSET, "%s cannot be opened", path);
	fclose(f);
	if (jfrec_user_rules_add(rules, text, len, path, err) < 0)
		return -1;
	for (size_t i = 0; i < jfrec_user_rules_count(rules); i++)
		printf("%s: %s\n", path, jfrec_user_rules_get(rules, i)->id);
	return 0;
}

int main(int argc, char **argv)
{
	struct jfrec_error err = { .text = "usage: verdict RECORDING [RULES.yaml]" };
	struct jfrec_user_rules *rules = jfrec_user_rules_new(&err);
	int ret = -1;

	if (argc == 1)
		ret = list();
	else if (argc == 2 && jfrec_rule_find(argv[1]))
		ret = explain(jfrec_rule_find(argv[1]));
	else if (rules && (argc == 2 || (argc == 3 && add_rules(rules, argv[2], &err) == 0)))
		ret = judge(argv[1], rules, &err);
	if (ret < 0)
		fprintf(stderr, "verdict: %s\n", err.text);
	jfrec_user_rules_free(rules);
	return ret < 0 ? 2 : ret;
}
