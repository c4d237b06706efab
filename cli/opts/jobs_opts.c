/* SPDX-License-Identifier: MIT */
/*
 * jobs_opts.c - how many threads read a recording: --jobs
 */
#include "opts/jobs_opts.h"

#include <unistd.h>

/* The default is not more: beside a busy service nobody wants to notice us. */
#define MOST_DEFAULT 4

static unsigned wanted; /* 0: the default */

static int take_jobs(const struct opt_given *g, void *to)
{
	(void)to;
	return opt_take_number(g, &wanted) == EXIT_DONE && wanted > 0
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
	long half = sysconf(_SC_NPROCESSORS_ONLN) / 2;

	return half < 1 ? 1 : half > MOST_DEFAULT ? MOST_DEFAULT : (unsigned)half;
}

void jobs_use(struct jfrec_reader *r)
{
	jfrec_reader_set_jobs(r, wanted ? wanted : usual());
}
