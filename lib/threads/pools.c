/* SPDX-License-Identifier: MIT */
/*
 * pools.c - the workers of executors: do they wait for work, or all in the same call?
 *
 * That all workers stand in one call is a fact, which may be as it should: each reads from its
 * connection. It is trouble where another thread waits for their results, or where they themselves
 * wait for what only a free worker would do.
 */
#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "threads/dump.h"
#include "threads/frames.h"
#include "threads/names.h"

static const char *const worker_methods[] = {
	"java.util.concurrent.ThreadPoolExecutor.runWorker",
	"java.util.concurrent.ForkJoinPool.runWorker",
	"org.apache.tomcat.util.threads.ThreadPoolExecutor.runWorker",
	"org.eclipse.jetty.util.thread.QueuedThreadPool$Runner.run",
	"org.jboss.threads.EnhancedQueueExecutor$ThreadBody.run",
	NULL,
};

/* Who waits there for the result of a task of an executor. */
static const char *const task_methods[] = {
	"java.util.concurrent.FutureTask.get",
	"java.util.concurrent.AbstractExecutorService.invoke",
	NULL,
};

static const char *const result_methods[] = {
	"java.util.concurrent.FutureTask.get",
	"java.util.concurrent.AbstractExecutorService.invoke",
	"java.util.concurrent.CompletableFuture.get",
	"java.util.concurrent.CompletableFuture.join",
	NULL,
};

/* What waits for the next of something has nothing to do: that is no call that anybody waits for.
 */
static const char *const idle_methods[] = {
	"java.net.ServerSocket.accept",
	"sun.nio.ch.ServerSocketChannelImpl.accept",
	"sun.nio.ch.SelectorImpl.",
	"java.util.concurrent.ArrayBlockingQueue.take",
	"java.util.concurrent.ArrayBlockingQueue.poll",
	"java.util.concurrent.LinkedBlockingQueue.take",
	"java.util.concurrent.LinkedBlockingQueue.poll",
	"java.util.concurrent.LinkedBlockingDeque.take",
	"java.util.concurrent.LinkedBlockingDeque.poll",
	"java.util.concurrent.PriorityBlockingQueue.take",
	"java.util.concurrent.SynchronousQueue.take",
	"java.util.concurrent.SynchronousQueue.poll",
	"java.util.concurrent.LinkedTransferQueue.take",
	"java.util.concurrent.DelayQueue.take",
	NULL,
};

/* The frames above the application's. */
static bool calls(const struct jfrec_dumped_thread *t, const char *const *methods)
{
	return t->site != SIZE_MAX && has_frame_of(t->frames, t->site, methods);
}

static bool is_worker(const struct jfrec_dumped_thread *t)
{
	/* The methods of executors are at the outer end. */
	size_t from = t->frame_count > 8 ? t->frame_count - 8 : 0;

	return t->frame_count &&
	       has_frame_of(t->frames + from, t->frame_count - from, worker_methods);
}

static bool is_idle(const struct jfrec_dumped_thread *t)
{
	return t->site == SIZE_MAX || calls(t, idle_methods);
}

/* Without a timeout. */
static bool waits_for_task(const struct jfrec_dumped_thread *t)
{
	return t->state && strcmp(t->state, "WAITING") == 0 && calls(t, task_methods);
}

static bool waits_for_result(const struct jfrec_dumped_thread *t)
{
	return t->state && strstr(t->state, "WAITING") && calls(t, result_methods);
}

/* Pools -----------------------------------------------------------------------------------------
 */

/* Workers in the order of their pools, which is all that members has. */
struct pools {
	struct jfrec_thread_pool *items;
	size_t count;
	uint32_t *pool; /* of each thread; IDMAP_NONE: it is no worker */
	size_t *members;
};

