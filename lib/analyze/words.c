/* SPDX-License-Identifier: MIT */
/*
 * words.c - numbers, times and sizes as findings write them
 */
#include "analyze/engine.h"
#include "base/human.h"

const char *count_text(struct judging *j, double n)
{
	char text[HUMAN_MAX];

	return textf(j, "%s", human_number(text, n));
}

const char *percent_text(struct judging *j, double share)
{
	char text[HUMAN_MAX];

	return textf(j, "%s", human_share(text, share));
}

const char *span_text(struct judging *j, double ns)
{
	char text[HUMAN_MAX];

	return textf(j, "%s", human_span(text, ns));
}

const char *bytes_text(struct judging *j, double bytes)
{
	char text[HUMAN_MAX];

	return textf(j, "%s", human_bytes(text, bytes));
}

const char *unit_text(struct judging *j, double v, enum jfrec_unit unit)
{
	char text[HUMAN_MAX];

	return textf(j, "%s", human_measure(text, unit, v));
}

const char *limit_text(struct judging *j)
{
	double limit = j->finding->severity == JFREC_SEVERITY_WARNING ? j->warning : j->info;

	if (isinf(limit))
		limit = isinf(j->info) ? j->warning : j->info;
	if (isinf(limit))
		return "(no limit)";
	return textf(j, "(limit %s)", unit_text(j, limit, j->rule->info.unit));
}

const char *time_text(struct judging *j, int64_t ns)
{
	int64_t s = ns / 1000000000 - (ns % 1000000000 < 0);
	int32_t offset = j->analysis->zone ? j->analysis->zone(j->analysis->zone_ctx, s) : 0;
	char text[HUMAN_MAX];

	return textf(j, "%s", human_clock(text, ns, offset));
}
