/* SPDX-License-Identifier: MIT */
/*
 * threads.c - a fuzz target: any text as thread dumps
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jfrec-tool.h"
#include "target.h"

static void insist(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "threads: not so: %s\n", what);
	abort();
}

/* Every byte of what is pointed to can be read. */
static size_t lengths;

static void read_text(const char *text)
{
	if (text)
		lengths += strlen(text);
}

static void check_thread(const struct jfrec_thread_dump *d, size_t i)
{
	const struct jfrec_dumped_thread *t = &d->threads[i];

	insist(t->name != NULL, "a thread has a name");
	insist(t->holder == JFREC_NO_THREAD || (t->holder < d->count && t->holder != i),
	       "another thread holds it");
	insist(t->site == SIZE_MAX || t->site < t->frame_count, "the site is a frame");
	insist(t->waiters < d->count, "others wait");
	read_text(t->name);
	read_text(t->state);
	read_text(t->lock.id);
	read_text(t->lock.class_name);
	for (size_t k = 0; k < t->frame_count; k++)
		read_text(t->frames[k]);
	for (size_t k = 0; k < t->held_count; k++) {
		read_text(t->held[k].id);
		read_text(t->held[k].class_name);
	}
}

static void check_members(const struct jfrec_thread_dump *d, const size_t *members, size_t count)
{
	insist(count > 0, "there is one");
	for (size_t i = 0; i < count; i++)
		insist(members[i] < d->count, "a member is a thread");
}

static void check_deadlock(const struct jfrec_thread_dump *d, const struct jfrec_deadlock *l)
{
	insist(l->count > 0, "a deadlock has threads");
	for (size_t i = 0; i < l->count; i++) {
		const struct jfrec_deadlocked *m = &l->threads[i], *next = &l->threads[(i + 1) % l->count];

		insist(m->name != NULL, "they have names");
		insist(m->thread == JFREC_NO_THREAD || m->thread < d->count, "a member is a thread");
		insist(l->is_reported || l->is_inferred || d->threads[m->thread].holder == next->thread,
		       "each waits for the next");
		read_text(m->name);
		read_text(m->holder);
		read_text(m->lock.class_name);
	}
}

static void check(const struct jfrec_thread_dump *d)
{
	size_t grouped = 0;

	read_text(d->vm);
	read_text(d->time);
	for (size_t i = 0; i < d->count; i++)
		check_thread(d, i);
	for (size_t i = 0; i < d->deadlock_count; i++)
		check_deadlock(d, &d->deadlocks[i]);
	for (size_t i = 0; i < d->group_count; i++) {
		check_members(d, d->groups[i].threads, d->groups[i].count);
		read_text(d->groups[i].name);
		grouped += d->groups[i].count;
	}
	insist(grouped == d->count, "each thread is in one group");
	for (size_t i = 0; i < d->pool_count; i++) {
		const struct jfrec_thread_pool *p = &d->pools[i];

		check_members(d, p->threads, p->count);
		insist(p->idle <= p->count && (!p->is_one_call || p->site), "a pool is as it says");
		read_text(p->name);
		read_text(p->site);
	}
	insist(d->caller_count <= d->count, "callers are threads");
}

static void compare(const struct jfrec_thread_dumps *d)
{
	size_t last = jfrec_thread_dumps_count(d) - 1, count;
	struct jfrec_thread_change *c = jfrec_thread_dumps_compare(d, 0, last, &count, NULL);

	insist(c != NULL, "dumps can be compared");
	for (size_t i = 0; i < count; i++) {
		insist(c[i].thread < jfrec_thread_dumps_get(d, last)->count, "a change is of a thread");
		insist(!i || c[i - 1].thread < c[i].thread, "changes are in order");
	}
	jfrec_free(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct jfrec_thread_dumps *d = jfrec_thread_dumps_new(NULL);
	struct jfrec_error err = { 0 };
	char *text = malloc(len + 1);

	insist(d && text, "there is memory");
	memcpy(text, bytes, len);
	if (jfrec_thread_dumps_add(d, text, len, &err) < 0)
		insist(*err.text && err.code == JFREC_EFORMAT, "what is wrong is said");
	else
		insist(jfrec_thread_dumps_count(d) > 0, "there is a dump");
	for (size_t i = 0; i < jfrec_thread_dumps_count(d); i++)
		check(jfrec_thread_dumps_get(d, i));
	if (jfrec_thread_dumps_count(d))
		compare(d);
	jfrec_thread_dumps_free(d);
	return 0;
}
