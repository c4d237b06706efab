/* SPDX-License-Identifier: MIT */
/*
 * subscriptions.c - all subscriptions, and the queue of events that each has
 */
#include "recorder/control/subscriptions.h"

#include <string.h>

#include "recorder/ground/memory.h"
#include "recorder/threads/thread.h"

static struct {
	pthread_mutex_t lock;
	struct jfrec_subscription *first;
	_Atomic uint32_t count;
	_Atomic bool is_silent;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

static bool is_wanted(struct jfrec_subscription *s, uint32_t id)
{
	const struct type *t;

	if (s->wanted[id] != WANTED_UNKNOWN)
		return s->wanted[id] == WANTED;
	t = types_get(id);
	s->wanted[id] = s->names.count ? UNWANTED : WANTED;
	for (size_t i = 0; t && i < s->names.count; i++)
		if (!strcmp(s->names.rows[i].event, "*") || !strcmp(s->names.rows[i].event, t->name))
			s->wanted[id] = WANTED;
	return s->wanted[id] == WANTED;
}

static bool put(struct jfrec_subscription *s, uint32_t size, uint32_t tid, const void *data)
{
	struct queue *q = &s->filling;
	size_t padded = (size + 7u) & ~(size_t)7;

	if (padded + QUEUE_HEAD > s->room - q->size)
		return false;
	memcpy(q->data + q->size, &size, sizeof(size));
	memcpy(q->data + q->size + 4, &tid, sizeof(tid));
	memcpy(q->data + q->size + QUEUE_HEAD, data, size);
	q->size += QUEUE_HEAD + padded;
	return true;
}

/* Before the first event of another thread. */
static bool put_thread(struct jfrec_subscription *s, uint32_t row, uint64_t key)
{
	uint32_t tid = atomic_load(&memory_row(row)->tid);
	struct emitter emitter = { .key = key };

	if (!key || key == s->last_key)
		return true;
	thread_read_name(memory_row(row), emitter.name);
	if (!put(s, sizeof(emitter), tid ? tid : 1, &emitter))
		return false;
	s->last_key = key;
	return true;
}

static void offer(struct jfrec_subscription *s, const uint8_t *events, size_t size, uint32_t row,
		  uint64_t key)
{
	uint64_t end;
	uint32_t id;

	for (size_t at = 0, n; at < size; at += n) {
		n = received_look(events + at, size - at, &id, &end);
		if (!n)
			return;
		if (!is_wanted(s, id) || end < s->from_ticks)
			continue;
		if (!put_thread(s, row, key) || !put(s, (uint32_t)n, QUEUE_EVENT, events + at))
			s->filling.lost++;
	}
}

void subscriptions_offer(const uint8_t *events, size_t size, uint32_t row, uint64_t key)
{
	if (!atomic_load_explicit(&all.count, memory_order_relaxed))
		return;
	pthread_mutex_lock(&all.lock);
	types_lock();
	for (struct jfrec_subscription *s = all.first; s; s = s->next) {
		pthread_mutex_lock(&s->lock);
		offer(s, events, size, row, key);
		pthread_mutex_unlock(&s->lock);
	}
	types_unlock();
	pthread_mutex_unlock(&all.lock);
}

static void keep(struct jfrec_subscription *s)
{
	s->filling.committed = s->filling.size;
	s->filling.committed_lost = s->filling.lost;
}

static void tell(struct jfrec_subscription *s, uint64_t horizon)
{
	keep(s);
	s->flushes++;
	s->horizon = horizon;
	pthread_cond_signal(&s->changed);
}

static void undo(struct jfrec_subscription *s)
{
	s->filling.size = s->filling.committed;
	s->filling.lost = s->filling.committed_lost;
	s->last_key = 0;
}

enum settled { KEPT, TOLD, UNDONE };

static void settle(enum settled how, uint64_t horizon)
{
	if (!atomic_load_explicit(&all.count, memory_order_relaxed))
		return;
	pthread_mutex_lock(&all.lock);
	for (struct jfrec_subscription *s = all.first; s; s = s->next) {
		pthread_mutex_lock(&s->lock);
		if (how == KEPT)
			keep(s);
		else if (how == TOLD)
			tell(s, horizon);
		else
			undo(s);
		pthread_mutex_unlock(&s->lock);
	}
	pthread_mutex_unlock(&all.lock);
}

void subscriptions_commit(uint64_t horizon)
{
	settle(TOLD, horizon);
}

void subscriptions_keep(void)
{
	settle(KEPT, 0);
}

void subscriptions_undo(void)
{
	settle(UNDONE, 0);
}

void subscriptions_end(uint64_t recording)
{
	pthread_mutex_lock(&all.lock);
	for (struct jfrec_subscription *s = all.first; s; s = s->next) {
		if (s->recording != recording)
			continue;
		pthread_mutex_lock(&s->lock);
		s->has_ended = true;
		pthread_cond_signal(&s->changed);
		pthread_mutex_unlock(&s->lock);
	}
	pthread_mutex_unlock(&all.lock);
}

void subscriptions_silence(void)
{
	atomic_store(&all.is_silent, true);
}

/* Other threads of the parent may hold the locks: what there is is left alone. */
void subscriptions_forget(void)
{
	all.first = NULL;
	atomic_store(&all.count, 0);
	pthread_mutex_init(&all.lock, NULL);
}

bool subscriptions_are_silent(void)
{
	return atomic_load(&all.is_silent);
}

void subscriptions_add(struct jfrec_subscription *s)
{
	pthread_mutex_lock(&all.lock);
	s->next = all.first;
	all.first = s;
	atomic_fetch_add(&all.count, 1);
	pthread_mutex_unlock(&all.lock);
}

void subscriptions_remove(struct jfrec_subscription *s)
{
	pthread_mutex_lock(&all.lock);
	for (struct jfrec_subscription **at = &all.first; *at; at = &(*at)->next) {
		if (*at == s) {
			*at = s->next;
			atomic_fetch_sub(&all.count, 1);
			break;
		}
	}
	pthread_mutex_unlock(&all.lock);
}
