/* SPDX-License-Identifier: MIT */
/*
 * deadline.h - a point in time after which waiting ends
 *
 * By the monotonic clock, in ns; it is the same in all processes.
 */
#ifndef JFREC_BASE_DEADLINE_H
#define JFREC_BASE_DEADLINE_H

#include <limits.h>
#include <stdint.h>
#include <time.h>

static inline int64_t deadline_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline int64_t deadline_in_ms(int ms)
{
	return deadline_now() + (int64_t)ms * 1000000;
}

/* What is left, for poll(): rounded up, 0 if it has passed. */
static inline int deadline_left_ms(int64_t deadline)
{
	int64_t left = deadline - deadline_now();

	if (left <= 0)
		return 0;
	left = (left + 999999) / 1000000;
	return left < INT_MAX ? (int)left : INT_MAX;
}

#endif
