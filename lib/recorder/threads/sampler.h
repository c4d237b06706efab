/* SPDX-License-Identifier: MIT */
/*
 * sampler.h - see where the program's threads spend their CPU time
 *
 * A signal on a thread's own CPU clock interrupts it; its handler copies the registers and a piece
 * of the stack into a slot, and nothing else.  A thread of the recorder's unwinds the copies.
 */
#ifndef JFREC_RECORDER_THREADS_SAMPLER_H
#define JFREC_RECORDER_THREADS_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/ground/bytes.h"

/*
 * Sample at this period of CPU time, and threads that wait at the other one; 0: not.  By the
 * engine, at any change.
 */
void sampler_set(uint64_t period_ns, uint64_t blocked_ns);

/* That will be the second one, soon: threads may begin to wait before. */
void sampler_expect(uint64_t blocked_ns);

/* Should threads store where they wait? */
extern _Atomic bool sampler_wants_waits;

/* Sample no more, and wait until there are no timers any more. */
void sampler_stop(void);

/* What the drainer writes of a sample. */
struct sample {
	uint64_t ticks, key; /* key: of the thread */
	uint32_t row, stack;
	bool is_blocked; /* the thread waits */
};

/* By the drainer, one at a time; false: there are no more. */
bool sampler_take(struct sample *s);

/* How many samples there are none of since the last call, and why. */
struct sampler_losses {
	uint64_t lost;	 /* no slot was free */
	uint64_t failed; /* the stack could not be copied, or there was no memory */
	uint64_t cut;	 /* taken, but without the outer frames */
};

void sampler_take_losses(struct sampler_losses *losses);

/* In the child of a fork(). */
void sampler_forget(void);

#endif
