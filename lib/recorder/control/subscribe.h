/* SPDX-License-Identifier: MIT */
/*
 * subscribe.h - deliver events to functions of the program
 *
 * The drainer copies what it has written to the chunk into a queue of each subscription, and a thread
 * of the subscription calls the program's functions.  A queue that is full loses events, which are
 * counted: the drainer waits for nobody.  Its locks are taken under the engine's, never around it.
 */
#ifndef JFREC_RECORDER_CONTROL_SUBSCRIBE_H
#define JFREC_RECORDER_CONTROL_SUBSCRIBE_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/jfrec-recorder.h"
#include "recorder/stack/unwind.h"
#include "recorder/types/texts.h"
#include "recorder/types/types.h"

/* By the drainer: whole events; row: that of their thread, if they have one, and its key; else 0, 0. */
void subscriptions_offer(const uint8_t *events, size_t size, uint32_t row, uint64_t key);

/*
 * What was offered is in a chunk, and is delivered; or it is not, and will be offered again.  horizon:
 * when the drainer began to look at buffers; all that ended before was offered.
 */
void subscriptions_commit(uint64_t horizon);
void subscriptions_undo(void);

/* What was offered is in a chunk, but more of that time is to come: it is delivered with the next commit. */
void subscriptions_keep(void);

/* That recording has ended: a subscription of it does, too. */
void subscriptions_end(uint64_t recording);

/* The process ends: no function of the program is called any more. */
void subscriptions_silence(void);

/* In the child of a fork(): there are none. */
void subscriptions_forget(void);

/* An event that is being delivered. */
union received_value {
	int64_t number;
	double real;
	const char *text;
};

struct jfrec_received {
	const struct type *type;
	uint64_t start, duration;
	uint64_t key; /* of its thread, or of the one that was sampled; 0: none */
	uint32_t tid; /* 0: that thread is not known */
	char thread[THREAD_NAME];
	union received_value values[MOST_FIELDS];
	char (*interned)[MOST_TEXT + 1]; /* MOST_FIELDS of them */
	struct jfrec_stack_frame frames[UNWIND_FRAMES];
	size_t frame_count;
	bool is_whole;
};

/* Take an event apart, of which texts are terminated in place.  False: it is none. */
bool received_take(struct jfrec_received *r, uint8_t *event, size_t size);

/* The size, the type and the end of an event.  0: it is none, or longer than left. */
size_t received_look(const uint8_t *event, size_t left, uint32_t *type, uint64_t *end_ticks);

#endif
