/* SPDX-License-Identifier: MIT */
/*
 * words.c - numbers, times and sizes as findings write them
 *
 * Three digits that matter, so that 4.96 % is not shown as the 5 % of its limit.
 */
#include <inttypes.h>
#include <stdio.h>

#include "analyze/engine.h"

/* As many decimals as make three digits; trailing zeros go. */
static const char *digits(struct judging *j, double v)
{
	double most = fabs(v);
	int decimals = most >= 100 || most == 0 ? 0 : most >= 10 ? 1 : most >= 1 ? 2 : 3;
	char text[64];
	size_t len;

	while (decimals >= 3 && decimals < 9 && most > 0 && most * pow(10, decimals - 2) < 1)
		decimals++;
	if (most >= 1e15)
		return textf(j, "%.3g", v);
	snprintf(text, sizeof(text), "%.*f", decimals, v);
	len = strlen(text);
	while (decimals > 0 && text[len - 1] == '0')
		text[--len] = '\0';
	if (len && text[len - 1] == '.')
		text[--len] = '\0';
	return textf(j, "%s", text);
}

const char *count_text(struct judging *j, double n)
{
	return digits(j, n);
}

const char *percent_text(struct judging *j, double share)
{
	return textf(j, "%s %%", digits(j, share * 100));
}

const char *span_text(struct judging *j, double ns)
{
	double s = ns / 1e9, minutes;

	if (s >= 7200)
		return textf(j, "%s h", digits(j, s / 3600));
	if (s >= 120) {
		minutes = floor(s / 60);
		return s - minutes * 60 < 1 ? textf(j, "%.0f min", minutes)
					    : textf(j, "%.0f min %.0f s", minutes,
						    floor(s - minutes * 60));
	}
	if (s >= 1)
		return textf(j, "%s s", digits(j, s));
	if (s >= 1e-3 || s == 0)
		return textf(j, "%s ms", digits(j, s * 1e3));
	return s >= 1e-6 ? textf(j, "%s \u00b5s", digits(j, s * 1e6))
			 : textf(j, "%s ns", digits(j, ns));
}

const char *bytes_text(struct judging *j, double bytes)
{
	static const char *const units[] = { "bytes", "kB", "MB", "GB", "TB" };
	unsigned i = 0;

	while (fabs(bytes) >= 1024 && i < 4) {
		bytes /= 1024;
		i++;
	}
	return textf(j, "%s %s", digits(j, bytes), bytes == 1 && !i ? "byte" : units[i]);
}

const char *unit_text(struct judging *j, double v, enum jfrec_unit unit)
{
	switch (unit) {
	case JFREC_UNIT_PERCENT:
		return percent_text(j, v);
	case JFREC_UNIT_NS:
		return span_text(j, v);
	case JFREC_UNIT_BYTES:
		return bytes_text(j, v);
	case JFREC_UNIT_HERTZ:
		return textf(j, "%s/s", digits(j, v));
	case JFREC_UNIT_BYTES_PER_S:
		return textf(j, "%s/s", bytes_text(j, v));
	default:
		return digits(j, v);
	}
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
	int64_t s = ns / 1000000000 - (ns % 1000000000 < 0), of_day;
	int32_t offset = j->analysis->zone ? j->analysis->zone(j->analysis->zone_ctx, s) : 0;

	of_day = ((s + offset) % 86400 + 86400) % 86400;
	return textf(j, "%02d:%02d:%02d", (int)(of_day / 3600), (int)(of_day / 60 % 60),
		     (int)(of_day % 60));
}
