/* SPDX-License-Identifier: MIT */
/*
 * timespan.c - parse and format durations in settings, such as "20 ms"
 */
#include "settings/timespan.h"

#include "jfrec.h"
#include "base/clock_now.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	int64_t ns;
} units[] = {
	{ "ns", 1 },
	{ "us", 1000 },
	{ "ms", 1000000 },
	{ "s", NS_PER_SECOND },
	{ "m", 60 * NS_PER_SECOND },
	{ "h", 3600 * NS_PER_SECOND },
	{ "d", 86400 * NS_PER_SECOND },
};

static int64_t saturating_product(int64_t a, int64_t b)
{
	int64_t product;

	if (!__builtin_mul_overflow(a, b, &product))
		return product;
	return a < 0 ? INT64_MIN : INT64_MAX;
}

enum timespan_state timespan_parse(const char *value, char *text, int64_t *ns)
{
	const char *digits = value + (*value == '-' || *value == '+');
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
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(unit, units[i].name) != 0)
			continue;
		if (text)
			snprintf(text, TIMESPAN_MAX, "%lld %s", number, unit);
		if (ns)
			*ns = saturating_product(number, units[i].ns);
		return TIMESPAN_OK;
	}
	return TIMESPAN_WRONG;
}

bool jfrec_settings_parse_span(const char *text, int64_t *ns)
{
	char as_written[TIMESPAN_MAX];

	return timespan_parse(text, as_written, ns) == TIMESPAN_OK;
}
