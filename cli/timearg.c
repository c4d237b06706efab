/* SPDX-License-Identifier: MIT */
/*
 * timearg.c - points in time and time zones on the command line
 */
#include "timearg.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_SECOND 1000000000

#define ZONE_DATABASE "/usr/share/zoneinfo"

/* Digits behind the point, as nanoseconds; more than nine are ignored. */
static const char *parse_fraction(const char *s, int64_t *ns)
{
	int64_t unit = NS_PER_SECOND / 10;

	*ns = 0;
	if (*s != '.' || !isdigit((unsigned char)s[1]))
		return s;
	for (s++; isdigit((unsigned char)*s); s++, unit /= 10)
		*ns += (*s - '0') * unit;
	return s;
}

/* "Z", "+05", "+0530", "+05:30". NULL if it is none. */
static const char *parse_offset(const char *s, int32_t *offset_s)
{
	int sign = *s == '-' ? -1 : 1, hours, minutes = 0, used = 0;

	*offset_s = 0;
	if (*s == 'Z')
		return s + 1;
	if (*s != '+' && *s != '-')
		return NULL;
	if (sscanf(s + 1, "%2d%n", &hours, &used) != 1 || used != 2)
		return NULL;
	s += 3;
	if (*s == ':')
		s++;
	if (isdigit((unsigned char)*s)) {
		if (sscanf(s, "%2d%n", &minutes, &used) != 1 || used != 2)
			return NULL;
		s += 2;
	}
	*offset_s = sign * (hours * 3600 + minutes * 60);
	return hours <= 18 && minutes < 60 ? s : NULL;
}

static bool to_ns(int64_t seconds, int64_t fraction, int64_t *ns)
{
	return !__builtin_mul_overflow(seconds, NS_PER_SECOND, ns) &&
	       !__builtin_add_overflow(*ns, fraction, ns);
}

static bool parse_iso(const char *text, int64_t *ns)
{
	struct tm tm = { .tm_mday = 1 };
	const char *s = strptime(text, "%Y-%m-%d", &tm);
	int64_t fraction = 0;
	int32_t offset_s = 0;

	if (!s)
		return false;
	if (*s == 'T' || *s == ' ') {
		const char *minutes = strptime(s + 1, "%H:%M", &tm), *seconds;

		if (!minutes)
			return false;
		seconds = strptime(minutes, ":%S", &tm);
		s = seconds ? parse_fraction(seconds, &fraction) : minutes;
		if (*s && !(s = parse_offset(s, &offset_s)))
			return false;
	}
	return *s == '\0' && to_ns(timegm(&tm) - offset_s, fraction, ns);
}

/* Seconds, with a fraction. */
static bool parse_number(const char *text, const char **end, int64_t *ns)
{
	char *whole_end;
	int64_t fraction;
	long long whole;

	if (!isdigit((unsigned char)*text))
		return false;
	whole = strtoll(text, &whole_end, 10);
	*end = parse_fraction(whole_end, &fraction);
	return to_ns(whole, fraction, ns);
}

static bool parse_length(const char *text, int64_t *ns)
{
	static const struct {
		const char *name;
		int64_t times, over; /* of a second */
	} units[] = {
		{ "ns", 1, NS_PER_SECOND },
		{ "us", 1, 1000000 },
		{ "ms", 1, 1000 },
		{ "s", 1, 1 },
		{ "", 1, 1 },
		{ "m", 60, 1 },
		{ "h", 3600, 1 },
		{ "d", 86400, 1 },
	};
	const char *unit;

	if (!parse_number(text, &unit, ns))
		return false;
	unit += strspn(unit, " ");
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(unit, units[i].name) == 0) {
			*ns /= units[i].over;
			return !__builtin_mul_overflow(*ns, units[i].times, ns);
		}
	}
	return false;
}

bool time_arg_parse(const char *text, struct time_arg *t)
{
	const char *end;

	if (*text == '+' || *text == '-') {
		t->base = *text == '+' ? TIME_FROM_START : TIME_FROM_END;
		return parse_length(text + 1, &t->ns);
	}
	t->base = TIME_ABSOLUTE;
	return parse_iso(text, &t->ns) || (parse_number(text, &end, &t->ns) && !*end);
}

int64_t time_arg_resolve(const struct time_arg *t, int64_t start_ns, int64_t end_ns)
{
	int64_t ns;

	switch (t->base) {
	case TIME_FROM_START:
		return __builtin_add_overflow(start_ns, t->ns, &ns) ? INT64_MAX : ns;
	case TIME_FROM_END:
		return __builtin_sub_overflow(end_ns, t->ns, &ns) ? INT64_MIN : ns;
	default:
		return t->ns;
	}
}

bool zone_parse(const char *text, struct zone *z)
{
	char path[512];
	const char *end;

	*z = (struct zone){ .is_fixed = true };
	if (strcmp(text, "UTC") == 0)
		return true;
	end = parse_offset(text, &z->offset_s);
	if (end)
		return *end == '\0';
	/* An unknown name would be UTC for the C library, without a word. */
	snprintf(path, sizeof(path), ZONE_DATABASE "/%s", text);
	if (strstr(text, "..") || text[0] == '/' || !*text || access(path, R_OK) < 0)
		return false;
	z->is_fixed = false;
	setenv("TZ", text, 1);
	tzset();
	return true;
}

int32_t zone_offset(void *zone, int64_t seconds)
{
	const struct zone *z = zone;
	time_t t = (time_t)seconds;
	struct tm tm;

	if (z->is_fixed)
		return z->offset_s;
	return localtime_r(&t, &tm) ? (int32_t)tm.tm_gmtoff : 0;
}
