/* SPDX-License-Identifier: MIT */
/*
 * jobs.c - what threads cost: all views of a recording, by one thread and by two
 *
 *    jobs RECORDING [RUNS]    prints CPU time of one thread, of two, the share of the busier one, and
 *                             wall time of both; medians
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "jfrec.h"

#define MOST_RUNS 101

struct times {
	double cpu, own, wall; /* of all threads, of this one */
};

static double now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static struct times clocks(void)
{
	return (struct times){ now(CLOCK_PROCESS_CPUTIME_ID), now(CLOCK_THREAD_CPUTIME_ID),
			       now(CLOCK_MONOTONIC) };
}

static int ask(const char *path, unsigned jobs, struct times *took)
{
	struct jfrec_error err = { 0 };
	struct times began = clocks(), ended;
	struct jfrec_reader *r = jfrec_reader_open(path, NULL, &err);
	struct jfrec_views *views = jfrec_views_jdk(&err);
	struct jfrec_query *q = NULL;
	int ret = -1;

	if (r && views) {
		jfrec_reader_set_jobs(r, jobs);
		q = jfrec_query_new(r, &err);
	}
	for (size_t i = 0; q && i < jfrec_views_count(views); i++)
		jfrec_query_add_view(q, jfrec_views_get(views, i), &err);
	if (q)
		ret = jfrec_query_run(q, &err);
	ended = clocks();
	*took = (struct times){ ended.cpu - began.cpu, ended.own - began.own, ended.wall - began.wall };
	jfrec_query_free(q);
	jfrec_views_free(views);
	jfrec_reader_close(r);
	if (ret < 0)
		fprintf(stderr, "jobs: %s: %s\n", path, err.text);
	return ret;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, int count)
{
	qsort(values, (size_t)count, sizeof(*values), by_value);
	return values[count / 2];
}

int main(int argc, char **argv)
{
	double one[MOST_RUNS], two[MOST_RUNS], share[MOST_RUNS], wall[2][MOST_RUNS];
	int runs = argc == 3 ? atoi(argv[2]) : 5;

	if (argc < 2 || argc > 3 || runs < 1 || runs > MOST_RUNS) {
		fprintf(stderr, "usage: jobs RECORDING [RUNS]\n");
		return 2;
	}
	for (int i = 0; i < runs; i++) {
		struct times alone, both;
		double other;

		if (ask(argv[1], 1, &alone) < 0 || ask(argv[1], 2, &both) < 0)
			return 1;
		other = both.cpu - both.own;
		one[i] = alone.cpu;
		two[i] = both.cpu;
		share[i] = (both.own > other ? both.own : other) / both.cpu;
		wall[0][i] = alone.wall;
		wall[1][i] = both.wall;
	}
	printf("%.6f\t%.6f\t%.3f\t%.6f\t%.6f\n", median(one, runs), median(two, runs),
	       median(share, runs), median(wall[0], runs), median(wall[1], runs));
	return 0;
}
