/* SPDX-License-Identifier: MIT */
/*
 * flush_clock.c - predict when a JVM flushes next
 */
#include "stream/flush_clock.h"

#include "base/clock_now.h"

/* What a flush takes until the header tells of it. */
#define SOON_MS 10

/* It is asked often enough whether the JVM still runs. */
#define PAUSE_MAX 1000

/* Longer ones are none: the clock has stepped, or the JVM has slept. */
#define MAX_PERIOD_NS (60000 * NS_PER_MS)

void due_note(struct due *d, int64_t flushed_ns, int64_t real_ns, int64_t now)
{
	double period = (double)flushed_ns - (double)d->flushed_ns;
	double late = (double)real_ns - (double)flushed_ns;

	d->at = 0;
	if (period > 0 && period < MAX_PERIOD_NS)
		d->at = now + (int64_t)(period - (late > 0 && late < period ? late : 0));
	d->flushed_ns = flushed_ns;
}

int due_pause_ms(const struct due *d, int64_t now)
{
	int64_t left_ms = (d->at - now) / NS_PER_MS + SOON_MS;

	if (left_ms <= 0)
		return DUE_POLL_MS;
	return left_ms < PAUSE_MAX ? (int)left_ms : PAUSE_MAX;
}
