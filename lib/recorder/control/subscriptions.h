/* SPDX-License-Identifier: MIT */
/*
 * subscriptions.h - all subscriptions, and the queue of events that each has
 *
 * The drainer copies what it has written to the chunk into a queue of each subscription, and a
 * thread of the subscription calls the program's functions.  A queue that is full loses events,
 * which are counted: the drainer never waits.  Its locks are taken under the engine's, never around
 * it.
 *
 * A queue is a piece of memory that the drainer fills and the thread of the subscription empties as
 * a whole, by exchanging it for another one:
 *
 *	u32 size, u32 0, event            an event
 *	u32 size, u32 tid, struct emitter    the thread that emitted those that follow
 */
#ifndef JFREC_RECORDER_CONTROL_SUBSCRIPTIONS_H
#define JFREC_RECORDER_CONTROL_SUBSCRIPTIONS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "recorder/control/received.h"
#include "recorder/ground/bytes.h"
#include "recorder/types/settings.h"
#include "recorder/types/types.h"

/* What an entry of a queue begins with. */
#define QUEUE_HEAD  8u
#define QUEUE_EVENT 0u

enum wanted { WANTED_UNKNOWN, WANTED, UNWANTED };

struct emitter {
	uint64_t key;
	char name[THREAD_NAME];
};

struct queue {
	uint8_t *data;
	size_t size, committed;
	uint64_t lost, committed_lost; /* events */
};

/* An event of a batch, and where its thread is named; NULL: nowhere. */
struct item {
	uint64_t end_ticks;
	uint8_t *event;
	const uint8_t *thread;
	uint32_t size, order;
};

struct jfrec_subscription {
	struct jfrec_subscription *next;
	struct jfrec_subscription_options options;
	struct settings names; /* rows of its events; none: it wants all */
	uint64_t recording, from_ticks;
	pid_t pid;
	size_t room;

	/* Of the drainer. */
	uint8_t wanted[EVENT_TYPES];
	uint64_t last_key; /* of the thread that was named last in this queue; 0: none */

	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct queue filling, emptying;
	uint64_t flushes, flushes_told, horizon;
	bool is_closing, has_ended, is_done;

	/* Of its thread. */
	bool is_closed_by_itself; /* the program's function has closed it */
	struct item *items;
	size_t item_count, item_room;
	struct bytes held, holding; /* in the form of a queue */
	uint8_t last_emitter[QUEUE_HEAD + sizeof(struct emitter)];
	uint64_t lost; /* for want of memory */
	struct jfrec_received event;
};

/*
 * By the drainer: whole events; row: that of their thread, if they have one, and its key; else 0,
 * 0.
 */
void subscriptions_offer(const uint8_t *events, size_t size, uint32_t row, uint64_t key);

/*
 * What was offered is in a chunk, and is delivered; or it is not, and will be offered again.
 * horizon: when the drainer began to look at buffers; all that ended before was offered.
 */
void subscriptions_commit(uint64_t horizon);
void subscriptions_undo(void);

/*
 * What was offered is in a chunk, but more of that time is to come: it is delivered with the next
 * commit.
 */
void subscriptions_keep(void);

/* That recording has ended: a subscription of it does, too. */
void subscriptions_end(uint64_t recording);

/* The process ends: no function of the program is called any more. */
void subscriptions_silence(void);

/* In the child of a fork(): there are none. */
void subscriptions_forget(void);

/* A subscription enters the list: from now on it is offered events.  And leaves it. */
void subscriptions_add(struct jfrec_subscription *s);
void subscriptions_remove(struct jfrec_subscription *s);

/* Has the process come to its end? */
bool subscriptions_are_silent(void);

#endif
