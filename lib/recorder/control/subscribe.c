/* SPDX-License-Identifier: MIT */
/*
 * subscribe.c - deliver events to functions of the program
 *
 * The drainer walks buffers, so events come in no order: each flush is sorted by time.  What ended
 * after the drainer began to walk is held back, since what was before it may come with the next
 * flush.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "recorder/control/control.h"
#include "recorder/control/subscriptions.h"
#include "recorder/ground/bytes.h"
#include "recorder/ground/clock.h"
#include "recorder/ground/memory.h"
#include "recorder/ground/pin.h"
#include "recorder/threads/thread.h"

#define USUAL_QUEUE (1u << 20)
#define LEAST_QUEUE (64u << 10)
#define MOST_QUEUE  (1u << 30)

static __thread struct jfrec_subscription *own; /* whose thread this is */

/* The thread of a subscription ----------------------------------------------------------------- */

/* Take what was committed; what is being offered now goes on in the other queue. */
static void exchange(struct jfrec_subscription *s)
{
	struct queue full = s->filling, empty = s->emptying;
	size_t rest = full.size - full.committed;

	memcpy(empty.data, full.data + full.committed, rest);
	empty.size = rest;
	empty.committed = empty.committed_lost = 0;
	empty.lost = full.lost - full.committed_lost;
	s->filling = empty;
	s->emptying = full;
	if (!rest)
		s->last_key = 0;
}

static bool is_over(const struct jfrec_subscription *s)
{
	return s->is_closed_by_itself || subscriptions_are_silent();
}

static bool add_item(struct jfrec_subscription *s, struct item item)
{
	size_t wanted = s->item_room ? 2 * s->item_room : 1024;
	struct item *grown;

	if (s->item_count == s->item_room) {
		grown = reallocarray(s->items, wanted, sizeof(*grown));
		if (!grown)
			return false;
		s->items = grown;
		s->item_room = wanted;
	}
	item.order = (uint32_t)s->item_count;
	s->items[s->item_count++] = item;
	return true;
}

/* List the events of a piece of memory.  *emitter: where the last thread is named. */
static void list(struct jfrec_subscription *s, uint8_t *data, size_t size, const uint8_t **emitter)
{
	uint32_t n, tid, type;
	struct item item;

	for (size_t at = 0; at < size; at += QUEUE_HEAD + ((n + 7u) & ~(size_t)7)) {
		memcpy(&n, data + at, sizeof(n));
		memcpy(&tid, data + at + 4, sizeof(tid));
		if (tid != QUEUE_EVENT) {
			*emitter = data + at;
			continue;
		}
		item = (struct item){ .event = data + at + QUEUE_HEAD,
				      .thread = *emitter,
				      .size = n };
		if (!received_look(item.event, n, &type, &item.end_ticks) || !add_item(s, item))
			s->lost++;
	}
}

