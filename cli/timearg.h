/* SPDX-License-Identifier: MIT */
/*
 * timearg.h - points in time and time zones on the command line
 */
#ifndef JFREC_CLI_TIMEARG_H
#define JFREC_CLI_TIMEARG_H

#include "jfrec.h"

/* A point in time, perhaps relative to a recording. */
struct time_arg {
	enum { TIME_ABSOLUTE, TIME_FROM_START, TIME_FROM_END } base;
	int64_t ns;
};

/*
 * Parse "2026-11-20T09:47:05.5+01:00" (or "2026-11-20 09:47", UTC without a
 * zone), seconds since 1970 ("1795168089.5"), "+30s" from the start or "-10m"
 * from the end of the recording; units ns, us, ms, s, m, h, d.
 */
bool time_arg_parse(const char *text, struct time_arg *t);

/* The time in ns since 1970 for a recording of that span. */
int64_t time_arg_resolve(const struct time_arg *t, int64_t start_ns, int64_t end_ns);

/* Where local time is read off: jfrec_zone_fn and its context. */
struct zone {
	bool is_fixed;
	int32_t offset_s;
};

/*
 * "UTC", "+05:30", or a name of the system's time zone database, such as
 * Europe/Berlin, which zone_offset() then follows through summer and winter.
 */
bool zone_parse(const char *text, struct zone *z);

int32_t zone_offset(void *zone, int64_t seconds);

#endif
