/* SPDX-License-Identifier: MIT */
/*
 * hot.c - which threads took CPU
 */
#include "threads/hot.h"

#include <stdlib.h>

static int by_cpu(const void *a, const void *b)
{
	const struct hot_thread *x = a, *y = b;

	if (x->cpu_ns != y->cpu_ns)
		return x->cpu_ns < y->cpu_ns ? 1 : -1;
	return x->thread < y->thread ? -1 : x->thread > y->thread;
}

/* Dumps say how long each thread runs, too. */
static int64_t window_of(const struct threads_seen *s)
{
	const struct jfrec_thread_dump *first = jfrec_thread_dumps_get(s->dumps, 0);

	for (size_t i = 0; i < first->count; i++) {
		if (!first->threads[i].id)
			continue;
		for (size_t k = 0; k < s->last->count; k++) {
			const struct jfrec_dumped_thread *a = &first->threads[i];
			const struct jfrec_dumped_thread *b = &s->last->threads[k];

			if (a->id == b->id && a->elapsed_ns >= 0 &&
			    b->elapsed_ns > a->elapsed_ns)
				return b->elapsed_ns - a->elapsed_ns;
		}
		/* Whichever thread is first lives long. */
		break;
	}
	return 0;
}

bool hot_by_dumps(struct threads_seen *s)
{
	if (!s->change_count)
		return true;
	s->window_ns = window_of(s);
	s->hot = malloc(s->change_count * sizeof(*s->hot));
	if (!s->hot)
		return false;
	for (size_t i = 0; i < s->change_count; i++) {
		const struct jfrec_thread_change *c = &s->changes[i];

		if (c->cpu_ns > 0)
			s->hot[s->hot_count++] = (struct hot_thread){ c->thread, c->cpu_ns };
	}
	qsort(s->hot, s->hot_count, sizeof(*s->hot), by_cpu);
	return true;
}

bool hot_by_tasks(struct threads_seen *s, const struct task_cpus *before,
		  const struct task_cpus *after)
{
	const struct jfrec_thread_dump *last =
		jfrec_thread_dumps_get(s->dumps, jfrec_thread_dumps_count(s->dumps) - 1);

	s->window_ns = after->at_ns - before->at_ns;
	s->hot = malloc((last->count + 1) * sizeof(*s->hot));
	if (!s->hot)
		return false;
	for (size_t i = 0; i < last->count; i++) {
		int64_t from = task_cpu_of(before, last->threads[i].nid);
		int64_t to = task_cpu_of(after, last->threads[i].nid);

		if (from >= 0 && to > from)
			s->hot[s->hot_count++] = (struct hot_thread){ i, to - from };
	}
	qsort(s->hot, s->hot_count, sizeof(*s->hot), by_cpu);
	return true;
}
