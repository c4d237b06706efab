/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_crew.c - several threads work on chunks, and one result comes of it
 */
#include "read/chunk_crew.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "builder.h"
#include "test.h"

#define EVENT_TYPE "20"
#define CHUNKS	   40

/* What the whole crew knows, and what went wrong on purpose. */
struct result {
	pthread_mutex_t lock;
	unsigned at_work, most_at_work; /* threads in work() at the same time */
	unsigned dropped;
	uint64_t merged, sum;
	int fail_at;	/* merge() of this chunk fails; -1: none */
	int nothing_at; /* work() on this chunk has no memory; -1: none */
	struct jfrec_reader *stop_at_once; /* NULL: go on */
};

static void build(struct craft *c)
{
	for (int i = 0; i < CHUNKS; i++) {
		craft_chunk(c);
		for (int k = 0; k < 20 * (i % 7 + 1); k++)
			craft_event(c, EVENT_TYPE, "%d %d", 1000 + k, i * 1000 + k);
		craft_metadata(c, EVENT(EVENT_TYPE, "t.Tick", START FIELD("n", T_INT)));
		craft_end(c);
	}
}

static void *work(void *ctx, struct chunk_task *task)
{
	struct result *r = ctx;
	struct chunk_walk walk = chunk_walk(task->chunk);
	struct jfrec_type *type;
	struct raw_event e;
	uint64_t *sum = calloc(1, sizeof(*sum)), slots[8];

	pthread_mutex_lock(&r->lock);
	if (++r->at_work > r->most_at_work)
		r->most_at_work = r->at_work;
	pthread_mutex_unlock(&r->lock);
	while (chunk_walk_next(&walk, &e, &type)) {
		if (chunk_decode(task->chunk, type, &e, slots))
			*sum = *sum * 31 + slots[1];
		task->events++;
	}
	/* Later chunks are often ready before earlier ones. */
	if (task->number % 5 == 0)
		usleep(2000);
	if (r->stop_at_once)
		jfrec_reader_stop(r->stop_at_once);
	pthread_mutex_lock(&r->lock);
	r->at_work--;
	pthread_mutex_unlock(&r->lock);
	if ((int)task->number == r->nothing_at) {
		free(sum);
		sum = NULL;
	}
	return sum;
}

static int merge(void *ctx, const struct chunk_task *task, void *found, struct jfrec_error *err)
{
	struct result *r = ctx;

	CHECK_INT((int)task->number, (int)r->merged);
	if ((int)task->number == r->fail_at)
		return jfrec_fail(err, JFREC_EINVAL, 7, "as the test wants it");
	r->merged++;
	r->sum = r->sum * 31 + *(uint64_t *)found;
	return 0;
}

static void drop(void *ctx, void *found)
{
	struct result *r = ctx;

	pthread_mutex_lock(&r->lock);
	r->dropped++;
	pthread_mutex_unlock(&r->lock);
	free(found);
}

static const struct chunk_work how = { work, merge, drop };

static struct result none(void)
{
	return (struct result){ .fail_at = -1, .nothing_at = -1 };
}

static int run(struct craft *c, unsigned jobs, bool has_first, struct result *result,
	       struct jfrec_error *err)
{
	struct jfrec_reader *r = jfrec_reader_open(craft_path(c), NULL, NULL);
	struct chunk_task *first = NULL;
	int ret;

	pthread_mutex_init(&result->lock, NULL);
	jfrec_reader_set_jobs(r, jobs);
	if (result->stop_at_once)
		result->stop_at_once = r;
	if (has_first)
		CHECK_INT(source_take(reader_source(r), &first, NULL), 1);
	ret = source_each_chunk(reader_source(r), first, &how, result, err);
	jfrec_reader_close(r);
	pthread_mutex_destroy(&result->lock);
	return ret;
}

static void any_number_of_threads(struct craft *c)
{
	static const unsigned jobs[] = { 1, 2, 3, 8, 1000 };
	uint64_t sum = 0;

	for (size_t i = 0; i < sizeof(jobs) / sizeof(*jobs); i++) {
		struct result result = none();

		CHECK_INT(run(c, jobs[i], i % 2, &result, NULL), 0);
		CHECK_INT((int)result.merged, CHUNKS);
		CHECK_INT((int)result.dropped, CHUNKS);
		CHECK(result.most_at_work <= jobs[i]);
		CHECK(jobs[i] == 1 || result.most_at_work > 1);
		if (i == 0)
			sum = result.sum;
		CHECK(sum && result.sum == sum);
	}
}

static void failures(struct craft *c)
{
	for (unsigned jobs = 1; jobs <= 4; jobs += 3) {
		struct result result = none();
		struct jfrec_error err = { 0 };

		result.fail_at = 11;
		CHECK_INT(run(c, jobs, true, &result, &err), -1);
		CHECK_INT((int)result.merged, 11);
		CHECK_TEXT(err.text, strlen(err.text), "as the test wants it");
		result = none();
		result.nothing_at = 5;
		CHECK_INT(run(c, jobs, false, &result, &err), -1);
		CHECK_INT((int)result.merged, 5);
		CHECK_INT(err.code, JFREC_ENOMEM);
		result = none();
		result.stop_at_once = (void *)c; /* any: run() has the reader */
		CHECK_INT(run(c, jobs, false, &result, &err), -1);
		CHECK_INT(err.code, JFREC_ECANCELED);
		CHECK((int)result.merged < CHUNKS);
	}
}

int main(void)
{
	struct craft c = { 0 };

	build(&c);
	test_begin("any_number_of_threads_has_one_result");
	any_number_of_threads(&c);
	test_begin("the_first_failure_ends_the_work");
	failures(&c);
	craft_free(&c);
	return test_end();
}
