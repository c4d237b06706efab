/* SPDX-License-Identifier: MIT */
/*
 * findings.c - what is wrong with the threads of a JVM
 *
 * That a thread stands still is a fact, and mostly as it should be. It is a finding where another
 * waits for it: a circle of threads, a pool whose workers wait for each other, and, where two dumps
 * show that a thread has not moved between them, one that others wait for.
 */
#include "threads/findings.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/human.h"
#include "threads/changes.h"
#include "threads/phrases.h"

/* Who stands for less may have been met twice in what it does all the time. */
#define STANDS_NS 900000000

/* One caller may wait for a pool to end, which is what main() does. */
#define CALLERS 2

/* Does the system or the dump say that it did nothing? */
static bool stands(const struct threads_seen *s, size_t thread)
{
	const struct jfrec_thread_change *c = threads_seen_change(s, thread);

	return c && c->stands && c->cpu_ns >= 0;
}

static bool all_stand(const struct threads_seen *s, const size_t *threads, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!stands(s, threads[i]))
			return false;
	}
	return true;
}

static size_t count_standing(const struct threads_seen *s, const size_t *threads, size_t count)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += stands(s, threads[i]);
	return n;
}

static bool is_standing_pool(const struct threads_seen *s, const struct jfrec_thread_pool *p)
{
	return p->is_one_call && s->window_ns >= STANDS_NS &&
	       count_standing(s, s->last->callers, s->last->caller_count) >= CALLERS &&
	       all_stand(s, p->threads, p->count);
}

/* It has what others have waited for all the time, and waits itself for no thread that is known. */
static bool is_standing_holder(const struct threads_seen *s, size_t thread)
{
	const struct jfrec_dumped_thread *t = &s->last->threads[thread];

	if (!t->waiters || t->holder != JFREC_NO_THREAD || s->window_ns < STANDS_NS ||
	    !stands(s, thread) || t->in_deadlock)
		return false;
	for (size_t i = 0; i < s->last->count; i++) {
		if (s->last->threads[i].holder == thread && stands(s, i))
			return true;
	}
	return false;
}

static bool add(struct threads_seen *s, size_t *room, enum finding_kind kind, size_t number)
{
	return array_push(s->findings, s->finding_count, *room,
			  (struct thread_finding){ kind, number });
}

bool findings_find(struct threads_seen *s)
{
	const struct jfrec_thread_dump *d = s->last;
	size_t room = 0;
	bool ok = true;

	for (size_t i = 0; ok && i < d->deadlock_count; i++)
		ok = add(s, &room, FINDING_DEADLOCK, i);
	for (size_t i = 0; ok && i < d->pool_count; i++) {
		if (d->pools[i].is_starved)
			ok = add(s, &room, FINDING_STARVED_POOL, i);
		else if (is_standing_pool(s, &d->pools[i]))
			ok = add(s, &room, FINDING_STANDING_POOL, i);
	}
	for (size_t i = 0; ok && i < d->count; i++) {
		if (d->threads[i].waiters && is_standing_holder(s, i))
			ok = add(s, &room, FINDING_STANDING_HOLDER, i);
	}
	return ok;
}

const char *finding_name(enum finding_kind kind)
{
	static const char *const names[] = {
		[FINDING_DEADLOCK] = "deadlock",
		[FINDING_STARVED_POOL] = "starved-pool",
		[FINDING_STANDING_POOL] = "standing-pool",
		[FINDING_STANDING_HOLDER] = "standing-holder",
	};

	return names[kind];
}

/* Sentences ------------------------------------------------------------------------------------ */

/* What the JVM reports need not be in the dump. */
static void put_member(FILE *to, const struct threads_seen *s, const struct jfrec_deadlocked *m)
{
	if (m->thread == JFREC_NO_THREAD)
		put_short_name(to, m->name);
	else
		put_thread(to, &s->last->threads[m->thread]);
}

static void put_deadlock(FILE *to, const struct threads_seen *s, const struct jfrec_deadlock *d)
{
	const struct jfrec_deadlocked *first = &d->threads[0];

	fprintf(to, "Deadlock of %zu thread%s: ", d->count, d->count == 1 ? "" : "s");
	if (d->is_inferred) {
		fputs("each waits for a class that another of them initializes: ", to);
		for (size_t i = 0; i < d->count && i < 4; i++) {
			fputs(i ? ", " : "", to);
			put_member(to, s, &d->threads[i]);
		}
		return;
	}
	put_member(to, s, first);
	fputc(' ', to);
	put_wait(to, first->wait, &first->lock);
	if (first->holder) {
		fputs(first->wait == JFREC_WAIT_CLASS ? ", which is for " : ", which ", to);
		put_member(to, s, &d->threads[1 % d->count]);
		fputs(first->wait == JFREC_WAIT_CLASS ? " to do" : " holds", to);
	}
	fputs(", and none of them will run again", to);
}

static void put_place(FILE *to, const char *frame)
{
	if (!frame)
		return;
	fputs(" in ", to);
	put_frame(to, frame);
}

static void put_pool(FILE *to, const struct threads_seen *s, const struct thread_finding *f)
{
	const struct jfrec_thread_pool *p = &s->last->pools[f->number];
	char span[HUMAN_MAX];

	fprintf(to, p->count == 1 ? "The only thread of " : "All %zu threads of ", p->count);
	put_short_name(to, p->name);
	if (f->kind == FINDING_STARVED_POOL) {
		fprintf(to, " wait%s for results of tasks that no worker is left to run,",
			p->count == 1 ? "s" : "");
		put_place(to, p->site);
		return;
	}
	fprintf(to, " have stood for %s", human_span(span, (double)s->window_ns));
	put_place(to, p->site);
	fprintf(to, ", while %zu threads wait for results", s->last->caller_count);
}

static void put_holder(FILE *to, const struct threads_seen *s, size_t thread)
{
	const struct jfrec_dumped_thread *t = &s->last->threads[thread];
	char span[HUMAN_MAX];

	put_thread(to, t);
	fprintf(to, " has stood for %s", human_span(span, (double)s->window_ns));
	put_place(to, place_of_thread(t));
	fprintf(to, ", and %zu thread%s for what it holds", t->waiters, t->waiters == 1 ? " waits" : "s wait");
}

void finding_put(FILE *to, const struct threads_seen *s, const struct thread_finding *f)
{
	if (f->kind == FINDING_DEADLOCK)
		put_deadlock(to, s, &s->last->deadlocks[f->number]);
	else if (f->kind == FINDING_STANDING_HOLDER)
		put_holder(to, s, f->number);
	else
		put_pool(to, s, f);
}
