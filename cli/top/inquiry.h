/* SPDX-License-Identifier: MIT */
/*
 * inquiry.h - ask in a child, which may take its time, or read what a stranger wrote
 *
 *	inquiry_begin(&q, ask, ctx, wait_fd) --> wait_fd can be read --> inquiry_take(&q)
 *
 * The child tells its answer as one document of JSON. Its parent goes on to draw, and keeps the
 * rights that it needs for the next child.
 */
#ifndef JFREC_CLI_TOP_INQUIRY_H
#define JFREC_CLI_TOP_INQUIRY_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/grown_text.h"

/* All zero at first. */
struct inquiry {
	pid_t child; /* 0: none is at work */
	int fd;
	int64_t until_ns; /* monotonic: then it is given up */
	struct grown_text text;
};

/* What the child does: returns the answer, or NULL. */
typedef json_t *inquiry_fn(void *ctx);

/*
 * Start a child, for which the descriptor of an epoll becomes readable (-1: none).  patience_ns:
 * the time that it has. False: no process, or no descriptor.
 */
bool inquiry_begin(struct inquiry *q, inquiry_fn *ask, void *ctx, int wait_fd, int64_t patience_ns);

/* Is a child at work? */
static inline bool inquiry_is_open(const struct inquiry *q)
{
	return q->child > 0;
}

/*
 * See how far it is, without waiting. True: it is through, or out of time, and *answer, which is
 * then the caller's, is what it said, or NULL. It is hostile.
 */
bool inquiry_take(struct inquiry *q, json_t **answer);

/* End its child, if there is one. */
void inquiry_end(struct inquiry *q);

#endif
