/* SPDX-License-Identifier: MIT */
/*
 * clock_now.h - the time, in nanoseconds
 */
#ifndef JFREC_BASE_CLOCK_NOW_H
#define JFREC_BASE_CLOCK_NOW_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define NS_PER_MS     INT64_C(1000000)
#define NS_PER_SECOND INT64_C(1000000000)

/*
 * A file may say that it was changed in the year 2400, which is beyond that: then it is some time.
 */
static inline int64_t timespec_ns(struct timespec t)
{
	return (int64_t)((uint64_t)t.tv_sec * (uint64_t)NS_PER_SECOND + (uint64_t)t.tv_nsec);
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

/*
 * Is that now, give or take a second?  A file that was changed at another time is not being
 * written.
 */
static inline bool real_is_now(int64_t ns)
{
	int64_t now = real_now_ns();

	return ns > now - NS_PER_SECOND && ns < now + NS_PER_SECOND;
}

/* For waiting: this clock is never set. */
static inline int64_t monotonic_now_ns(void)
{
	return clock_now_ns(CLOCK_MONOTONIC);
}

#endif
