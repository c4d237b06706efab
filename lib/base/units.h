/* SPDX-License-Identifier: MIT */
/*
 * units.h - format amounts with units, as `jfr print` does
 *
 * Every function writes at most NUMBER_MAX + 8 bytes at `at`, adds no NUL, and
 * returns the end of what it wrote.
 */
#ifndef JFREC_BASE_UNITS_H
#define JFREC_BASE_UNITS_H

#include <stdbool.h>
#include <stdint.h>

enum amount {
	AMOUNT_BYTES = 0,
	AMOUNT_BITS = 1,
	AMOUNT_PER_SECOND = 2, /* or'ed to one of the above */
};

/* "1 byte", "1.5 kB", "2.0 MB/s", "17 bps"; INT64_MIN prints N/A. */
char *put_amount(char *at, int64_t n, unsigned amount);

/* --exact: "1 byte", "0 byte", "17 bits/s"; here INT64_MIN is a number as any other. */
char *put_exact_amount(char *at, int64_t n, unsigned amount);

/* "12.35%" of 0.12345; --exact has nine decimals.  v must be finite. */
char *put_percentage(char *at, double v, bool exact);

/* "0x00007F12", at least eight hexadecimal digits. */
char *put_address(char *at, int64_t v);

#endif
