/* SPDX-License-Identifier: MIT */
/*
 * received.h - the values of an event that is being delivered
 */
#ifndef JFREC_RECORDER_CONTROL_RECEIVED_H
#define JFREC_RECORDER_CONTROL_RECEIVED_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/jfrec-recorder.h"
#include "recorder/stack/unwind.h"
#include "recorder/types/interned_texts.h"
#include "recorder/types/types.h"

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