static bool number_pools(struct dump *d, struct pools *p)
{
	struct idmap map = { 0 };
	bool ok = true;

	for (size_t i = 0; ok && i < d->count; i++) {
		const char *name = d->threads[i].name;
		uint64_t hash = HASH_START;
		uint32_t *place;

		p->pool[i] = IDMAP_NONE;
		if (!is_worker(&d->threads[i]))
			continue;
		for (size_t k = 0, stem = name_stem(name); k < stem; k++)
			hash = (hash ^ (unsigned char)name[k]) * UINT64_C(1099511628211);
		place = idmap_put(&map, hash, (uint32_t)p->count);
		ok = place != NULL;
		if (ok)
			p->pool[i] = *place;
		p->count += ok && *place == p->count;
	}
	idmap_fini(&map);
	return ok;
}

static void gather(struct dump *d, struct pools *p)
{
	size_t at = 0;

	for (size_t i = 0; i < d->count; i++) {
		if (p->pool[i] != IDMAP_NONE)
			p->items[p->pool[i]].count++;
	}
	for (size_t i = 0; i < p->count; i++) {
		p->items[i].threads = p->members + at;
		at += p->items[i].count;
		p->items[i].count = 0;
	}
	for (size_t i = 0; i < d->count; i++) {
		struct jfrec_thread_pool *pool;

		if (p->pool[i] == IDMAP_NONE)
			continue;
		pool = &p->items[p->pool[i]];
		((size_t *)pool->threads)[pool->count++] = i;
		pool->idle += is_idle(&d->threads[i]);
	}
}

static void look_at_calls(const struct dump *d, struct jfrec_thread_pool *pool)
{
	const struct jfrec_dumped_thread *first = &d->threads[pool->threads[0]];

	pool->is_one_call = pool->count > 1 && !pool->idle;
	for (size_t i = 1; i < pool->count && pool->is_one_call; i++)
		pool->is_one_call = d->threads[pool->threads[i]].call == first->call;
	pool->site = !pool->idle && (pool->is_one_call || pool->count == 1)
			     ? first->frames[first->site] : NULL;
}

/* Does each of its workers wait for a task? */
static bool waits_for_tasks(const struct dump *d, const struct jfrec_thread_pool *pool)
{
	for (size_t i = 0; i < pool->count; i++) {
		if (!waits_for_task(&d->threads[pool->threads[i]]))
			return false;
	}
	return true;
}

/* Workers, of whichever pool, that may be making what others wait for. */
static size_t count_makers(const struct dump *d, const struct pools *p)
{
	size_t n = 0;

	for (size_t i = 0; i < d->count; i++)
		n += p->pool[i] != IDMAP_NONE && !is_idle(&d->threads[i]) &&
		     !waits_for_task(&d->threads[i]);
	return n;
}

static void find_callers(struct dump *d, const struct pools *p)
{
	size_t *callers = arena_alloc(&d->arena, d->count * sizeof(*callers));

	d->no_memory |= !callers;
	for (size_t i = 0; callers && i < d->count; i++) {
		if (p->pool[i] == IDMAP_NONE && waits_for_result(&d->threads[i]))
			callers[d->is.caller_count++] = i;
	}
	d->is.callers = callers;
}

void dump_find_pools(struct dump *d)
{
	struct pools p = {
		.pool = arena_alloc(&d->arena, d->count * sizeof(*p.pool)),
		.members = arena_alloc(&d->arena, d->count * sizeof(*p.members)),
	};
	size_t makers;

	if (!d->count)
		return;
	if (!p.pool || !p.members || !number_pools(d, &p)) {
		d->no_memory = true;
		return;
	}
	find_callers(d, &p);
	p.items = p.count ? arena_zalloc(&d->arena, p.count, sizeof(*p.items)) : NULL;
	if (!p.items) {
		d->no_memory |= p.count > 0;
		return;
	}
	gather(d, &p);
	makers = count_makers(d, &p);
	for (size_t i = 0; i < p.count; i++) {
		struct jfrec_thread_pool *pool = &p.items[i];

		pool->name = names_pattern(d, pool->threads, pool->count);
		look_at_calls(d, pool);
		pool->is_starved = !makers && waits_for_tasks(d, pool);
	}
	d->is.pools = p.items;
	d->is.pool_count = p.count;
}
