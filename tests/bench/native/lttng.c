/* SPDX-License-Identifier: MIT */
/*
 * lttng.c - what an event of LTTng-UST costs: the least of five rounds of the thread's CPU time
 */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng_events.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define COUNT 1000000

static double cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(void)
{
	double least = 1e18;

	for (int round = 0; round < 5; round++) {
		double begin;

		/* Its daemon has emptied the buffers by then. */
		sleep(1);
		begin = cpu_ns();
		for (long i = 0; i < COUNT; i++)
			lttng_ust_tracepoint(bench, instant, i, (int)i);
		begin = cpu_ns() - begin;
		least = begin < least ? begin : least;
	}
	printf("%.1f\n", least / COUNT);
	return 0;
}
