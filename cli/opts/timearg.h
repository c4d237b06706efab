/* SPDX-License-Identifier: MIT */
/*
 * timearg.h - options that take times and time zones
 */
#ifndef JFREC_CLI_OPTS_TIMEARG_H
#define JFREC_CLI_OPTS_TIMEARG_H

#include <stddef.h>

#include "jfrec.h"

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

/* The sentence on a zone that zone_parse() does not take: what can be written instead, here. */
void zone_fault(const char *text, char *to, size_t size);

int32_t zone_offset(void *zone, int64_t seconds);

/* Say it if TZ names a zone that is not known here: for libc that is UTC, without a word. */
void zone_check_environment(void);

/* "2026-11-20T09:30:00.500+01:00": the time (ns since 1970) in that zone; NULL is UTC.  Returns to. */
const char *zone_time(char *to, size_t size, struct zone *z, int64_t ns);

/*
 * "09:30", "2026-11-20T09:30:00" or "2026-11-20 09:30" in local time, in ns since 1970; a time of
 * day is the last one before now.  False if it is something else.
 */
bool local_time_parse(const char *text, int64_t now_ns, int64_t *ns);

#endif
