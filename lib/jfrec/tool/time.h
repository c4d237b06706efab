/* SPDX-License-Identifier: MIT */
/* jfrec/tool/time.h - points in time, as people write them */
#ifndef JFREC_TOOL_TIME_H
#define JFREC_TOOL_TIME_H

#include "jfrec/base.h"

/* A point in time as people write it, perhaps relative to a recording. */
struct jfrec_time {
	enum {
		JFREC_SINCE_1970 = 0,
		JFREC_SINCE_START = 1,
		JFREC_BEFORE_END = 2,
		JFREC_LOCAL_TIME = 3,  /* since 1970 in some zone */
		JFREC_TIME_OF_DAY = 4, /* since midnight in some zone */
	} base;
	int64_t ns;
};

/*
 * Parse "2026-11-20T09:47:05.5+01:00"; "2026-11-20 09:47" or "09:47:05.5 (2026-11-20)", as text
 * shows times; "09:47"; seconds since 1970 ("1795168089.5"); "+30s" from the start or "-10m" from
 * the end of the recording; units ns, us, ms, s, m, h, d.
 */
bool jfrec_time_parse(const char *text, struct jfrec_time *t);

/* The time in ns since 1970 for a recording of that span, saturating; local times are UTC. */
int64_t jfrec_time_resolve(const struct jfrec_time *t, int64_t start_ns, int64_t end_ns);

/* What times may be relative to. */
struct jfrec_time_frame {
	int64_t start_ns, end_ns; /* of the recording */
	jfrec_zone_fn *zone;	  /* NULL: UTC */
	void *zone_ctx;
};

/*
 * The time in ns since 1970, saturating.  A time of day is the first one within the recording;
 * where none is, that of the day on which it begins.  from_ns: NULL; or the time is the end of a
 * range that begins then (INT64_MIN: without a beginning), so a time of day is the first one after
 * that, or that of the recording's last day.
 */
int64_t jfrec_time_resolve_in(const struct jfrec_time *t, const struct jfrec_time_frame *frame,
			      const int64_t *from_ns);

#endif
