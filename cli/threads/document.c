/* SPDX-License-Identifier: MIT */
/*
 * document.c - what thread dumps show, for programs
 *
 * Threads are named by their place in "threads".
 */
#include "threads/document.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "threads/changes.h"
#include "threads/findings.h"
#include "threads/phrases.h"

static json_t *number_or_null(size_t n)
{
	return n == SIZE_MAX ? json_null() : json_integer((json_int_t)n);
}

static json_t *ns_or_null(int64_t ns)
{
	return ns < 0 ? json_null() : json_integer(ns);
}

static json_t *numbers(const size_t *n, size_t count)
{
	json_t *list = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(list, json_integer((json_int_t)n[i]));
	return list;
}

static json_t *wait_json(enum jfrec_wait wait, const struct jfrec_lock *lock)
{
	return wait == JFREC_WAIT_NONE
		       ? json_null()
		       : json_pack("{s:s, s:o, s:o}", "kind", wait_name(wait), "lock", text_json(lock->id),
				   "class", text_json(lock->class_name));
}

/* Threads ---------------------------------------------------------------------------------------
 */

static json_t *held_json(const struct jfrec_dumped_thread *t)
{
	json_t *list = json_array();

	for (size_t i = 0; i < t->held_count; i++)
		json_array_append_new(list, json_pack("{s:o, s:o}", "lock", text_json(t->held[i].id), "class",
						      text_json(t->held[i].class_name)));
	return list;
}

/* Threads share most of their frames, so each is kept once, by itself as a key. */
static json_t *frame_json(json_t *frames, const char *frame)
{
	json_t *text = json_object_get(frames, frame);

	if (text)
		return json_incref(text);
	text = text_json(frame);
	json_object_set_nocheck(frames, frame, text);
	return text;
}

static json_t *stack_json(json_t *frames, const struct jfrec_dumped_thread *t)
{
	json_t *list = json_array();

	for (size_t i = 0; i < t->frame_count; i++)
		json_array_append_new(list, frame_json(frames, t->frames[i]));
	return list;
}

static json_t *stands_json(const struct threads_seen *s, size_t thread)
{
	const struct jfrec_thread_change *c = threads_seen_change(s, thread);

	return c ? json_boolean(c->stands) : json_null();
}

static json_t *thread_json(const struct threads_seen *s, json_t *frames, size_t i)
{
	const struct jfrec_dumped_thread *t = &s->last->threads[i];
	json_t *waits = wait_json(t->wait, &t->lock);

	if (json_is_object(waits))
		json_object_set_new(waits, "holder", number_or_null(t->holder));
	return json_pack("{s:o, s:o, s:o, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:I, s:o}", "name",
			 text_json(t->name), "javaThreadId",
			 t->id ? json_integer((json_int_t)t->id) : json_null(), "nativeId",
			 t->nid ? json_integer((json_int_t)t->nid) : json_null(), "daemon", t->daemon,
			 "virtual", t->is_virtual, "state", text_json(t->state), "cpuNanos",
			 ns_or_null(t->cpu_ns), "waitsFor", waits, "locks", held_json(t), "stands",
			 stands_json(s, i), "waiters", (json_int_t)t->waiters, "stack", stack_json(frames, t));
}

/* What they show --------------------------------------------------------------------------------
 */

static json_t *deadlock_json(const struct jfrec_deadlock *d)
{
	json_t *list = json_array();

	for (size_t i = 0; i < d->count; i++) {
		const struct jfrec_deadlocked *m = &d->threads[i];

		json_array_append_new(list, json_pack("{s:o, s:o, s:o, s:o}", "name", text_json(m->name),
						      "thread", number_or_null(m->thread), "waitsFor",
						      wait_json(m->wait, &m->lock), "heldBy",
						      text_json(m->holder)));
	}
	return json_pack("{s:b, s:b, s:o}", "reported", d->is_reported, "inferred", d->is_inferred,
			 "threads", list);
}

static json_t *pool_json(const struct jfrec_thread_pool *p)
{
	return json_pack("{s:o, s:o, s:I, s:b, s:o}", "name", text_json(p->name), "threads",
			 numbers(p->threads, p->count), "idle", (json_int_t)p->idle, "oneCall",
			 p->is_one_call, "site", text_json(p->site));
}

static json_t *group_json(const struct jfrec_thread_group *g)
{
	return json_pack("{s:o, s:o}", "name", text_json(g->name), "threads",
			 numbers(g->threads, g->count));
}

static json_t *finding_json(const struct threads_seen *s, const struct thread_finding *f)
{
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);
	json_t *o;

	if (to) {
		finding_put(to, s, f);
		fclose(to);
	}
	o = json_pack("{s:s, s:o, s:I}", "kind", finding_name(f->kind), "text", text_json(text ? text : ""),
		      "number", (json_int_t)f->number);
	free(text);
	return o;
}

static json_t *hot_json(const struct threads_seen *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->hot_count; i++)
		json_array_append_new(list, json_pack("{s:I, s:I}", "thread", (json_int_t)s->hot[i].thread,
						      "cpuNanos", (json_int_t)s->hot[i].cpu_ns));
	return list;
}

#define LIST(count, item)                                                                          \
	__extension__({                                                                            \
		json_t *list_ = json_array();                                                      \
                                                                                                   \
		for (size_t i = 0; i < (count); i++)                                               \
			json_array_append_new(list_, item);                                        \
		list_;                                                                             \
	})

void threads_to_json(const struct threads_seen *s, json_t *to)
{
	const struct jfrec_thread_dump *d = s->last;
	json_t *frames = json_object();

	json_object_set_new(to, "vm", text_json(d->vm));
	json_object_set_new(to, "time", text_json(d->time));
	json_object_set_new(to, "complete", json_boolean(!d->is_cut));
	json_object_set_new(to, "dumps", json_integer((json_int_t)jfrec_thread_dumps_count(s->dumps)));
	json_object_set_new(to, "findings", LIST(s->finding_count, finding_json(s, &s->findings[i])));
	json_object_set_new(to, "deadlocks", LIST(d->deadlock_count, deadlock_json(&d->deadlocks[i])));
	json_object_set_new(to, "cpuWindowNanos", s->window_ns ? json_integer(s->window_ns) : json_null());
	json_object_set_new(to, "cpu", hot_json(s));
	json_object_set_new(to, "pools", LIST(d->pool_count, pool_json(&d->pools[i])));
	json_object_set_new(to, "groups", LIST(d->group_count, group_json(&d->groups[i])));
	json_object_set_new(to, "threads", LIST(d->count, thread_json(s, frames, i)));
	json_decref(frames);
}
