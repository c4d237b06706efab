/* SPDX-License-Identifier: MIT */
/*
 * clock_now.h - the time, in nanoseconds
 *
 * The same as the library's base/clock_now.h, which is not public.
 */
#ifndef JFREC_CLI_COMMON_CLOCK_NOW_H
#define JFREC_CLI_COMMON_CLOCK_NOW_H

#include <stdint.h>
#include <time.h>

#define NS_PER_MS     INT64_C(1000000)
#define NS_PER_SECOND INT64_C(1000000000)

static inline int64_t timespec_ns(struct timespec t)
{
	return t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

static inline int64_t clock_now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return timespec_ns(t);
}

/* Since 1970, as events are dated. */
static inline int64_t real_now_ns(void)
{
	return clock_now_ns(CLOCK_REALTIME);
}

/* For waiting: nobody sets this clock. */
static inline int64_t monotonic_now_ns(void)
{
	return clock_now_ns(CLOCK_MONOTONIC);
}

#endif
