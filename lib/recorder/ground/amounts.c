/* SPDX-License-Identifier: MIT */
/*
 * amounts.c - sizes and durations, as people write them: 250m, 10 ms
 */
#include "recorder/ground/amounts.h"

#include <stddef.h>
#include <strings.h>

struct unit {
	const char *name;
	uint64_t factor;
};

static const struct unit times[] = {
	{ "ns", 1 },
	{ "us", 1000 },
	{ "ms", 1000000 },
	{ "s", 1000000000 },
	{ "m", 60000000000 },
	{ "h", 3600000000000 },
	{ "d", 86400000000000 },
	{ NULL, 0 },
};

static const struct unit sizes[] = {
	{ "", 1 },	  { "b", 1 },	    { "k", 1u << 10 }, { "kb", 1u << 10 }, { "m", 1u << 20 },
	{ "mb", 1u << 20 }, { "g", 1u << 30 }, { "gb", 1u << 30 }, { NULL, 0 },
};

/* Digits, a blank or none, a unit; only 0 may have none. */
static bool parse(const char *text, const struct unit *units, uint64_t *value)
{
	uint64_t n = 0;

	if (*text < '0' || *text > '9')
		return false;
	for (; *text >= '0' && *text <= '9'; text++)
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*text - '0'), &n))
			return false;
	if (*text == ' ')
		text++;
	for (; units->name; units++)
		if (!strcasecmp(text, units->name))
			return !__builtin_mul_overflow(n, units->factor, value);
	*value = 0;
	return !*text && !n;
}

bool amount_parse_time(const char *text, uint64_t *ns)
{
	return parse(text, times, ns);
}

bool amount_parse_size(const char *text, uint64_t *bytes)
{
	return parse(text, sizes, bytes);
}
