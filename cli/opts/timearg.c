/* SPDX-License-Identifier: MIT */
/*
 * timearg.c - options that take times and time zones
 */
#include "opts/timearg.h"
#include "jfrec-tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/human.h"

#define ZONE_DATABASE "/usr/share/zoneinfo"

/* "+05:30" is what a time with that zone is ahead. */
static bool parse_offset(const char *text, int32_t *offset_s)
{
	char time[64];
	struct jfrec_time t;

	if (*text != '+' && *text != '-' && *text != 'Z')
		return false;
	if ((size_t)snprintf(time, sizeof(time), "1970-01-01T00:00%s", text) >= sizeof(time) ||
	    !jfrec_time_parse(time, &t))
		return false;
	*offset_s = (int32_t)(-t.ns / 1000000000);
	return true;
}

bool zone_parse(const char *text, struct zone *z)
{
	char path[512];

	*z = (struct zone){ .is_fixed = true };
	if (strcmp(text, "UTC") == 0)
		return true;
	if (parse_offset(text, &z->offset_s))
		return true;
	/* An unknown name would be UTC for the C library, without a word. */
	snprintf(path, sizeof(path), ZONE_DATABASE "/%s", text);
	if (strstr(text, "..") || text[0] == '/' || !*text || access(path, R_OK) < 0)
		return false;
	z->is_fixed = false;
	setenv("TZ", text, 1);
	tzset();
	return true;
}

void zone_fault(const char *text, char *to, size_t size)
{
	if (access(ZONE_DATABASE, R_OK) == 0)
		snprintf(to, size, "unknown time zone %s; write UTC, +05:30 or Europe/Berlin",
			 text);
	else
		snprintf(to, size,
			 "unknown time zone %s; this system has no tzdata (" ZONE_DATABASE
			 "), so write UTC or an offset such as +05:30",
			 text);
}

/* "Europe/Berlin" is the name of a zone; "CET-1CEST,M3.5.0,M10.5.0/3" says what it is. */
static bool is_zone_name(const char *tz)
{
	return *tz && *tz != '/' && *tz != ':' && !strpbrk(tz, "0123456789<,") &&
	       strcmp(tz, "UTC") != 0 && strcmp(tz, "GMT") != 0 && !strstr(tz, "..");
}

void zone_check_environment(void)
{
	const char *tz = getenv("TZ");
	char path[512];

	if (!tz || !is_zone_name(tz))
		return;
	snprintf(path, sizeof(path), ZONE_DATABASE "/%s", tz);
	if (access(path, R_OK) < 0 && !getenv("TZDIR"))
		fprintf(stderr,
			"jfrec: the time zone of TZ, %.64s, is not known here: %s; local times "
			"are in UTC\n",
			tz,
			access(ZONE_DATABASE, R_OK) < 0
				? "this system has no tzdata (" ZONE_DATABASE ")"
				: ZONE_DATABASE " has none of that name");
}

static bool parse_as(const char *text, const char *format, struct tm *tm)
{
	const char *end = strptime(text, format, tm);

	return end && *end == '\0';
}

bool local_time_parse(const char *text, int64_t now_ns, int64_t *ns)
{
	static const char *const formats[] = { "%H:%M",
					       "%H:%M:%S",
					       "%Y-%m-%d",
					       "%Y-%m-%dT%H:%M",
					       "%Y-%m-%dT%H:%M:%S",
					       "%Y-%m-%d %H:%M",
					       "%Y-%m-%d %H:%M:%S" };
	time_t now = (time_t)(now_ns / 1000000000);

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		struct tm tm;
		time_t t;

		localtime_r(&now, &tm);
		tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
		if (!parse_as(text, formats[i], &tm))
			continue;
		tm.tm_isdst = -1;
		t = mktime(&tm);
		if (formats[i][1] == 'H' && t > now) {
			tm.tm_mday--;
			tm.tm_isdst = -1;
			t = mktime(&tm);
		}
		*ns = (int64_t)t * 1000000000;
		return true;
	}
	return false;
}

const char *zone_time(char *to, size_t size, struct zone *z, int64_t ns)
{
	int64_t seconds = ns / 1000000000 - (ns % 1000000000 < 0);
	char text[HUMAN_MAX];

	snprintf(to, size, "%s", human_iso_ms(text, ns, z ? zone_offset(z, seconds) : 0));
	return to;
}

/*
 * The calendar, days of the week included, repeats after 400 years; libc loses count after
 * millions.
 */
#define CYCLE_S	     (INT64_C(146097) * 86400)
#define FAR_FUTURE_S (CYCLE_S * 10)

int32_t zone_offset(void *zone, int64_t seconds)
{
	const struct zone *z = zone;
	struct tm tm;
	time_t t;

	if (z->is_fixed)
		return z->offset_s;
	if (seconds > FAR_FUTURE_S)
		seconds = FAR_FUTURE_S + (seconds - FAR_FUTURE_S) % CYCLE_S;
	t = (time_t)seconds;
	return localtime_r(&t, &tm) ? (int32_t)tm.tm_gmtoff : 0;
}
