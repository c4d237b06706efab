/* SPDX-License-Identifier: MIT */
/*
 * timespan.c - parse and format durations in settings, such as "20 ms"
 */
#include "settings/timespan.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/timeparse.h"
#include "jfrec-tool.h"

enum timespan_state timespan_parse(const char *value, char *text, int64_t *ns)
{
	const char *digits = value + (*value == '-' || *value == '+');
	struct time_scale scale;
	long long number;
	char *unit;

	if (!isdigit((unsigned char)*digits))
		return TIMESPAN_WRONG;
	errno = 0;
	number = strtoll(value, &unit, 10);
	if (errno)
		return TIMESPAN_WRONG;
	if (!*unit)
		return TIMESPAN_NO_UNIT;
	unit += strspn(unit, " \t");
	if (!*unit || !time_scale_named(unit, strlen(unit), &scale))
		return TIMESPAN_WRONG;
	if (text)
		snprintf(text, TIMESPAN_MAX, "%lld %s", number, unit);
	if (ns && !time_scale_ns(&scale, number, 0, ns))
		*ns = number < 0 ? INT64_MIN : INT64_MAX;
	return TIMESPAN_OK;
}

bool jfrec_settings_parse_span(const char *text, int64_t *ns)
{
	char as_written[TIMESPAN_MAX];

	return timespan_parse(text, as_written, ns) == TIMESPAN_OK;
}
