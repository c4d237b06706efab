/* SPDX-License-Identifier: MIT */
/*
 * clock.h - nanoseconds since the recorder was started, from the processor's counter
 *
 * Ticks of recordings are nanoseconds.  They come from clock_gettime() until the recorder's thread
 * has measured the rate of the counter, if the kernel trusts the counter, too; the two agree.
 */
#ifndef JFREC_RECORDER_GROUND_CLOCK_H
#define JFREC_RECORDER_GROUND_CLOCK_H

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

/* ticks = base_ticks + ((counter - base_counter) * rate >> 32) */
struct clock_rate {
	uint64_t base_counter, base_ticks, rate;
};

/* NULL: the counter is not used.  What it points to does not change. */
extern _Atomic(const struct clock_rate *) clock_current;

/* CLOCK_MONOTONIC at tick 0. */
extern _Atomic uint64_t clock_origin_ns;

static inline uint64_t clock_counter(void)
{
#if defined(__x86_64__)
	return __rdtsc();
#elif defined(__aarch64__)
	uint64_t value;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
	return value;
#else
	return 0;
#endif
}

static inline uint64_t clock_kernel_ticks(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec -
	       atomic_load_explicit(&clock_origin_ns, memory_order_relaxed);
}

static inline uint64_t clock_ticks(void)
{
	const struct clock_rate *c = atomic_load_explicit(&clock_current, memory_order_acquire);

	if (!c)
		return clock_kernel_ticks();
	return c->base_ticks +
	       (uint64_t)((unsigned __int128)(clock_counter() - c->base_counter) * c->rate >> 32);
}

/* Begin to count, once in a process; time_ns: since 1970, at tick 0. */
void clock_start(uint64_t *time_ns);

/* By the recorder's thread, now and then: measure the counter, use it, correct its rate. */
void clock_calibrate(void);

#endif
