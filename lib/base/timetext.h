/* SPDX-License-Identifier: MIT */
/*
 * timetext.h - format points in time and durations as Java does
 *
 * A point in time is seconds since 1970 and 0..999999999 nanoseconds, as in
 * java.time.Instant; a duration likewise, as in java.time.Duration
 * (seconds may be negative, nanos never is).
 *
 * Every function writes at most TIMETEXT_MAX bytes at `at`, adds no NUL, and
 * returns the end of what it wrote.
 */
#ifndef JFREC_BASE_TIMETEXT_H
#define JFREC_BASE_TIMETEXT_H

#include <stdint.h>

#define TIMETEXT_MAX 64

struct timespan {
	int64_t seconds;
	int32_t nanos;
};

/* Split a number of parts of a second so that 0 <= nanos < 1e9. */
static inline struct timespan timespan_from(int64_t v, int32_t per_second)
{
	int64_t seconds = v / per_second;
	int32_t rest = (int32_t)(v % per_second);

	if (rest < 0) {
		seconds--;
		rest += per_second;
	}
	return (struct timespan){ seconds, rest * (1000000000 / per_second) };
}

static inline struct timespan timespan_from_ns(int64_t ns)
{
	return timespan_from(ns, 1000000000);
}

static inline struct timespan timespan_from_us(int64_t us)
{
	return timespan_from(us, 1000000);
}

static inline struct timespan timespan_from_ms(int64_t ms)
{
	return timespan_from(ms, 1000);
}

/*
 * The date and time of day of one second in one zone.  Neighbouring events
 * share it, so it is kept and made anew only when the second changes.
 */
struct second_text {
	int64_t seconds;
	int32_t offset_s;
	uint8_t valid;
	uint8_t date_len;     /* of "2026-11-20", or "+292278994-08-17" */
	uint8_t zone_len;     /* of "Z", "+05:30", "-11:00:01" */
	uint8_t whole_minute; /* the second of the minute is 0 */
	char date[24];
	char clock[8]; /* "09:47:05" */
	char zone[12];
};

/* "+05:30", "-11:00:01", "Z" */
char *put_utc_offset(char *at, int32_t offset_s);

/* java.time.OffsetDateTime.toString: "2026-11-20T15:21:54.170093773+05:30" */
char *put_iso_time(char *at, struct second_text *memo, struct timespan t, int32_t offset_s);

/* The same with all seconds and nine decimals: the texts of one zone are equally long. */
char *put_full_time(char *at, struct second_text *memo, struct timespan t, int32_t offset_s);

/* `jfr print`: "15:21:54.170 (2026-11-20)"; decimals is 3, or 9 with --exact. */
char *put_print_time(char *at, struct second_text *memo, struct timespan t, int32_t offset_s,
		     unsigned decimals);

/* java.time.Duration.toString: "PT17M3S", "PT-0.0015S" */
char *put_iso_span(char *at, struct timespan d);

/* In nanoseconds, which may be more than 64 bits hold: "1500000", "-1" */
char *put_span_in_ns(char *at, struct timespan d);

/* `jfr print` of a duration: "1.23 ms", "17 m 3 s", "N/A" never. */
char *put_print_span(char *at, struct timespan d);

/* The same, with so many decimals where it is less than a second (9 at most; -1: as above). */
char *put_span_with_ms(char *at, struct timespan d, int decimals);

/* `jfr print --exact` of a duration: "0.001230000 s" */
char *put_exact_span(char *at, struct timespan d);

#endif
