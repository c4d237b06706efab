/* SPDX-License-Identifier: MIT */
/*
 * human.h - sizes, rates, spans, shares and times for people
 *
 * Every text and page that is not the JDK's takes them from here, so that one number is never
 * written in two ways: three digits that matter, zeros after the point left out. Bytes count in
 * powers of 1024, as those that are read (amount.h), and their units say so: KiB, MiB. What the
 * JDK's tools print is in units.h and timetext.h; the scripts of pages have lib/page/human.js.
 *
 * Every function writes a text into `to` and returns it.
 */
#ifndef JFREC_BASE_HUMAN_H
#define JFREC_BASE_HUMAN_H

#include <stdint.h>

#include "jfrec/analyze.h"

#define HUMAN_MAX 48

/* "1243", "24.9", "0.0312", "1e+18" */
const char *human_number(char to[static HUMAN_MAX], double v);

/* "1,243": a whole number for a table or a headline, a comma before each three digits. */
const char *human_count(char to[static HUMAN_MAX], int64_t n);

/* "24.9 s", "17 min 3 s", "2.5 h", "412 ms", "3.2 µs" */
const char *human_span(char to[static HUMAN_MAX], double ns);

/* "20.3 s"; of a recording with gaps, whose parts are less than 99 % of it, "105 s of 2.5 h". */
const char *human_length(char to[static 2 * HUMAN_MAX], int64_t recorded_ns, int64_t length_ns);

/* "512 B", "480 MiB", "1.25 GiB" */
const char *human_bytes(char to[static HUMAN_MAX], double bytes);

/* "33 MiB/s" */
const char *human_rate(char to[static HUMAN_MAX], double bytes_per_second);

/* "4.96 %" of 0.0496 */
const char *human_share(char to[static HUMAN_MAX], double share);

/* One of these, as its unit says; numbers and rates of events have no unit. "never" is infinite. */
const char *human_measure(char to[static HUMAN_MAX], enum jfrec_unit unit, double v);

/* "12.3 %", always with one decimal, as columns of shares have it; "0.0 %" of nothing. */
const char *human_part(char to[static HUMAN_MAX], double part, double of);

/* "09:47:05", "2026-11-20 09:47:05", "2026-11-20 09:47:05.170"; offset_s is that of the zone. */
const char *human_clock(char to[static HUMAN_MAX], int64_t ns, int32_t offset_s);
const char *human_time(char to[static HUMAN_MAX], int64_t ns, int32_t offset_s);
const char *human_time_ms(char to[static HUMAN_MAX], int64_t ns, int32_t offset_s);

/* "2026-11-20T09:47:05.170093773+05:30", "2026-11-20T09:47:05.170Z": for programs, and for --from. */
const char *human_iso(char to[static HUMAN_MAX], int64_t ns, int32_t offset_s);
const char *human_iso_ms(char to[static HUMAN_MAX], int64_t ns, int32_t offset_s);

/* "UTC", "UTC+05:30" */
const char *human_zone(char to[static HUMAN_MAX], int32_t offset_s);

#endif
