/* SPDX-License-Identifier: MIT */
/*
 * rewrite_crew.c - several threads write chunks again
 */
#include "edit/rewrite_crew.h"

#include <stdlib.h>

#include "base/error.h"

/* So much of chunks may wait in memory for each thread: two of a JVM's usual ones. */
#define WAITING_OF_THREAD ((uint64_t)24 << 20)

struct rewrite_crew {
	const struct rewrite_work *how;
	void *ctx;
	struct jfrec_output *out;
	uint64_t first;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* With the lock: */
	uint64_t turn; /* the chunk that is written next */
	uint64_t waiting, most_waiting; /* bytes */
	bool broken; /* a chunk is lost, and its turn never ends */
};

/* Is it the chunk's turn now?  If not, there is memory for it to wait in. */
static bool is_turn(struct rewrite_crew *k, const struct chunk_task *task, struct rewritten *r)
{
	uint64_t size = task->chunk->extent.size;
	bool is;

	pthread_mutex_lock(&k->lock);
	while (k->turn != task->number && !k->broken &&
	       (k->waiting > k->most_waiting || size > k->most_waiting - k->waiting))
		pthread_cond_wait(&k->changed, &k->lock);
	is = k->turn == task->number;
	if (!is)
		k->waiting += r->reserved = size;
	pthread_mutex_unlock(&k->lock);
	return is;
}

static void break_off(struct rewrite_crew *k)
{
	pthread_mutex_lock(&k->lock);
	k->broken = true;
	pthread_cond_broadcast(&k->changed);
	pthread_mutex_unlock(&k->lock);
}

static uint64_t events_of(const struct tally *t)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < t->count; i++)
		sum += t->rows[i].kept + t->rows[i].dropped + t->rows[i].unreadable;
	return sum;
}

static void *work(void *ctx, struct chunk_task *task)
{
	struct rewrite_crew *k = ctx;
	struct rewritten *r = calloc(1, sizeof(*r));

	if (!r) {
		break_off(k);
		return NULL;
	}
	r->is_first = task->number == k->first;
	if (is_turn(k, task, r))
		r->out = k->out;
	r->written = k->how->chunk(k->ctx, task, r, &r->err);
	task->events = events_of(&r->tally);
	return r;
}

static int merge(void *ctx, const struct chunk_task *task, void *found, struct jfrec_error *err)
{
	struct rewrite_crew *k = ctx;
	struct rewritten *r = found;

	(void)task;
	if (r->written < 0) {
		if (err)
			*err = r->err;
		return -1;
	}
	if (r->written > 0 && !r->out)
		output_append(k->out, r->writer.held.data, r->writer.held.len);
	if (output_failed(k->out))
		return output_fail(k->out, err);
	return k->how->merge(k->ctx, r, err);
}

/* Called for each chunk in turn, merged or not. */
static void drop(void *ctx, void *found)
{
	struct rewrite_crew *k = ctx;
	struct rewritten *r = found;

	if (k->how->drop)
		k->how->drop(k->ctx, r);
	chunk_writer_fini(&r->writer);
	tally_fini(&r->tally);
	pthread_mutex_lock(&k->lock);
	k->turn++;
	k->waiting -= r->reserved;
	pthread_cond_broadcast(&k->changed);
	pthread_mutex_unlock(&k->lock);
	free(r);
}

int rewrite_all(struct chunk_source *s, struct jfrec_output *out, const struct rewrite_work *how,
		void *ctx, struct jfrec_error *err)
{
	static const struct chunk_work chunks = { .work = work, .merge = merge, .drop = drop };
	struct rewrite_crew k = {
		.how = how,
		.ctx = ctx,
		.out = out,
		.first = source_next_number(s),
		.turn = source_next_number(s),
		.most_waiting = crew_jobs(s) * WAITING_OF_THREAD,
	};
	int ret;

	pthread_mutex_init(&k.lock, NULL);
	pthread_cond_init(&k.changed, NULL);
	ret = source_each_chunk(s, NULL, &chunks, &k, err);
	pthread_cond_destroy(&k.changed);
	pthread_mutex_destroy(&k.lock);
	return ret;
}
