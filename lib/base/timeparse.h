/* SPDX-License-Identifier: MIT */
/*
 * timeparse.h - parse points in time and durations
 *
 * The parsers take what they can from the beginning of the text and return the
 * end of that, or NULL if there is nothing of the kind.
 */
#ifndef JFREC_BASE_TIMEPARSE_H
#define JFREC_BASE_TIMEPARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * "2026-11-20T09:47:05.5+01:00", "2026-11-20 09:47", "2026-11-20", in ns since
 * 1970; UTC without a zone.
 */
const char *parse_iso_time(const char *text, int64_t *ns);

/* The same, and whether there was a zone. */
const char *parse_zoned_time(const char *text, int64_t *ns, bool *has_zone);

/* "09:47", "09:47:05.5", in ns since midnight. */
const char *parse_time_of_day(const char *text, int64_t *ns);

/* "1.5": the whole, and billionths of one; what follows nine decimals is ignored. */
const char *parse_decimal(const char *text, int64_t *whole, int64_t *billionths);

/* A unit of time: `times` seconds, or one `over`-th of a second. */
struct time_scale {
	int64_t times, over;
};

/* ns, us, ms, s, m, h or d; no name is seconds. */
bool time_scale_named(const char *name, size_t len, struct time_scale *scale);

/* A decimal number of that unit in ns; false if it is too long. */
bool time_scale_ns(const struct time_scale *scale, int64_t whole, int64_t billionths, int64_t *ns);

#endif
