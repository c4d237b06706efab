/* SPDX-License-Identifier: MIT */
/*
 * helper.c - start the helper process and send it requests
 */
#include "attach/helper.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/error.h"
#include "process/child.h"

/* What the child may take longer than its deadline, and for what has none. */
#define GRACE_MS 5000

/* Longer than it takes to run what was kept. */
#define CLEAR_UP_MS 70000

static int fail_gone(struct jfrec_error *err)
{
	return jfrec_fail(err, JFREC_EIO, JFREC_NO_OFFSET,
			  "the helper process that acts as the JVM's user was killed");
}

static bool send_request(const struct helper *h, const struct helper_request *request)
{
	return child_send(h->channel, request, sizeof(*request), -1);
}

static bool take_reply(const struct helper *h, struct helper_reply *reply, int *fd)
{
	return child_receive(h->channel, reply, sizeof(*reply), fd) == (ssize_t)sizeof(*reply);
}

/* Until then the child must have said something. */
static bool await_reply(const struct helper *h, int64_t deadline)
{
	struct pollfd p = { .fd = h->channel, .events = POLLIN };
	int n;

	do {
		n = poll(&p, 1, deadline_left_ms(deadline));
	} while (n < 0 && errno == EINTR);
	return n > 0;
}

static int64_t patience(const struct helper_request *request)
{
	int64_t now = deadline_now();

	return (request->deadline > now ? request->deadline : now) + (int64_t)GRACE_MS * 1000000;
}

int helper_call(const struct helper *h, const struct helper_request *request, const struct trace *t,
		int *fd, struct jfrec_error *err)
{
	int64_t deadline = patience(request);
	struct helper_reply reply;

	*fd = -1;
	if (h->channel < 0 || !send_request(h, request))
		return fail_gone(err);
	do {
		if (!await_reply(h, deadline)) {
			/* Whatever it says later belongs to no question. */
			shutdown(h->channel, SHUT_RDWR);
			return jfrec_fail(err, JFREC_ETIMEOUT, JFREC_NO_OFFSET,
					  "the JVM's file system does not respond");
		}
		if (!take_reply(h, &reply, fd))
			return fail_gone(err);
		if (reply.is_step)
			trace_step(t, "%s", reply.error.text);
	} while (reply.is_step);
	if (reply.result < 0 && err)
		*err = reply.error;
	return reply.result;
}

int helper_start(struct helper *h, const struct jvm_root *r, struct jfrec_error *err)
{
	struct jvm_root childs = *r;
	struct helper_reply hello;
	int ends[2], fd;

	*h = HELPER_NONE;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return jfrec_fail_sys(err, errno, "cannot create a pair of sockets");
	h->pid = child_fork();
	if (h->pid == 0)
		helper_main(ends[1], &childs);
	close(ends[1]);
	h->channel = ends[0];
	if (h->pid < 0) {
		jfrec_fail_sys(err, errno, "cannot start a helper process");
		close(ends[0]);
		*h = HELPER_NONE;
		return -1;
	}
	if (!await_reply(h, deadline_in_ms(GRACE_MS)) || !take_reply(h, &hello, &fd))
		fail_gone(err);
	else if (hello.result == 0)
		return 0;
	else if (err)
		*err = hello.error;
	helper_stop(h);
	return -1;
}

/* Where a file system holds it, it clears up when that answers: we do not wait for it. */
void helper_stop(struct helper *h)
{
	if (h->channel < 0)
		return;
	close(h->channel);
	if (!child_await(h->pid, CLEAR_UP_MS))
		child_give_up(h->pid, false);
	*h = HELPER_NONE;
}
