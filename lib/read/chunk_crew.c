/* SPDX-License-Identifier: MIT */
/*
 * chunk_crew.c - several threads work on the chunks of a source
 *
 * Two locks: `reading` is held while chunks are taken and given back, which may wait for a disk;
 * `lock` guards everything else in the crew, for moments only.  Who holds both took `reading`
 * first.
 */
#include "read/chunk_crew.h"

#include <signal.h>
#include <stdlib.h>

#include "base/error.h"
#include "read/reader.h"

/* What a thread needs here is less than half of it; all of it counts as memory that is used. */
#define STACK_SIZE (2u << 20)

/* A chunk that was taken and not merged. */
struct crew_slot {
	struct chunk_task *task;
	void *found;
	bool is_done;
};

struct crew {
	struct chunk_source *source;
	const struct chunk_work *how;
	void *ctx;
	struct chunk_task *first;
	unsigned jobs, helpers;
	pthread_t threads[MAX_JOBS];
	pthread_mutex_t reading, lock;
	pthread_cond_t changed;
	struct crew_slot places[2 * MAX_JOBS]; /* a ring */
	uint64_t taken, merged;
	uint64_t events;
	bool at_end, is_merging;
	int ret;
	struct jfrec_error err;
};

void jfrec_reader_set_jobs(struct jfrec_reader *r, unsigned jobs)
{
	r->source.jobs = jobs;
}

/* The first failure is the one that counts.  With both locks. */
static void fail(struct crew *k, const struct jfrec_error *err)
{
	if (k->ret == 0)
		k->err = *err;
	k->ret = -1;
	k->at_end = true;
}

/* Taking --------------------------------------------------------------------------------------- */

static int take(struct crew *k, struct chunk_task **task, struct jfrec_error *err)
{
	if (k->first) {
		*task = k->first;
		k->first = NULL;
		if (k->jobs > 1)
			plan_make_all((*task)->chunk->metadata);
		return 1;
	}
	if (source_check_stop(k->source, err) < 0)
		return -1;
	return source_take(k->source, task, err);
}

/* The next chunk's place, once there is one; or NULL. */
static struct crew_slot *next_place(struct crew *k)
{
	struct crew_slot *place = NULL;
	struct chunk_task *task = NULL;
	struct jfrec_error err = { 0 };
	int got = 0;

	pthread_mutex_lock(&k->reading);
	pthread_mutex_lock(&k->lock);
	while (!k->at_end && k->taken - k->merged == 2 * k->jobs) {
		/* Who merges has to give back. */
		pthread_mutex_unlock(&k->reading);
		pthread_cond_wait(&k->changed, &k->lock);
		pthread_mutex_unlock(&k->lock);
		pthread_mutex_lock(&k->reading);
		pthread_mutex_lock(&k->lock);
	}
	pthread_mutex_unlock(&k->lock);
	if (!k->at_end)
		got = take(k, &task, &err);
	pthread_mutex_lock(&k->lock);
	if (got > 0) {
		place = &k->places[k->taken++ % (2 * k->jobs)];
		*place = (struct crew_slot){ .task = task };
	} else {
		k->at_end = true;
		if (got < 0)
			fail(k, &err);
	}
	pthread_cond_broadcast(&k->changed);
	pthread_mutex_unlock(&k->lock);
	pthread_mutex_unlock(&k->reading);
	return place;
}

/* Merging -------------------------------------------------------------------------------------- */

static void merge(struct crew *k, struct crew_slot *p, bool has_failed)
{
	struct jfrec_error err = { 0 };
	int ret = 0;

	if (!has_failed)
		ret = p->found ? k->how->merge(k->ctx, p->task, p->found, &err)
			       : jfrec_fail_memory(&err);
	if (p->found)
		k->how->drop(k->ctx, p->found);
	pthread_mutex_lock(&k->reading);
	k->events += p->task->events;
	p->task->has_failed = ret < 0;
	if (source_give_back(k->source, p->task, ret < 0 ? NULL : &err) < 0)
		ret = -1;
	source_progress(k->source, k->events);
	pthread_mutex_lock(&k->lock);
	if (ret < 0)
		fail(k, &err);
	k->merged++;
	pthread_mutex_unlock(&k->lock);
	pthread_mutex_unlock(&k->reading);
}

