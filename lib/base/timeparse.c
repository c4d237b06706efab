/* SPDX-License-Identifier: MIT */
/*
 * timeparse.c - reading points in time and lengths of time
 */
#include "base/timeparse.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "jfrec.h"

#define NS_PER_SECOND 1000000000

/* Digits behind the point, as billionths; more than nine are ignored. */
static const char *parse_fraction(const char *s, int64_t *billionths)
{
	int64_t unit = NS_PER_SECOND / 10;

	*billionths = 0;
	if (*s != '.' || !isdigit((unsigned char)s[1]))
		return s;
	for (s++; isdigit((unsigned char)*s); s++, unit /= 10)
		*billionths += (*s - '0') * unit;
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

const char *parse_iso_time(const char *text, int64_t *ns)
{
	struct tm tm = { .tm_mday = 1 };
	const char *s = strptime(text, "%Y-%m-%d", &tm), *minutes, *seconds, *zone;
	int64_t fraction = 0;
	int32_t offset_s = 0;

	if (!s)
		return NULL;
	if ((*s == 'T' || *s == ' ') && isdigit((unsigned char)s[1])) {
		minutes = strptime(s + 1, "%H:%M", &tm);
		if (!minutes)
			return NULL;
		seconds = strptime(minutes, ":%S", &tm);
		s = seconds ? parse_fraction(seconds, &fraction) : minutes;
		zone = parse_offset(s, &offset_s);
		s = zone ? zone : s;
	}
	return to_ns(timegm(&tm) - offset_s, fraction, ns) ? s : NULL;
}

const char *parse_decimal(const char *text, int64_t *whole, int64_t *billionths)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return NULL;
	errno = 0;
	*whole = strtoll(text, &end, 10);
	return errno ? NULL : parse_fraction(end, billionths);
}

bool time_scale_named(const char *name, size_t len, struct time_scale *scale)
{
	static const struct {
		const char *name;
		struct time_scale scale;
	} units[] = {
		{ "ns", { 1, NS_PER_SECOND } },
		{ "us", { 1, 1000000 } },
		{ "ms", { 1, 1000 } },
		{ "s", { 1, 1 } },
		{ "", { 1, 1 } },
		{ "m", { 60, 1 } },
		{ "h", { 3600, 1 } },
		{ "d", { 86400, 1 } },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (strlen(units[i].name) == len && memcmp(name, units[i].name, len) == 0) {
			*scale = units[i].scale;
			return true;
		}
	}
	return false;
}

bool time_scale_ns(const struct time_scale *scale, int64_t whole, int64_t billionths, int64_t *ns)
{
	int64_t unit = NS_PER_SECOND / scale->over * scale->times;

	return !__builtin_mul_overflow(whole, unit, ns) &&
	       !__builtin_add_overflow(*ns, billionths / scale->over * scale->times, ns);
}

static bool parse_length(const char *text, int64_t *ns)
{
	struct time_scale scale;
	int64_t whole, billionths;
	const char *unit = parse_decimal(text, &whole, &billionths);

	if (!unit)
		return false;
	unit += strspn(unit, " ");
	return time_scale_named(unit, strlen(unit), &scale) &&
	       time_scale_ns(&scale, whole, billionths, ns);
}

bool jfrec_time_parse(const char *text, struct jfrec_time *t)
{
	int64_t whole, billionths;
	const char *end;

	if (*text == '+' || *text == '-') {
		t->base = *text == '+' ? JFREC_SINCE_START : JFREC_BEFORE_END;
		return parse_length(text + 1, &t->ns);
	}
	t->base = JFREC_SINCE_1970;
	end = parse_iso_time(text, &t->ns);
	if (end)
		return !*end;
	end = parse_decimal(text, &whole, &billionths);
	return end && !*end && to_ns(whole, billionths, &t->ns);
}

int64_t jfrec_time_resolve(const struct jfrec_time *t, int64_t start_ns, int64_t end_ns)
{
	int64_t ns;

	switch (t->base) {
	case JFREC_SINCE_START:
		return __builtin_add_overflow(start_ns, t->ns, &ns) ? INT64_MAX : ns;
	case JFREC_BEFORE_END:
		return __builtin_sub_overflow(end_ns, t->ns, &ns) ? INT64_MIN : ns;
	default:
		return t->ns;
	}
}
