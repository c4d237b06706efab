/* SPDX-License-Identifier: MIT */
/*
 * row_crew.c - the rows of all tables, worked out by several threads
 */
#include "tables/row_crew.h"

#include <stdlib.h>

#include "base/error.h"
#include "tables/row_worker.h"

/* So much of parts may wait in memory for each thread. */
#define WAITING_OF_THREAD ((uint64_t)24 << 20)

struct row_crew {
	struct jfrec_tables *tables;
	const struct row_crew_how *how;
	void *ctx;
	unsigned jobs;
	bool **wanted; /* all columns of all tables */
	struct batch_pool pool;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* With the lock: */
	struct row_worker *spare;
	uint64_t turn;			/* the chunk whose parts are taken next */
	uint64_t waiting, most_waiting; /* bytes */
	bool has_failed; /* or lost a chunk, whose turn never ends */
};

/* What became of a chunk. */
struct chunk_parts {
	struct row_part *first, **end;
	uint64_t reserved; /* of the memory for what waits */
	int ret;
	struct jfrec_error err;
};

/* Workers -------------------------------------------------------------------------------------- */

static struct row_worker *take_worker(struct row_crew *k)
{
	struct row_worker *w;

	pthread_mutex_lock(&k->lock);
	w = k->spare;
	if (w)
		k->spare = w->next;
	pthread_mutex_unlock(&k->lock);
	if (w)
		return w;
	w = row_worker_new(k->tables, k->wanted, &k->pool);
	if (w) {
		w->rows.bounds = k->how->bounds;
		w->rows.values.lists_frames = k->how->lists_frames;
		w->rows.values.sharers = k->jobs;
	}
	return w;
}

static void give_back(struct row_crew *k, struct row_worker *w)
{
	pthread_mutex_lock(&k->lock);
	w->next = k->spare;
	k->spare = w;
	pthread_mutex_unlock(&k->lock);
}

/* Parts ---------------------------------------------------------------------------------------- */

static void break_off(struct row_crew *k)
{
	pthread_mutex_lock(&k->lock);
	k->has_failed = true;
	pthread_cond_broadcast(&k->changed);
	pthread_mutex_unlock(&k->lock);
}

/* The parts that wait, unless one has failed. */
static void take_parts(struct row_crew *k, struct chunk_parts *c)
{
	struct row_part *p;

	while ((p = c->first)) {
		c->first = p->next;
		if (c->ret == 0)
			c->ret = k->how->take(k->ctx, p, &c->err);
		row_part_free(p, &k->pool);
	}
	c->end = &c->first;
	if (c->ret < 0)
		break_off(k);
}

enum turn { ITS_TURN, WAITS, NO_MORE };

/* What is to be done with so many bytes of the chunk. */
static enum turn turn_of(struct row_crew *k, uint64_t number, struct chunk_parts *c, size_t size)
{
	enum turn turn = WAITS;

	pthread_mutex_lock(&k->lock);
	while (k->turn != number && !k->has_failed &&
	       (k->waiting > k->most_waiting || size > k->most_waiting - k->waiting))
		pthread_cond_wait(&k->changed, &k->lock);
	if (k->has_failed) {
		turn = NO_MORE;
	} else if (k->turn == number) {
		turn = ITS_TURN;
	} else {
		k->waiting += size;
		c->reserved += size;
	}
	pthread_mutex_unlock(&k->lock);
	return turn;
}

/* Hand on a part, which is taken over.  False: no more is wanted. */
static bool pass_on(struct row_crew *k, struct chunk_parts *c, struct row_part *p)
{
	enum turn turn;

	if (!p) {
		c->ret = jfrec_fail_memory(&c->err);
		return false;
	}
	turn = turn_of(k, p->chunk_number, c, p->size);
	*c->end = p;
	c->end = &p->next;
	if (turn == ITS_TURN)
		take_parts(k, c);
	return turn != NO_MORE && c->ret == 0;
}

static void read_chunk(struct row_crew *k, struct chunk_task *task, struct chunk_parts *c,
		       struct row_worker *w)
{
	struct row_part *p;
	bool is_last = false;

