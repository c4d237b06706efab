/* SPDX-License-Identifier: MIT */
/*
 * explain.c - say what a rule asks, how it finds out, what it cannot see, and what to do
 */
#include <math.h>

#include "analyze/analyze.h"
#include "base/human.h"

#define WIDTH 92

static void paragraph(const char *title, const char *text)
{
	if (!text)
		return;
	printf("\n%s\n  ", title);
	print_wrapped(text, 2, WIDTH);
}

static const char *need_text(const struct jfrec_rule_input *in)
{
	if (in->need == JFREC_RULE_HELPS)
		return "helps";
	if (in->either)
		return "needed, or another of these";
	return in->need == JFREC_RULE_OCCURS ? "needed; without any, all is well" : "needed";
}

static void print_inputs(const struct jfrec_rule_info *rule)
{
	struct jfrec_rule_input in;
	size_t n = 0;

	printf("\nEvents that it reads\n");
	for (; jfrec_rule_input_get(rule, n, &in); n++)
		printf("  %-34s %s\n", in.event, need_text(&in));
	if (!n)
		printf("  none: it looks at the recording itself\n");
}

static void print_limits(const struct jfrec_analysis *a, const struct jfrec_rule_info *rule)
{
	double info = rule->info, warning = rule->warning;
	char one[HUMAN_MAX], other[HUMAN_MAX];

	if (!rule->measures)
		return;
	jfrec_analysis_limits(a, rule, &info, &warning);
	printf("\nLimits: info %s, warning %s\n  What is measured: ",
	       human_measure(one, rule->unit, info),
	       human_measure(other, rule->unit, warning));
	print_wrapped(rule->measures, 2, WIDTH);
	printf("  To change one: --limit %s.%s=VALUE\n", rule->id,
	       isinf(warning) ? "info" : "warning");
}

static void print_jmc(const struct jfrec_rule_info *rule)
{
	if (!rule->jmc || !rule->jmc[0])
		return;
	printf("\nIn JDK Mission Control\n  ");
	for (size_t i = 0; rule->jmc[i]; i++)
		printf("%s%s", i ? ", " : "", rule->jmc[i]);
	putchar('\n');
	if (rule->differs) {
		printf("  ");
		print_wrapped(rule->differs, 2, WIDTH);
	}
}

void analyze_explain(const struct jfrec_analysis *a, const struct jfrec_rule_info *rule)
{
	printf("%s: ", rule->id);
	print_wrapped(rule->question, 2, WIDTH);
	paragraph("Why it matters", rule->matters);
	paragraph("What to do", rule->advice);
	paragraph("How it is found out", rule->computes);
	paragraph("Beware", rule->beware);
	print_limits(a, rule);
	print_inputs(rule);
	print_jmc(rule);
}
