/* SPDX-License-Identifier: MIT */
/*
 * clock.c - nanoseconds since the recorder was started, from the processor's counter
 */
#include "recorder/ground/clock.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* The first rate is measured over this time; under load a shorter one was wrong by 84 ppm. */
#define MEASURED_NS 200000000u

/* Later ones replace it only if the clocks have drifted apart, and then gradually. */
#define CORRECTED_NS 10000000000u
#define DRIFT_NS     2000

/* A reader may still use an old rate, so its place is used again much later. */
#define RATES 256

_Atomic(const struct clock_rate *) clock_current;
_Atomic uint64_t clock_origin_ns;

static struct {
	struct clock_rate rates[RATES];
	unsigned next;
	uint64_t first_counter, first_ns; /* where measuring began */
	uint64_t corrected_ns;
	bool is_started, is_looked_at, is_trusted;
} at;

static uint64_t read_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* The kernel stops using a counter that it has seen jump or drift. */
static bool kernel_trusts_counter(void)
{
	static const char path[] = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
	char name[32] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	if (read(fd, name, sizeof(name) - 1) < 0)
		name[0] = '\0';
	close(fd);
	name[strcspn(name, "\n")] = '\0';
	return !strcmp(name, "tsc") || !strcmp(name, "kvm-clock") || !strcmp(name, "arch_sys_counter");
}

static bool counter_is_invariant(void)
{
#if defined(__x86_64__)
	unsigned a, b, c, d;

	return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8);
#elif defined(__aarch64__)
	return true;
#else
	return false;
#endif
}

/* Both clocks at one moment: of several tries the one in which least time passed between. */
static void read_both(uint64_t *counter, uint64_t *ns)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < 8; i++) {
		uint64_t before = clock_counter(), t = read_ns(CLOCK_MONOTONIC);
		uint64_t after = clock_counter();

		if (after - before < best) {
			best = after - before;
			*counter = before + best / 2;
			*ns = t;
		}
	}
}

void clock_start(uint64_t *time_ns)
{
	uint64_t now = read_ns(CLOCK_MONOTONIC);

	*time_ns = read_ns(CLOCK_REALTIME);
	if (at.is_started) {
		*time_ns -= clock_ticks();
		return;
	}
	/* The first tick is not 0, which means "not begun". */
	atomic_store_explicit(&clock_origin_ns, now - 1, memory_order_relaxed);
	*time_ns -= 1;
	at.is_started = true;
	read_both(&at.first_counter, &at.first_ns);
}

static bool is_trusted(void)
{
	if (!at.is_looked_at)
		at.is_trusted = counter_is_invariant() && kernel_trusts_counter();
	at.is_looked_at = true;
	return at.is_trusted;
}

static void publish(uint64_t counter, uint64_t ticks, uint64_t rate)
{
	struct clock_rate *c = &at.rates[at.next++ % RATES];

	*c = (struct clock_rate){ counter, ticks, rate };
	atomic_store_explicit(&clock_current, c, memory_order_release);
}

/* Continue where the clock is, at the rate that meets the kernel's clock at the next correction. */
static void correct(const struct clock_rate *c, uint64_t counter, uint64_t ns, uint64_t rate)
{
	uint64_t ticks = c->base_ticks +
			 (uint64_t)((unsigned __int128)(counter - c->base_counter) * c->rate >> 32);
	int64_t ahead = (int64_t)(ticks - (ns - atomic_load(&clock_origin_ns)));

	if (ahead > -DRIFT_NS && ahead < DRIFT_NS)
		return;
	/* A clock that is far off catches up in several steps: it never runs backwards. */
	if (ahead > (int64_t)CORRECTED_NS / 1000)
		ahead = (int64_t)CORRECTED_NS / 1000;
	if (ahead < -(int64_t)CORRECTED_NS / 1000)
		ahead = -(int64_t)CORRECTED_NS / 1000;
	rate -= (uint64_t)((__int128)rate * ahead / CORRECTED_NS);
	publish(counter, ticks, rate);
}

void clock_calibrate(void)
{
	const struct clock_rate *c = atomic_load(&clock_current);
	uint64_t counter = 0, ns = 0, rate;

	if (!is_trusted())
		return;
	read_both(&counter, &ns);
	if (ns - at.first_ns < MEASURED_NS || counter <= at.first_counter ||
	    (c && ns - at.corrected_ns < CORRECTED_NS))
		return;
	rate = (uint64_t)(((unsigned __int128)(ns - at.first_ns) << 32) /
			  (counter - at.first_counter));
	if (c)
		correct(c, counter, ns, rate);
	else
		publish(counter, ns - atomic_load(&clock_origin_ns), rate);
	at.corrected_ns = ns;
}