static int by_time(const void *x, const void *y)
{
	const struct item *a = x, *b = y;

	if (a->end_ticks != b->end_ticks)
		return a->end_ticks < b->end_ticks ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static void deliver_one(struct jfrec_subscription *s, const struct item *item)
{
	struct emitter emitter = { 0 };

	if (!s->options.on_event || !received_take(&s->event, item->event, item->size))
		return;
	if (item->thread)
		memcpy(&emitter, item->thread + QUEUE_HEAD, sizeof(emitter));
	s->event.tid = 0;
	if (emitter.key && emitter.key == s->event.key) {
		memcpy(&s->event.tid, item->thread + 4, sizeof(s->event.tid));
		memcpy(s->event.thread, emitter.name, THREAD_NAME);
	}
	s->options.on_event(s->options.ctx, &s->event);
}

static void hold(struct jfrec_subscription *s, const struct item *item)
{
	static const uint8_t zeros[8];
	uint32_t head[2] = { item->size, QUEUE_EVENT };
	size_t before = s->holding.size;

	if (item->thread)
		bytes_add(&s->holding, item->thread, QUEUE_HEAD + sizeof(struct emitter));
	bytes_add(&s->holding, head, sizeof(head));
	bytes_add(&s->holding, item->event, item->size);
	bytes_add(&s->holding, zeros, -item->size & 7u);
	if (!s->holding.failed)
		return;
	s->holding.failed = false;
	s->holding.size = before;
	s->lost++;
}

/* What was held back, and what the queue has: up to the horizon in the order of time. */
static void deliver(struct jfrec_subscription *s, uint64_t horizon)
{
	const uint8_t *emitter = s->last_emitter;
	struct bytes held = s->held;

	s->item_count = 0;
	types_lock();
	/* Each of them says its thread. */
	list(s, held.data, held.size, &emitter);
	emitter = s->last_emitter;
	list(s, s->emptying.data, s->emptying.committed, &emitter);
	types_unlock();
	if (s->item_count)
		qsort(s->items, s->item_count, sizeof(*s->items), by_time);
	s->holding.size = 0;
	for (size_t i = 0; i < s->item_count && !is_over(s); i++) {
		if (s->items[i].end_ticks < horizon)
			deliver_one(s, &s->items[i]);
		else
			hold(s, &s->items[i]);
	}
	if (emitter != s->last_emitter)
		memcpy(s->last_emitter, emitter, sizeof(s->last_emitter));
	s->lost += s->emptying.committed_lost;
	s->emptying.committed = s->emptying.committed_lost = 0;
	s->held = s->holding;
	s->holding = held;
	if (s->options.on_flush && !is_over(s))
		s->options.on_flush(s->options.ctx, s->lost);
	s->lost = 0;
}

/* Wait for a flush.  False: there is nothing to come. */
static bool next_flush(struct jfrec_subscription *s, uint64_t *horizon)
{
	bool more;

	pthread_mutex_lock(&s->lock);
	while (s->flushes == s->flushes_told && !s->is_closing && !s->has_ended)
		pthread_cond_wait(&s->changed, &s->lock);
	more = s->flushes != s->flushes_told;
	s->flushes_told = s->flushes;
	*horizon = s->horizon;
	if (more)
		exchange(s);
	pthread_mutex_unlock(&s->lock);
	return more;
}

static void subscription_free(struct jfrec_subscription *s)
{
	settings_fini(&s->names);
	free(s->filling.data);
	free(s->emptying.data);
	free(s->event.interned);
	free(s->items);
	bytes_fini(&s->held);
	bytes_fini(&s->holding);
	pthread_mutex_destroy(&s->lock);
	pthread_cond_destroy(&s->changed);
	free(s);
}

static void stop_recording(struct jfrec_subscription *s)
{
	char id[24];
	uint64_t size;

	snprintf(id, sizeof(id), "%llu", (unsigned long long)s->recording);
	/* It may have been stopped already. */
	control_stop(id, NULL, &size, NULL);
	subscriptions_remove(s);
}

static void *run(void *arg)
{
	struct jfrec_subscription *s = arg;
	uint64_t horizon;

	prctl(PR_SET_NAME, "JFR Subscriber");
	/* Events that the program's functions emit are not recorded: each would lead to another. */
	thread_exclude();
	own = s;
	while (!is_over(s) && next_flush(s, &horizon))
		deliver(s, horizon);
	if (!is_over(s) && s->held.size)
		deliver(s, UINT64_MAX);
	if (s->options.on_close && !subscriptions_are_silent())
		s->options.on_close(s->options.ctx);
	own = NULL;
	if (s->is_closed_by_itself) {
		stop_recording(s);
		subscription_free(s);
		return NULL;
	}
	/* From the unlocking on it may not exist any more. */
	pthread_mutex_lock(&s->lock);
	s->is_done = true;
	pthread_cond_signal(&s->changed);
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

/* Opening and closing -------------------------------------------------------------------------- */

static int take_setting(struct jfrec_subscription *s, struct settings *settings, char *word,
			struct jfrec_recorder_error *err)
{
	char *hash = strchr(word, '#'), *equals = hash ? strchr(hash, '=') : NULL;

	if (hash && !equals)
		return recorder_fail(err, EINVAL, "'%s' has no value; write EVENT#SETTING=VALUE", word);
	if (hash) {
		*hash++ = *equals++ = '\0';
		if (!setting_is_known(hash) || !setting_is_valid(hash, equals))
			return recorder_fail(err, EINVAL,
					     "%s#%s=%s is invalid; write threshold=10ms or period=1s", word, hash,
					     equals);
	}
	if (settings_add(settings, word, "enabled", "true") || settings_add(&s->names, word, "enabled", "true") ||
	    (hash && settings_add(settings, word, hash, equals)))
		return recorder_fail(err, ENOMEM, "no memory for a subscription");
	return 0;
}

/* Its events alone are enabled; or, if it names none, all that are by themselves. */
static int take_events(struct jfrec_subscription *s, struct settings *settings,
		       struct jfrec_recorder_error *err)
{
	char *copy = s->options.events ? strdup(s->options.events) : NULL, *rest = NULL;
	int ret = 0;

	if (!s->options.events)
		return 0;
	if (!copy || settings_add(settings, "*", "enabled", "false"))
		ret = recorder_fail(err, ENOMEM, "no memory for a subscription");
	for (char *word = copy ? strtok_r(copy, ",", &rest) : NULL; word && !ret;
	     word = strtok_r(NULL, ",", &rest))
		ret = take_setting(s, settings, word, err);
	free(copy);
	if (!ret && !s->names.count)
		ret = recorder_fail(err, EINVAL, "a subscription needs the name of an event; NULL is all");
	return ret;
}

static struct jfrec_subscription *subscription_new(const struct jfrec_subscription_options *o)
{
	struct jfrec_subscription *s = calloc(1, sizeof(*s));

	pin_own_module();
	if (!s)
		return NULL;
	memcpy(&s->options, o, o->struct_size < sizeof(*o) ? o->struct_size : sizeof(*o));
	s->room = s->options.queue_size ? s->options.queue_size : USUAL_QUEUE;
	if (s->room < LEAST_QUEUE)
		s->room = LEAST_QUEUE;
	if (s->room > MOST_QUEUE)
		s->room = MOST_QUEUE;
	s->filling.data = malloc(s->room);
	s->emptying.data = malloc(s->room);
	s->event.interned = calloc(MOST_FIELDS, sizeof(*s->event.interned));
	s->pid = getpid();
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->changed, NULL);
	if (s->filling.data && s->emptying.data && s->event.interned)
		return s;
	subscription_free(s);
	return NULL;
}

/* It is in the list before its recording begins: so nothing of that is missing. */
static int begin(struct jfrec_subscription *s, const struct settings *settings,
		 struct jfrec_recorder_error *err)
{
	/* Of what is finished no chunk is kept. */
	struct recording_options w = { .name = "subscription",
				       .settings = settings,
				       .max_size = 1,
				       .flush_ns = s->options.flush_ns };
	int failed;

	s->from_ticks = region ? clock_ticks() : 0;
	subscriptions_add(s);
	if (control_start(&w, &s->recording, err)) {
		subscriptions_remove(s);
		return -1;
	}
	failed = thread_make_for(run, s);
	if (!failed)
		return 0;
	stop_recording(s);
	return recorder_fail(err, failed, "cannot start the thread of a subscription: %s", strerror(failed));
}

struct jfrec_subscription *jfrec_subscription_open(const struct jfrec_subscription_options *options,
						   struct jfrec_recorder_error *err)
{
	struct jfrec_subscription *s = subscription_new(options);
	struct settings settings = { 0 };
	int ret;

	if (!s) {
		recorder_fail(err, ENOMEM, "no memory for a subscription");
		return NULL;
	}
	ret = take_events(s, &settings, err);
	if (!ret)
		ret = begin(s, &settings, err);
	settings_fini(&settings);
	if (!ret)
		return s;
	subscription_free(s);
	return NULL;
}

void jfrec_subscription_close(struct jfrec_subscription *s)
{
	/* In the child of a fork() it has no thread, and its locks may be held forever. */
	if (!s || s->pid != getpid())
		return;
	if (own == s) {
		s->is_closed_by_itself = true;
		return;
	}
	/* The last flush is that of the end of its recording. */
	stop_recording(s);
	pthread_mutex_lock(&s->lock);
	s->is_closing = true;
	pthread_cond_broadcast(&s->changed);
	while (!s->is_done)
		pthread_cond_wait(&s->changed, &s->lock);
	pthread_mutex_unlock(&s->lock);
	subscription_free(s);
}
