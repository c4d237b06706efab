/* SPDX-License-Identifier: MIT */
/*
 * event.c - begin and commit one event, in any thread, at any time
 *
 * Nothing here waits, allocates or fails.  Between open and close the writer is busy: a signal
 * handler that emits meanwhile uses the thread's second writer.  The event exists from the store of
 * the buffer's pos on; if the thread is cancelled before, it never was.
 */
#include <string.h>

#include "recorder/control/environment.h"
#include "recorder/ground/bytes.h"
#include "recorder/ground/clock.h"
#include "recorder/ground/memory.h"
#include "recorder/jfrec-recorder.h"
#include "recorder/stack/recall.h"
#include "recorder/stack/traces.h"
#include "recorder/stack/walk.h"
#include "recorder/threads/losses.h"
#include "recorder/threads/thread.h"
#include "recorder/types/types.h"

/* Size, type, start, duration, thread, stack. */
#define HEAD	     (4 + 2 + 9 + 9 + 9 + 3)
#define MOST_STRING  32767u
#define SHORT_EVENTS 128u

uint64_t jfrec_recorder_now(void)
{
	return clock_ticks();
}

/* A child that clone() made has its parent's books, which are not its own. */
static bool lose(const struct writer *w, uint32_t id, size_t bytes)
{
	if (memory_is_here() && !thread.is_excluded)
		losses_add(w, id, bytes);
	return false;
}

/* Where there is room for it; the pen knows where. */
static bool find_room(struct jfrec_event_pen *pen, struct writer *w, size_t need)
{
	struct event_buffer *b = w->buffer;

	if ((size_t)(w->end - w->cur) < need) {
		/* Where many are lost, each costs less than one that is written. */
		if (w->dry == buffers_given() && need <= BUFFER_ROOM)
			return false;
		b = thread_exchange(w, need);
		if (!b)
			return false;
	}
	pen->buffer = b;
	pen->start = b == w->buffer ? w->cur : b->data;
	pen->end = b == w->buffer ? w->end : b->data + b->size;
	return true;
}

__attribute__((noinline)) static uint64_t walk_now(const struct called_from *from)
{
	struct frames frames NOT_CLEARED;
	struct visited visited NOT_CLEARED;
	uint64_t key;

	walk(from, thread.end_of_stack, &frames, &visited);
	key = traces_add(&frames);
	recall_later(from, thread.end_of_stack, &visited, key);
	return key;
}

__attribute__((noinline)) static uint64_t trace(struct called_from from)
{
	uint64_t key;

	if (!CAN_WALK)
		return 0;
	key = recall(&from, thread.end_of_stack);
	return key ? key : walk_now(&from);
}

bool jfrec_event_open(struct jfrec_event_pen *pen, const struct jfrec_event_type *type,
		      uint64_t begin, size_t room)
{
	uint64_t start = 0, duration = 0, stack = 0;
	bool has_duration = type->flags & JFREC_EVENT_HAS_DURATION;
	struct writer *w = &thread.usual;
	uint32_t id = __atomic_load_n(&type->id, __ATOMIC_RELAXED);
	uint8_t *at, traced;

	if (!id || id >= EVENT_TYPES || !region)
		return false;
	traced = atomic_load_explicit(&type_stack[id], memory_order_relaxed);
	if (has_duration) {
		uint64_t now = clock_ticks();

		duration = now > begin ? now - begin : 0;
		start = begin;
		if (duration < atomic_load_explicit(&type_threshold_ns[id], memory_order_relaxed))
			return false;
	}
	if (w->is_busy)
		w = &thread.in_signal;
	if (w->is_busy)
		return lose(NULL, id, room);
	w->is_busy = 1;
	atomic_signal_fence(memory_order_seq_cst);
	if (!find_room(pen, w, room + HEAD)) {
		lose(w, id, room);
		atomic_signal_fence(memory_order_seq_cst);
		w->is_busy = 0;
		return false;
	}
	/* Not before: no one needs the time of what is lost. */
	if (!has_duration)
		start = clock_ticks();
	if (traced == STACK_ON)
		stack = trace(called_from());
	pen->writer = w;
	pen->type = id;
	pen->is_full = false;
	pen->is_long = room + HEAD >= SHORT_EVENTS;
	at = jfrec_event_varint_(pen->start + (pen->is_long ? 4 : 1), id);
	at = jfrec_event_varint_(at, start);
	if (has_duration)
		at = jfrec_event_varint_(at, duration);
	at = jfrec_event_varint_(at, thread.key);
	if (traced != STACK_NEVER)
		at = jfrec_event_varint_(at, stack);
	pen->at = at;
	return true;
}

bool jfrec_event_is_due(const struct jfrec_event_type *type, uint64_t duration_ns)
{
	uint32_t id = __atomic_load_n(&type->id, __ATOMIC_RELAXED);

	return id && id < EVENT_TYPES &&
	       duration_ns >= atomic_load_explicit(&type_threshold_ns[id], memory_order_relaxed);
}

void jfrec_event_close(struct jfrec_event_pen *pen)
{
	struct writer *w = pen->writer;
	struct event_buffer *b = pen->buffer;
	size_t size = (size_t)(pen->at - pen->start);
	bool is_big = b != w->buffer,
	     is_bad = pen->is_full || (!pen->is_long && size >= SHORT_EVENTS);

	if (is_bad) {
		lose(w, pen->type, size);
	} else {
		if (pen->is_long)
			put_padded(pen->start, size);
		else
			pen->start[0] = (uint8_t)size;
		if (!is_big)
			w->cur = pen->at;
		atomic_store_explicit(&b->pos, (uint32_t)(pen->at - b->data), memory_order_release);
	}
	if (is_big)
		buffer_push_full(b);
	atomic_signal_fence(memory_order_seq_cst);
	w->is_busy = 0;
}

/* Its length is taken here again: another thread may have changed the text. */
void jfrec_event_put_string(struct jfrec_event_pen *pen, const char *text)
{
	size_t len = text ? strnlen(text, MOST_STRING + 1) : 0;

	if (len > MOST_STRING)
		for (len = MOST_STRING; len && ((unsigned char)text[len] & 0xc0) == 0x80;)
			len--;
	if (!jfrec_event_has_room_(pen, (ptrdiff_t)len + 6))
		return;
	*pen->at++ = !text ? 0 : !len ? 1 : 3;
	if (!len)
		return;
	pen->at = jfrec_event_varint_(pen->at, len);
	memcpy(pen->at, text, len);
	pen->at += len;
}

/* Here, so that a program that is linked statically has it if it has events. */
__attribute__((constructor)) static void start_by_environment(void)
{
	environment_start();
}
