/* SPDX-License-Identifier: MIT */
/*
 * numbers.c - numbers and times for people
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "report/report.h"
#include "stacks/weight_text.h"

/* "0.21", "12.3", "1,234" */
static void put_number(char *to, double value)
{
	if (fabs(value) < 100 && value != floor(value))
		snprintf(to, NUMBER_TEXT_MAX, "%.*f", fabs(value) < 9.995 ? 2 : 1, value);
	else
		weight_text(to, UNIT_SAMPLES, llround(value));
}

static int64_t whole(double value)
{
	return value > 9e18 ? INT64_MAX : value < -9e18 ? INT64_MIN : llround(value);
}

const char *number_text(char to[static NUMBER_TEXT_MAX], enum jfrec_unit unit, double value)
{
	if (!isfinite(value))
		return strcpy(to, "\xe2\x80\x93");
	switch (unit) {
	case JFREC_UNIT_PERCENT:
		snprintf(to, NUMBER_TEXT_MAX, "%.*f %%",
			 fabs(value) < 0.0995   ? 2
			 : fabs(value) < 0.9995 ? 1
						: 0,
			 100 * value);
		break;
	case JFREC_UNIT_NS:
		weight_text(to, UNIT_NS, whole(value));
		break;
	case JFREC_UNIT_BYTES:
	case JFREC_UNIT_BYTES_PER_S:
		weight_text(to, UNIT_BYTES, whole(value));
		break;
	default:
		put_number(to, fabs(value) > 9e18 ? 9e18 : value);
	}
	if (unit == JFREC_UNIT_BYTES_PER_S || unit == JFREC_UNIT_HERTZ)
		strcat(to, "/s");
	return to;
}

static int32_t offset_of(const struct jfrec_report *r, int64_t seconds)
{
	return r->options.zone ? r->options.zone(r->options.zone_ctx, seconds) : 0;
}

const char *report_time_text(const struct jfrec_report *r, char to[static TIME_TEXT_MAX], int64_t ns,
			     bool exact)
{
	int64_t seconds = ns / 1000000000 - (ns % 1000000000 < 0);
	time_t local = (time_t)(seconds + offset_of(r, seconds));
	struct tm tm;
	size_t len;

	if (!gmtime_r(&local, &tm))
		tm = (struct tm){ .tm_year = 70, .tm_mday = 1 };
	len = strftime(to, TIME_TEXT_MAX, "%Y-%m-%d %H:%M:%S", &tm);
	if (exact)
		snprintf(to + len, TIME_TEXT_MAX - len, ".%03d",
			 (int)((ns - seconds * 1000000000) / 1000000));
	return to;
}

const char *report_zone_text(const struct jfrec_report *r, char to[static TIME_TEXT_MAX], int64_t ns)
{
	int32_t offset = offset_of(r, ns / 1000000000), by = offset < 0 ? -offset : offset;

	if (!offset)
		return strcpy(to, "UTC");
	snprintf(to, TIME_TEXT_MAX, "UTC%c%02" PRId32 ":%02" PRId32, offset < 0 ? '-' : '+',
		 by / 3600, by / 60 % 60);
	return to;
}
