/* SPDX-License-Identifier: MIT */
/*
 * jobs_opts.c - how many threads read a recording: --jobs
 */
#include "opts/jobs_opts.h"

#include "base/budget.h"
#include "base/own_limits.h"

/* The default is not more: it must not slow down a busy service. */
#define MOST_DEFAULT 4

/* A thread takes a stack, and memory for its chunk: with less for each there are fewer threads. */
#define MEMORY_OF_THREAD ((uint64_t)32 << 20)

/* Where what it has made waits in memory for its turn. */
#define MEMORY_WITH_RESULTS ((uint64_t)64 << 20)

static unsigned wanted; /* 0: the default */

static int take_jobs(const struct opt_given *g, void *to)
{
	(void)to;
	return opt_is_number(g, &wanted) && wanted > 0
		       ? EXIT_DONE
		       : opt_refuse(g, "a number of threads, from 1 on");
}

/* clang-format off */
const struct opt jobs_rows[] = {
	OPT_CALL_ALL(0, "jobs", "N", "threads (default: half of the processors, 4 at most)", take_jobs, NULL),
	{ 0 },
};
/* clang-format on */

static unsigned usual(void)
{
	unsigned half = own_processors() / 2;

	return half < 1 ? 1 : half > MOST_DEFAULT ? MOST_DEFAULT : half;
}

unsigned jobs_wanted(void)
{
	return wanted;
}

static void use(struct jfrec_reader *r, uint64_t memory_of_thread)
{
	uint64_t most = budget_bytes() / memory_of_thread;
	unsigned jobs = wanted ? wanted : usual();

	if (budget_bytes() && jobs > most)
		jobs = most ? (unsigned)most : 1;
	jfrec_reader_set_jobs(r, jobs);
}

void jobs_use(struct jfrec_reader *r)
{
	use(r, MEMORY_OF_THREAD);
}

void jobs_use_with_results(struct jfrec_reader *r)
{
	use(r, MEMORY_WITH_RESULTS);
}
