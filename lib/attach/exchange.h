/* SPDX-License-Identifier: MIT */
/*
 * exchange.h - send one request to a JVM and read its reply
 */
#ifndef JFREC_ATTACH_EXCHANGE_H
#define JFREC_ATTACH_EXCHANGE_H

#include "attach/wire.h"
#include "process/process.h"

struct exchange {
	int fd;			 /* connected, not blocking */
	struct process *process; /* the one at its other end; refreshed at the end */
	int64_t deadline;	 /* deadline.h */
};

/*
 * Send the request and pass on the payload of the reply as it comes.  *status is set
 * before the first of it.
 *
 * 0 with *status set, when the reply came to its end and the process is still
 * there; or -1 with *err set: JFREC_ETIMEOUT (also at once, if it is stopped meanwhile),
 * JFREC_EDIED, JFREC_EPERMISSION (hung up without a word), JFREC_EATTACH (no reply of a JVM),
 * JFREC_EOUTPUT, JFREC_EIO.
 */
int exchange_run(const struct exchange *x, const struct wire_request *request,
		 jfrec_write_fn *write, void *ctx, int *status, struct jfrec_error *err);

/*
 * Before connecting: would the process reply?  One that is stopped takes connections until its
 * backlog is full, and carries out later what no client waits for any more.  0, or -1 with *err
 * set: JFREC_EATTACH if it is stopped, and still so after a moment.
 */
int exchange_check(struct process *p, struct jfrec_error *err);

/* A jfrec_write_fn that drops everything. */
int exchange_drop(void *ctx, const void *data, size_t len);

#endif
