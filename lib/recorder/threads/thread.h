/* SPDX-License-Identifier: MIT */
/*
 * thread.h - what each thread has: its two writers, and its row in the region
 */
#ifndef JFREC_RECORDER_THREADS_THREAD_H
#define JFREC_RECORDER_THREADS_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/ground/region.h"

/* Where a thread writes its next event. */
struct writer {
	uint8_t *cur, *end; /* NULL: no buffer */
	struct event_buffer *buffer;
	volatile uint32_t is_busy; /* for handlers of signals that come meanwhile */
	uint32_t dry; /* of buffers_given(): then there was no buffer that is not a large one */
};

enum attached { THREAD_NEW, THREAD_ATTACHED, THREAD_LEAVING };

struct thread {
	struct writer usual, in_signal;
	uint64_t key;
	uint64_t end_of_stack;
	volatile enum attached state;
	uint32_t row;
	bool is_excluded; /* what it emits is neither recorded nor counted */
};

extern __thread struct thread thread __attribute__((tls_model("initial-exec")));

/* Before the first thread attaches, and in no signal handler. */
void thread_init(void);

/* Make this thread known to the recorder.  False: there is no room for it, or it ends. */
bool thread_attach(void);

/*
 * A buffer for an event of this size: the one of w, exchanged, or a big one.  NULL: none is free.
 */
struct event_buffer *thread_exchange(struct writer *w, size_t need);

/*
 * By the sampler: the row and key of a thread, whether it has emitted or not; and when it is not
 * sampled any more.
 */
bool thread_see(uint32_t tid, uint32_t *row, uint64_t *key);
void thread_unsee(uint32_t row, uint64_t key, bool has_ended);

/*
 * Start a thread of the recorder's own, in which no signal of the program is handled.  0 or errno.
 */
int thread_make(void *(*run)(void *));

/* The same with an argument. */
int thread_make_for(void *(*run)(void *), void *arg);

/* By a new thread: what it emits is neither recorded nor counted. */
void thread_exclude(void);

/* In the child of a fork(): this thread is the only one, and has nothing. */
void thread_forget(void);

/* By the drainer: a thread's name, as it is in the system if it has none of its own. */
void thread_read_name(struct thread_row *row, char name[THREAD_NAME]);

/* By the drainer, seldom: let go of what threads have that ended without a word. */
void thread_find_dead(void);

#endif
