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

#include "base/clock_now.h"

static inline int64_t deadline_now(void)
{
	return monotonic_now_ns();
}

static inline int64_t deadline_in_ms(int ms)
{
	return deadline_now() + ms * NS_PER_MS;
}

/* What is left, for poll(): rounded up, 0 if it has passed. */
static inline int deadline_left_ms(int64_t deadline)
{
	int64_t left = deadline - deadline_now();

	if (left <= 0)
		return 0;
	left = (left + NS_PER_MS - 1) / NS_PER_MS;
	return left < INT_MAX ? (int)left : INT_MAX;
}

#endif
