/* SPDX-License-Identifier: MIT */
/*
 * helper.c - starting the helper and asking it, from the parent's side
 */
#include "attach/helper.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/error.h"

/* What the child may take longer than its deadline, and for what has none. */
#define GRACE_MS 5000

static int fail_gone(struct jfrec_error *err)
{
	return jfrec_fail(err, JFREC_EIO, JFREC_NO_OFFSET,
			  "the helper process that acts as the JVM's user was ended");
}

static bool send_request(const struct helper *h, const struct helper_request *request)
{
	ssize_t n;

	do {
		n = send(h->channel, request, sizeof(*request), MSG_NOSIGNAL);
	} while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(*request);
}

/* The descriptor that came with a message, or -1. */
static int descriptor_of(struct msghdr *m)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(m);
	int fd = -1;

	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(c), sizeof(fd));
	return fd;
}

static bool take_reply(const struct helper *h, struct helper_reply *reply, int *fd)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
	struct iovec part = { .iov_base = reply, .iov_len = sizeof(*reply) };
	struct msghdr m = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	ssize_t n;

	do {
		n = recvmsg(h->channel, &m, MSG_CMSG_CLOEXEC);
	} while (n < 0 && errno == EINTR);
	*fd = n > 0 ? descriptor_of(&m) : -1;
	return n == (ssize_t)sizeof(*reply);
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
					  "the JVM's file system does not answer");
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

/* The child begins deaf: a signal meant for its parent's group must not end it. */
static pid_t fork_deaf(void)
{
	sigset_t all, before;
	pid_t pid;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	pid = fork();
	if (pid != 0)
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	return pid;
}

int helper_start(struct helper *h, const struct reach *r, struct jfrec_error *err)
{
	struct reach childs = *r;
	struct helper_reply hello;
	int ends[2], fd;

	*h = HELPER_NONE;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return jfrec_fail_sys(err, errno, "cannot make a pair of sockets");
	h->pid = fork_deaf();
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
	if (take_reply(h, &hello, &fd) && hello.result == 0)
		return 0;
	if (err)
		*err = hello.error;
	helper_stop(h);
	return -1;
}

void helper_stop(struct helper *h)
{
	if (h->channel < 0)
		return;
	close(h->channel);
	while (waitpid(h->pid, NULL, 0) < 0 && errno == EINTR)
		;
	*h = HELPER_NONE;
}