	if (row_worker_enter(w, task) < 0) {
		c->ret = jfrec_fail_memory(&c->err);
		return;
	}
	while (!is_last) {
		p = row_worker_part(w);
		is_last = p && p->is_last;
		/* Of a chunk that is not at its end the last part is none. */
		if (is_last && source_check_stop(task->source, &c->err) < 0) {
			c->ret = -1;
			row_part_free(p, &k->pool);
		} else if (!pass_on(k, c, p)) {
			return;
		}
	}
}

static void *work(void *ctx, struct chunk_task *task)
{
	struct row_crew *k = ctx;
	struct chunk_parts *c = calloc(1, sizeof(*c));
	struct row_worker *w = c ? take_worker(k) : NULL;

	if (!w) {
		free(c);
		break_off(k);
		return NULL;
	}
	c->end = &c->first;
	read_chunk(k, task, c, w);
	row_worker_leave(w);
	if (c->ret < 0)
		row_worker_free(w);
	else
		give_back(k, w);
	return c;
}

static int merge(void *ctx, const struct chunk_task *task, void *found, struct jfrec_error *err)
{
	struct chunk_parts *c = found;

	(void)task;
	take_parts(ctx, c);
	if (c->ret < 0 && err)
		*err = c->err;
	return c->ret;
}

/* Called for each chunk in turn, merged or not. */
static void drop(void *ctx, void *found)
{
	struct row_crew *k = ctx;
	struct chunk_parts *c = found;
	struct row_part *p;

	while ((p = c->first)) {
		c->first = p->next;
		row_part_free(p, &k->pool);
	}
	pthread_mutex_lock(&k->lock);
	k->turn++;
	k->waiting -= c->reserved;
	pthread_cond_broadcast(&k->changed);
	pthread_mutex_unlock(&k->lock);
	free(c);
}

/* All of it ------------------------------------------------------------------------------------ */

/* One array is that of all tables. */
static bool want_all(struct row_crew *k)
{
	size_t most = 0;

	k->wanted = calloc(k->tables->count + 1, sizeof(*k->wanted));
	if (!k->wanted)
		return false;
	for (size_t i = 0; i < k->tables->count; i++) {
		size_t columns = k->tables->tables[i].info.column_count;

		most = columns > most ? columns : most;
	}
	/* The last one owns it. */
	k->wanted[k->tables->count] = malloc(most + 1);
	for (size_t i = 0; i <= most && k->wanted[k->tables->count]; i++)
		k->wanted[k->tables->count][i] = true;
	for (size_t i = 0; i < k->tables->count; i++)
		k->wanted[i] = k->wanted[k->tables->count];
	return k->wanted[k->tables->count];
}

static void crew_fini(struct row_crew *k)
{
	struct row_worker *w;

	while ((w = k->spare)) {
		k->spare = w->next;
		row_worker_free(w);
	}
	batch_pool_fini(&k->pool);
	if (k->wanted)
		free(k->wanted[k->tables->count]);
	free(k->wanted);
	pthread_cond_destroy(&k->changed);
	pthread_mutex_destroy(&k->lock);
}

unsigned tables_jobs(const struct jfrec_tables *t)
{
	return crew_jobs(t->source);
}

int rows_by_crew(struct jfrec_tables *t, const struct row_crew_how *how, void *ctx,
		 struct jfrec_error *err)
{
	static const struct chunk_work chunks = { .work = work, .merge = merge, .drop = drop };
	const struct second_look look = {
		.tell = tables_tell, .tell_ctx = t, .filters = true, .clock_by_file = true
	};
	struct row_crew k = {
		.tables = t,
		.how = how,
		.ctx = ctx,
		.jobs = crew_jobs(t->source),
		.most_waiting = crew_jobs(t->source) * WAITING_OF_THREAD,
	};
	int ret;

	pthread_mutex_init(&k.lock, NULL);
	pthread_cond_init(&k.changed, NULL);
	if (batch_pool_init(&k.pool, t->count) && want_all(&k))
		ret = source_each_chunk_again(t->source, &look, &chunks, &k, err);
	else
		ret = jfrec_fail_memory(err);
	crew_fini(&k);
	return ret;
}
