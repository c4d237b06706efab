/* SPDX-License-Identifier: MIT */
/*
 * clock.h - convert ticks to nanoseconds, rounded as in the JDK
 */
#ifndef JFREC_FORMAT_CLOCK_H
#define JFREC_FORMAT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "format/chunk_header.h"

struct clock {
	int64_t start_ns, start_ticks;
	double ticks_per_ns;
};

/* Java's (long) of a double: truncates, saturates, and makes 0 of NaN. */
static inline int64_t double_to_long(double d)
{
	if (d >= 0x1p63)
		return INT64_MAX;
	if (d <= -0x1p63)
		return INT64_MIN;
	return d == d ? (int64_t)d : 0;
}

/* Java's + and - on long wrap around. */
static inline int64_t long_add(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t long_subtract(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* Up to here a double has each whole number. */
#define EXACT_TICKS ((int64_t)1 << 53)

static inline int64_t clock_span_ns(const struct clock *c, int64_t ticks)
{
	/* Most clocks count nanoseconds, and a division takes as long as ten other steps. */
	if (c->ticks_per_ns == 1 && ticks <= EXACT_TICKS && ticks >= -EXACT_TICKS)
		return ticks;
	return double_to_long((double)ticks / c->ticks_per_ns);
}

static inline int64_t clock_time_ns(const struct clock *c, int64_t ticks)
{
	return long_add(c->start_ns, clock_span_ns(c, long_subtract(ticks, c->start_ticks)));
}

/* A rate that is not positive is taken for 1e9, ticks as nanoseconds. */
struct clock clock_of(const struct chunk_header *h);

/*
 * Do both clocks tell the same time within a second, at the start and at the
 * end of the chunk of `h`?  Then they are one JVM's, and the first chunk's
 * serves both, as in JDK 25: that keeps times monotonic over chunks.
 */
bool clock_agrees(const struct clock *first, const struct chunk_header *h);

#endif
