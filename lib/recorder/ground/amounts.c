/* SPDX-License-Identifier: MIT */
/*
 * amounts.c - sizes and durations, as people write them: 250m, 10 ms
 */
#include "recorder/ground/amounts.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
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
	{ "mb", 1u << 20 }, { "g", 1u << 30 },  { "gb", 1u << 30 }, { "kib", 1u << 10 },
	{ "mib", 1u << 20 }, { "gib", 1u << 30 }, { NULL, 0 },
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

/* Digits and a point, digits, a blank or none, a unit: the fraction of the unit, in ns. */
static bool parse_fraction(const char *text, uint64_t *ns)
{
	uint64_t n = 0, scale = 1;

	for (; *text >= '0' && *text <= '9' && scale < 1000000000; text++) {
		n = n * 10 + (uint64_t)(*text - '0');
		scale *= 10;
	}
	while (*text >= '0' && *text <= '9')
		text++;
	if (*text == ' ')
		text++;
	for (const struct unit *u = times; u->name; u++) {
		if (strcasecmp(text, u->name))
			continue;
		/* The larger of the two is divided: what is multiplied stays below 2^57. */
		*ns = u->factor >= scale ? u->factor / scale * n : u->factor * n / scale;
		return true;
	}
	return false;
}

bool amount_parse_time(const char *text, uint64_t *ns)
{
	const char *point = strchr(text, '.');
	uint64_t fraction;
	char whole[32];

	if (!point)
		return parse(text, times, ns);
	if (point[1] < '0' || point[1] > '9' || !parse_fraction(point + 1, &fraction))
		return false;
	/* "1.5 h" is 1 h and the fraction. */
	if (snprintf(whole, sizeof(whole), "%.*s%s", (int)(point - text), text,
		     point + 1 + strspn(point + 1, "0123456789")) >= (int)sizeof(whole))
		return false;
	return parse(whole, times, ns) && !__builtin_add_overflow(*ns, fraction, ns);
}

bool amount_parse_size(const char *text, uint64_t *bytes)
{
	return parse(text, sizes, bytes);
}
