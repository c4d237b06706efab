/* SPDX-License-Identifier: MIT */
/*
 * clock.c - convert ticks to nanoseconds, rounded as in the JDK
 */
#include "format/clock.h"

#include <math.h>

struct clock clock_of(const struct chunk_header *h)
{
	return (struct clock){
		.start_ns = h->start_ns,
		.start_ticks = h->start_ticks,
		.ticks_per_ns =
			chunk_header_has_clock(h) ? (double)h->ticks_per_second / 1e9 : 1.0,
	};
}

static bool within_second(int64_t a_ns, int64_t b_ns)
{
	return fabs((double)a_ns - (double)b_ns) <= 1e9;
}

bool clock_agrees(const struct clock *first, const struct chunk_header *h)
{
	struct clock own = clock_of(h);
	int64_t duration = double_to_long((double)h->duration_ns * own.ticks_per_ns);
	int64_t end_ticks = long_add(h->start_ticks, duration);

	return within_second(clock_time_ns(first, h->start_ticks), h->start_ns) &&
	       within_second(clock_time_ns(first, end_ticks), clock_time_ns(&own, end_ticks));
}