/* All that are ready, unless another thread is at it. */
static void merge_ready(struct crew *k, struct crew_slot *done)
{
	pthread_mutex_lock(&k->lock);
	done->is_done = true;
	while (!k->is_merging && k->merged < k->taken &&
	       k->places[k->merged % (2 * k->jobs)].is_done) {
		struct crew_slot *p = &k->places[k->merged % (2 * k->jobs)];
		bool has_failed = k->ret < 0;

		k->is_merging = true;
		pthread_mutex_unlock(&k->lock);
		merge(k, p, has_failed);
		pthread_mutex_lock(&k->lock);
		k->is_merging = false;
		pthread_cond_broadcast(&k->changed);
	}
	pthread_mutex_unlock(&k->lock);
}

/* Threads -------------------------------------------------------------------------------------- */

static void *help(void *crew);

static bool has_more(struct crew *k)
{
	bool has;

	pthread_mutex_lock(&k->reading);
	has = !k->at_end && recording_has_more(&k->source->recording);
	pthread_mutex_unlock(&k->reading);
	return has;
}

bool crew_start_thread(pthread_t *thread, void *(*run)(void *ctx), void *ctx)
{
	sigset_t all, before;
	pthread_attr_t attr;
	bool ok;

	/* Signals are the caller's, but for what the thread does itself: a mapped page is lost. */
	sigfillset(&all);
	sigdelset(&all, SIGBUS);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_SIZE);
	ok = pthread_create(thread, &attr, run, ctx) == 0;
	pthread_attr_destroy(&attr);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ok;
}

/* One more, if there is work for it.  Where it cannot be had, the others do its work. */
static void call_for_help(struct crew *k)
{
	if (k->helpers + 1 < k->jobs && has_more(k) &&
	    crew_start_thread(&k->threads[k->helpers], help, k))
		k->helpers++;
}

static void work(struct crew *k, bool is_caller)
{
	struct crew_slot *p;

	while ((p = next_place(k))) {
		if (is_caller)
			call_for_help(k);
		p->found = k->how->work(k->ctx, p->task);
		merge_ready(k, p);
	}
}

static void *help(void *crew)
{
	work(crew, false);
	return NULL;
}

unsigned crew_jobs(const struct chunk_source *s)
{
	/* A signal would not end the wait for a pipe in another thread. */
	if (s->jobs <= 1 || recording_is_once(&s->recording))
		return 1;
	return s->jobs < MAX_JOBS ? s->jobs : MAX_JOBS;
}

int source_each_chunk(struct chunk_source *s, struct chunk_task *first,
		      const struct chunk_work *how, void *ctx, struct jfrec_error *err)
{
	struct crew *k = calloc(1, sizeof(*k));
	int ret;

	if (!k) {
		if (first)
			source_give_back(s, first, NULL);
		return jfrec_fail_memory(err);
	}
	k->source = s;
	k->how = how;
	k->ctx = ctx;
	k->first = first;
	k->jobs = crew_jobs(s);
	pthread_mutex_init(&k->reading, NULL);
	pthread_mutex_init(&k->lock, NULL);
	pthread_cond_init(&k->changed, NULL);
	work(k, true);
	for (unsigned i = 0; i < k->helpers; i++)
		pthread_join(k->threads[i], NULL);
	ret = k->ret;
	if (ret < 0 && err)
		*err = k->err;
	pthread_cond_destroy(&k->changed);
	pthread_mutex_destroy(&k->lock);
	pthread_mutex_destroy(&k->reading);
	free(k);
	return ret;
}

/* What only the first look tells of is not told again. */
static void use_filter(struct chunk_source *again, const struct chunk_source *s)
{
	again->where = s->where;
	again->during = s->during;
	again->selection = s->selection;
	again->selection.matched = UINT64_MAX;
}

int source_each_chunk_again(struct chunk_source *s, const struct second_look *look,
			    const struct chunk_work *how, void *ctx, struct jfrec_error *err)
{
	struct chunk_source *again = calloc(1, sizeof(*again));
	int ret = -1;

	if (!again)
		return jfrec_fail_memory(err);
	again->jobs = s->jobs;
	again->task_of = s;
	again->is_second = true;
	if (look->filters)
		use_filter(again, s);
	if (source_again(s, &again->recording, err) == 0) {
		again->recording.problems.fn = look->tell;
		again->recording.problems.ctx = look->tell_ctx;
		again->recording.clock_by_file = look->clock_by_file;
		ret = source_each_chunk(again, NULL, how, ctx, err);
		recording_close(&again->recording);
	}
	arena_fini(&again->room.scratch);
	during_leave(&again->view);
	free(again);
	return ret;
}
