/* SPDX-License-Identifier: MIT */
/*
 * backoff.c - poll at growing intervals
 */
#include "process/backoff.h"

#include <poll.h>

#include "base/deadline.h"

bool backoff_wait(struct backoff *b, const struct process *p)
{
	static const int steps_ms[] = { 1, 2, 5, 10, 20, 40, 80, 160, 200 };
	const unsigned last = sizeof(steps_ms) / sizeof(*steps_ms) - 1;
	struct pollfd end = { .fd = p->pid_fd, .events = POLLIN };
	int left = deadline_left_ms(b->deadline);
	int wait = steps_ms[b->step];

	if (left == 0)
		return false;
	/* A descriptor below 0 is passed over, and then this only waits. */
	poll(&end, 1, wait < left ? wait : left);
	if (b->step < last)
		b->step++;
	return true;
}
