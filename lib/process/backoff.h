/* SPDX-License-Identifier: MIT */
/*
 * backoff.h - poll at growing intervals
 */
#ifndef JFREC_PROCESS_BACKOFF_H
#define JFREC_PROCESS_BACKOFF_H

#include "process/process.h"

struct backoff {
	int64_t deadline; /* deadline.h */
	unsigned step;
};

/*
 * Wait for 1, 2, 5, 10, 20, 40 ... 200 ms, for less if the deadline comes or the process ends.
 * False if the deadline has passed.
 */
bool backoff_wait(struct backoff *b, const struct process *p);

#endif
