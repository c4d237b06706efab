/* SPDX-License-Identifier: MIT */
/*
 * dumps.c - threads at the same place in the first and the last thread dump
 */
#include "analyze/dumps.h"

#include <stdlib.h>

#include "threads/frames.h"
#include "threads/hotspot.h"
#include "threads/names.h"

/* Of a dump no more is read: some thousand threads. */
#define MAX_TEXT    (4 << 20)
#define MAX_THREADS 5000

#define DUMP "Full thread dump"

static uint32_t put(const struct event *e, const char *text, size_t len)
{
	char copy[512];

	if (len >= sizeof(copy))
		len = sizeof(copy) - 1;
	memcpy(copy, text, len);
	copy[len] = '\0';
	return event_put_text(e, copy);
}

/* Where the JDK waits until it has the lock: not by tryLock(). */
static bool is_lock(const char *method)
{
	static const char *const locks[] = {
		"java.util.concurrent.locks.ReentrantLock.lock",
		"java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock.lock",
		"java.util.concurrent.locks.ReentrantReadWriteLock$WriteLock.lock",
	};

	for (size_t i = 0; i < sizeof(locks) / sizeof(*locks); i++) {
		if (strcmp(method, locks[i]) == 0)
			return true;
	}
	return false;
}

static bool is_future(const char *method)
{
	return strcmp(method, "java.util.concurrent.FutureTask.get") == 0 ||
	       strcmp(method, "java.util.concurrent.CompletableFuture.get") == 0 ||
	       strcmp(method, "java.util.concurrent.CompletableFuture.join") == 0;
}

static bool is_worker(const char *method)
{
	return strcmp(method, "java.util.concurrent.ThreadPoolExecutor.runWorker") == 0 ||
	       strcmp(method, "java.util.concurrent.ForkJoinPool.runWorker") == 0;
}

/* What the frames from the innermost on say. Returns the number of those of the JDK on top. */
static size_t read_frames(struct stand_in_dump *s, const struct event *e,
			  const struct jfrec_dumped_thread *t)
{
	bool in_worker = false;
	size_t jdk = t->frame_count;

	for (size_t i = 0; i < t->frame_count; i++) {
		char method[METHOD_MAX];

		frame_method(method, t->frames[i]);
		if (i < jdk && !is_jdk_method(method)) {
			jdk = i;
			s->place = event_put_text(e, method);
		}
		if (i < jdk && is_lock(method))
			s->in = STUCK_LOCK;
		else if (i < jdk && is_future(method) && s->in == STUCK_NOT)
			s->in = STUCK_FUTURE;
		in_worker |= is_worker(method);
	}
	/* Who asks for results outside of an executor has begun the work, and may wait for it long.
	 */
	if (s->in == STUCK_FUTURE && !in_worker)
		s->in = STUCK_NOT;
	return jdk;
}

static bool is_blocked(const struct jfrec_dumped_thread *t)
{
	return t->state && strcmp(t->state, "BLOCKED") == 0 && t->frame_count;
}

/* The class of what it waits for: of the JDK's code that it has called, or of its own monitor. */
static uint32_t class_of_lock(const struct event *e, const struct jfrec_dumped_thread *t,
			      size_t jdk)
{
	const char *name = t->lock.class_name;
	bool is_meant = t->wait == JFREC_WAIT_MONITOR || t->wait == JFREC_WAIT_LOCK ||
			t->wait == JFREC_WAIT_PARK;

	return name && is_meant && (t->lock.frame < jdk || (is_blocked(t) && t->lock.frame == 0))
		       ? put(e, name, strlen(name))
		       : 0;
}

static struct stand_in_dump stand_of(const struct event *e, const struct jfrec_dumped_thread *t)
{
	struct stand_in_dump s = {
		.stack = hash_text(t->stack, t->name),
		.name = put(e, t->name, strlen(t->name)),
		.pool = put(e, t->name, name_stem(t->name)),
		.in = is_blocked(t) ? STUCK_LOCK : STUCK_NOT,
	};
	size_t jdk = read_frames(&s, e, t);

	s.what = class_of_lock(e, t, jdk);
	/* Locks of the JDK's own threads are its own. */
	if (!s.place)
		s.in = STUCK_NOT;
	return s;
}

static void take_threads(struct stands *s, const struct event *e, const struct dump *d)
{
	for (size_t i = 0; i < d->count && s->count < MAX_THREADS; i++) {
		struct stand_in_dump t;

		if (!*d->threads[i].name)
			continue;
		t = stand_of(e, &d->threads[i]);
		if (!collect_push((void **)&s->threads, &s->count, &s->room, &t, sizeof(t)))
			event_no_memory(e);
	}
}

static void parse(struct stands *s, const struct event *e, const char *text)
{
	size_t len = strlen(text);
	char *copy = strdup(text);
	struct lines l = { .next = copy, .end = copy + len };
	struct dump d = { 0 };

	s->at_ns = e->start_ns;
	s->count = 0;
	if (copy && hotspot_read(&d, &l) && !d.no_memory) {
		dump_point(&d);
		dump_find_sites(&d);
		take_threads(s, e, &d);
	}
	if (!copy || d.no_memory)
		event_no_memory(e);
	dump_fini(&d);
	free(copy);
}

/*
 * Of many dumps not each that lies a little further out is read, since each may be long: from then
 * on, the first and the last are known to a sixteenth of the time between them.
 */
#define ALL_READ 64
#define PART	 16

static bool is_further(const struct dumps *d, int64_t by_ns)
{
	return d->count < ALL_READ || by_ns > (d->last.at_ns - d->first.at_ns) / PART;
}

void dumps_take(struct dumps *d, const struct event *e, unsigned field)
{
	int64_t at = e->start_ns;
	bool is_first = !d->count || (at < d->first.at_ns && is_further(d, d->first.at_ns - at));
	bool is_last = !d->count || (at > d->last.at_ns && is_further(d, at - d->last.at_ns));
	const char *text;

	text = is_first || is_last ? event_excerpt(e, field, DUMP, MAX_TEXT) : NULL;
	if (text && is_first)
		parse(&d->first, e, text);
	if (text && is_last)
		parse(&d->last, e, text);
	d->count += text != NULL;
}

void dumps_fini(struct dumps *d)
{
	collect_free(d->first.threads);
	collect_free(d->last.threads);
}

const struct stand_in_dump *dumps_standing(const struct dumps *d, size_t i)
{
	const struct stand_in_dump *t = &d->last.threads[i];

	for (size_t k = 0; t->in != STUCK_NOT && k < d->first.count; k++) {
		const struct stand_in_dump *before = &d->first.threads[k];

		if (before->stack == t->stack && before->name == t->name && before->in == t->in)
			return t;
	}
	return NULL;
}

bool dumps_pool_waits(const struct dumps *d, uint32_t pool)
{
	size_t waiting = 0;

	for (size_t i = 0; i < d->last.count; i++) {
		const struct stand_in_dump *t = &d->last.threads[i];

		if (t->pool == pool && t->in != STUCK_FUTURE)
			return false;
		waiting += t->pool == pool;
	}
	return waiting > 1;
}
