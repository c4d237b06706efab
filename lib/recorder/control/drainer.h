/* SPDX-License-Identifier: MIT */
/*
 * drainer.h - the threads that empty the buffers, nearly always one
 */
#ifndef JFREC_RECORDER_CONTROL_DRAINER_H
#define JFREC_RECORDER_CONTROL_DRAINER_H

#include <stdbool.h>
#include <stdint.h>

enum round { ROUND_OVER, ROUND_FAILED, ROUND_LEFT_SOME, ROUND_TOOK_ALL };

/* What it does, unless drainer_is_over(life). */
struct drainer_work {
	enum round (*write)(uint32_t life, uint32_t most); /* at most so many full buffers */
	uint64_t (*flush_ns)(void);			   /* how often all is written */
	void (*go_on)(uint32_t life);  /* a moment after the start */
	void (*listen)(uint32_t life); /* after some more */
	void (*settle)(uint32_t life); /* there is an event, or some more time has passed */
};

/* Start it.  0 or errno. */
int drainer_start(const struct drainer_work *work);

/*
 * By a thread of the recorder's own: the next start that it makes has no other thread, which the
 * program may not allow any more (RLIMIT_NPROC), and drainer_work() has to be called then.  It
 * returns when that is halted.
 */
void drainer_lend(void);
void drainer_work(void);

/*
 * It writes no more: under the lock that its writing takes.  Its threads end soon, and need
 * nothing.
 */
void drainer_halt(void);

/* Was it halted, that one which has this number? */
bool drainer_is_over(uint32_t life);

/* In the child of a fork(): it has no threads. */
void drainer_forget(void);

#endif
