/* SPDX-License-Identifier: MIT */
/*
 * amount.c - parse whole numbers and sizes
 */
#include "base/amount.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "jfrec-tool.h"

bool parse_whole(const char *text, const char **end, int64_t *value)
{
	*value = 0;
	for (*end = text; isdigit((unsigned char)**end); (*end)++) {
		if (__builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, **end - '0', value))
			return false;
	}
	return *end > text;
}

bool parse_bytes(const char *text, const char *units, int64_t *bytes)
{
	const char *end, *unit;

	if (!parse_whole(text, &end, bytes))
		return false;
	if (!*end)
		return true;
	unit = strchr(units, tolower((unsigned char)*end));
	if (!unit || (end[1] && strcasecmp(end + 1, "b") != 0 && strcasecmp(end + 1, "ib") != 0))
		return false;
	return !__builtin_mul_overflow(*bytes, INT64_C(1) << 10 * (unit - units + 1), bytes);
}

bool jfrec_parse_size(const char *text, uint64_t *bytes)
{
	int64_t n;

	if (!parse_bytes(text, "kmgt", &n) || n == 0)
		return false;
	*bytes = (uint64_t)n;
	return true;
}
