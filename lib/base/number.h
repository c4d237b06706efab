/* SPDX-License-Identifier: MIT */
/*
 * number.h - format numbers as Java does
 *
 * Every function writes at most NUMBER_MAX bytes at `at`, adds no NUL, and
 * returns the end of what it wrote.  None looks at the locale.
 */
#ifndef JFREC_BASE_NUMBER_H
#define JFREC_BASE_NUMBER_H

#include <stdint.h>

/* %.9f of the largest double is the longest: a sign, 309 digits, a point, nine more. */
#define NUMBER_MAX 336

/* Up to seven bytes beyond the end are written over. */
char *put_u64(char *at, uint64_t v);
char *put_i64(char *at, int64_t v);

/* With leading zeros, for clocks; v has no more digits than there is room for. */
char *put_2digits(char *at, unsigned v);
char *put_digits(char *at, uint32_t v, unsigned width);

/* Double.toString and Float.toString of JDK 19 and later: the shortest text that reads back. */
char *put_java_double(char *at, double v);
char *put_java_float(char *at, float v);

/*
 * Java's "%.<decimals>f" (decimals <= 9): rounds HALF_UP the shortest decimal
 * text of v, where C's printf rounds the exact binary value to even.
 * v must be finite.
 */
char *put_java_fixed(char *at, double v, unsigned decimals);

#endif
