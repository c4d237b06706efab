/* SPDX-License-Identifier: MIT */
/*
 * numbers.c - numbers and times for people
 */
#include <math.h>
#include <string.h>

#include "base/human.h"
#include "report/report.h"

/* "0.21", "12.3", "1,234" */
static const char *plain_text(char to[static HUMAN_MAX], double value)
{
	if (fabs(value) < 100 && value != floor(value))
		return human_number(to, value);
	return human_count(to, value > 9e18    ? INT64_MAX
			       : value < -9e18 ? INT64_MIN
					       : llround(value));
}

const char *number_text(char to[static HUMAN_MAX], enum jfrec_unit unit, double value)
{
	if (!isfinite(value))
		return strcpy(to, "\xe2\x80\x93");
	if (unit == JFREC_UNIT_NONE)
		return plain_text(to, value);
	if (unit == JFREC_UNIT_HERTZ) {
		plain_text(to, value);
		return strcat(to, "/s");
	}
	return human_measure(to, unit, value);
}

static int32_t offset_of(const struct jfrec_report *r, int64_t seconds)
{
	return r->options.zone ? r->options.zone(r->options.zone_ctx, seconds) : 0;
}

const char *report_time_text(const struct jfrec_report *r, char to[static HUMAN_MAX], int64_t ns,
			     bool exact)
{
	int32_t offset = offset_of(r, ns / 1000000000 - (ns % 1000000000 < 0));

	return exact ? human_time_ms(to, ns, offset) : human_time(to, ns, offset);
}

const char *report_zone_text(const struct jfrec_report *r, char to[static HUMAN_MAX], int64_t ns)
{
	return human_zone(to, offset_of(r, ns / 1000000000 - (ns % 1000000000 < 0)));
}
