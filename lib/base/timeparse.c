/* SPDX-License-Identifier: MIT */
/*
 * timeparse.c - parse points in time and durations
 */
#include "base/timeparse.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock_now.h"
#include "jfrec-tool.h"

#define NS_PER_DAY (86400 * NS_PER_SECOND)

/* Digits after the point, as billionths; more than nine are ignored. */
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

const char *parse_time_of_day(const char *text, int64_t *ns)
{
	struct tm tm = { 0 };
	const char *minutes = strptime(text, "%H:%M", &tm), *seconds;
	int64_t fraction = 0;

	if (!minutes || !isdigit((unsigned char)*text))
		return NULL;
	seconds = strptime(minutes, ":%S", &tm);
	to_ns(tm.tm_hour * 3600 + tm.tm_min * 60 + tm.tm_sec, 0, ns);
	if (!seconds)
		return minutes;
	seconds = parse_fraction(seconds, &fraction);
	*ns += fraction;
	return seconds;
}

const char *parse_zoned_time(const char *text, int64_t *ns, bool *has_zone)
{
	struct tm tm = { .tm_mday = 1 };
	const char *s = strptime(text, "%Y-%m-%d", &tm), *zone;
	int64_t of_day = 0;
	int32_t offset_s = 0;

	*has_zone = false;
	if (!s)
		return NULL;
	if ((*s == 'T' || *s == ' ') && isdigit((unsigned char)s[1])) {
		s = parse_time_of_day(s + 1, &of_day);
		if (!s)
			return NULL;
		zone = parse_offset(s, &offset_s);
		*has_zone = zone;
		s = zone ? zone : s;
	}
	return to_ns(timegm(&tm) - offset_s, of_day, ns) ? s : NULL;
}

const char *parse_iso_time(const char *text, int64_t *ns)
{
	bool has_zone;

	return parse_zoned_time(text, ns, &has_zone);
}

/* " (2026-11-20)" after a time of day, as text shows it. */
static bool add_date(const char *s, int64_t *ns)
{
	struct tm tm = { .tm_mday = 1 };
	const char *end = strncmp(s, " (", 2) == 0 ? strptime(s + 2, "%Y-%m-%d", &tm) : NULL;

	return end && strcmp(end, ")") == 0 && to_ns(timegm(&tm), *ns, ns);
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

bool jfrec_parse_duration(const char *text, int64_t *ns)
{
	size_t len = strlen(text);

	return len && isalpha((unsigned char)text[len - 1]) && parse_length(text, ns) && *ns > 0;
}

bool jfrec_time_parse(const char *text, struct jfrec_time *t)
{
	int64_t whole, billionths;
	const char *end;
	bool has_zone;

	if (*text == '+' || *text == '-') {
		t->base = *text == '+' ? JFREC_SINCE_START : JFREC_BEFORE_END;
		return parse_length(text + 1, &t->ns);
	}
	end = parse_zoned_time(text, &t->ns, &has_zone);
	t->base = has_zone ? JFREC_SINCE_1970 : JFREC_LOCAL_TIME;
	if (end)
		return !*end;
	end = parse_time_of_day(text, &t->ns);
	if (end && *end)
		return add_date(end, &t->ns);
	t->base = end ? JFREC_TIME_OF_DAY : JFREC_SINCE_1970;
	if (end)
		return true;
	end = parse_decimal(text, &whole, &billionths);
	return end && !*end && to_ns(whole, billionths, &t->ns);
}

static int64_t saturating_add(int64_t a, int64_t b)
{
	int64_t sum;

	if (!__builtin_add_overflow(a, b, &sum))
		return sum;
	return b < 0 ? INT64_MIN : INT64_MAX;
}

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static int64_t offset_ns(const struct jfrec_time_frame *f, int64_t ns)
{
	return f->zone ? f->zone(f->zone_ctx, floor_div(ns, NS_PER_SECOND)) * NS_PER_SECOND : 0;
}

/* Where clocks are put forward or back in between, one of the times that it may be. */
static int64_t utc_of_local(const struct jfrec_time_frame *f, int64_t local_ns)
{
	int64_t utc = saturating_add(local_ns, -offset_ns(f, local_ns));

	return saturating_add(local_ns, -offset_ns(f, utc));
}

static int64_t local_day(const struct jfrec_time_frame *f, int64_t ns)
{
	return floor_div(saturating_add(ns, offset_ns(f, ns)), NS_PER_DAY);
}

static int64_t time_on_day(const struct jfrec_time_frame *f, int64_t day, int64_t of_day_ns)
{
	int64_t midnight;

	if (__builtin_mul_overflow(day, NS_PER_DAY, &midnight))
		return day < 0 ? INT64_MIN : INT64_MAX;
	return utc_of_local(f, saturating_add(midnight, of_day_ns));
}

static int64_t resolve_of_day(int64_t of_day_ns, const struct jfrec_time_frame *f,
			      const int64_t *from_ns)
{
	int64_t first = local_day(f, f->start_ns), last = local_day(f, f->end_ns);
	int64_t after = from_ns && *from_ns > f->start_ns ? *from_ns : f->start_ns;

	for (int64_t day = first; day <= last; day++) {
		int64_t ns = time_on_day(f, day, of_day_ns);

		if (ns >= after && ns <= f->end_ns)
			return ns;
	}
	return time_on_day(f, from_ns ? last : first, of_day_ns);
}

int64_t jfrec_time_resolve_in(const struct jfrec_time *t, const struct jfrec_time_frame *frame,
			      const int64_t *from_ns)
{
	switch (t->base) {
	case JFREC_SINCE_START:
		return saturating_add(frame->start_ns, t->ns);
	case JFREC_BEFORE_END:
		return saturating_add(frame->end_ns, -t->ns);
	case JFREC_LOCAL_TIME:
		return utc_of_local(frame, t->ns);
	case JFREC_TIME_OF_DAY:
		return resolve_of_day(t->ns, frame, from_ns);
	default:
		return t->ns;
	}
}

int64_t jfrec_time_resolve(const struct jfrec_time *t, int64_t start_ns, int64_t end_ns)
{
	const struct jfrec_time_frame frame = { .start_ns = start_ns, .end_ns = end_ns };

	return jfrec_time_resolve_in(t, &frame, NULL);
}
