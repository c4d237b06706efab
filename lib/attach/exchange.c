/* SPDX-License-Identifier: MIT */
/*
 * exchange.c - send one request to a JVM and read its reply
 *
 * The end of the stream is all that tells the end of a reply, and it looks the
 * same when the JVM dies.  A JVM may also reset the connection when it is done.
 *
 * While nothing comes, the process is looked at: a stopped process is as silent as a busy one, and
 * the user should not have to wait for the timeout to learn which it is.
 */
#include "attach/exchange.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

#include "base/deadline.h"
#include "base/error.h"
#include "process/signal_safety.h"

/*
 * Between two looks at a process that says nothing; and before a second look at one that is held.
 */
#define LOOK_MS	 500
#define AGAIN_MS 250

/* Looks at which a process must be held: a debugger that takes a stack holds it for a moment. */
#define HELD_LOOKS 2

/* Bytes of a reply that are taken at once. */
#define PIECE (16u << 10)

static int fail_late(const struct exchange *x, enum wire_state state, struct jfrec_error *err)
{
	int pid = x->process->pid;

	if (state == WIRE_PAYLOAD)
		return jfrec_fail(err, JFREC_ETIMEOUT, JFREC_NO_OFFSET,
				  "process %d did not finish its reply in time; it may still "
				  "carry out the command",
				  pid);
	return jfrec_fail(err, JFREC_ETIMEOUT, JFREC_NO_OFFSET,
			  "process %d accepted the connection but did not reply in time: it is "
			  "busy, or another tool is attached; it may still carry out the command",
			  pid);
}

static int fail_socket(const struct exchange *x, const char *what, struct jfrec_error *err)
{
	return jfrec_fail_sys(err, errno, "cannot %s process %d", what, x->process->pid);
}

/* Looking at the process ----------------------------------------------------------------------- */

/* It is there, and stopped or frozen or held by a debugger: *why says which. */
static bool is_held(struct process *p, struct jfrec_error *why)
{
	return process_refresh(p, NULL) == 0 && ready_check_running(p, why) < 0 &&
	       why->code != JFREC_EDIED;
}

int exchange_check(struct process *p, struct jfrec_error *err)
{
	struct pollfd end = { .fd = p->pid_fd, .events = POLLIN };
	struct jfrec_error why;

	if (!is_held(p, &why))
		return 0;
	poll(&end, 1, AGAIN_MS);
	if (!is_held(p, &why))
		return 0;
	return jfrec_fail(err, why.code, JFREC_NO_OFFSET, "%s", why.text);
}

static int fail_held(const struct jfrec_error *why, struct jfrec_error *err)
{
	return jfrec_fail(err, JFREC_ETIMEOUT, JFREC_NO_OFFSET,
			  "%.250s; it did not reply, and may still carry out the command when it "
			  "continues",
			  why->text);
}

/* Nothing came for a while.  1: go on waiting; 0: the process has ended; -1: *err is set. */
static int look(const struct exchange *x, unsigned *held, struct jfrec_error *err)
{
	struct jfrec_error why;

	if (process_has_exited(x->process))
		return 0;
	*held = is_held(x->process, &why) ? *held + 1 : 0;
	return *held < HELD_LOOKS ? 1 : fail_held(&why, err);
}

/*
 * Until there are `events` at the connection.  1: there are; 0: the process has ended and nothing
 * came; -1: *err is set.  Its end counts by itself, should another process have got the connection.
 */
static int await(const struct exchange *x, short events, enum wire_state state,
		 struct jfrec_error *err)
{
	struct pollfd p[] = {
		{ .fd = x->fd, .events = events },
		{ .fd = x->process->pid_fd, .events = POLLIN },
	};
	unsigned held = 0;
	int left, got, more = 1;

	while (more > 0) {
		left = deadline_left_ms(x->deadline);
		if (left == 0)
			return fail_late(x, state, err);
		got = poll(p, 2, left < LOOK_MS ? left : LOOK_MS);
		if (got < 0 && errno != EINTR)
			return fail_socket(x, "wait for", err);
		if (got > 0)
			return p[0].revents || !p[1].revents;
		more = got == 0 ? look(x, &held, err) : 1;
	}
	return more;
}

/* Exchanging ----------------------------------------------------------------------------------- */

/* A connection that the JVM closes early may still have a reply. */
static bool is_closed(int error)
{
	return error == EPIPE || error == ECONNRESET;
}

static int send_all(const struct exchange *x, const struct wire_request *request,
		    struct jfrec_error *err)
{
	size_t sent = 0;
	int ready;

	while (sent < request->len) {
		ssize_t n = send(x->fd, request->bytes + sent, request->len - sent, MSG_NOSIGNAL);

		if (n >= 0) {
			sent += (size_t)n;
			continue;
		}
		if (is_closed(errno))
			return 0;
		if (errno != EAGAIN && errno != EINTR)
			return fail_socket(x, "write to", err);
		ready = errno == EAGAIN ? await(x, POLLOUT, WIRE_NOTHING, err) : 1;
		if (ready <= 0)
			return ready;
	}
	return 0;
}

/* At the end of the stream.  The memory of a process goes before its sockets do. */
static bool has_died(const struct exchange *x)
{
	return process_has_exited(x->process) || process_refresh(x->process, NULL) < 0 ||
	       !x->process->status.has_memory;
}

static int judge(const struct exchange *x, const struct wire_reply *reply, struct jfrec_error *err)
{
	int pid = x->process->pid;

	if (has_died(x))
		return jfrec_fail(
			err, JFREC_EDIED, JFREC_NO_OFFSET,
			reply->state == WIRE_NOTHING
				? "process %d exited before it replied"
				: "process %d exited while it replied; the reply may be incomplete",
			pid);
	switch (reply->state) {
	case WIRE_NOTHING:
		return jfrec_fail(
			err, JFREC_EPERMISSION, JFREC_NO_OFFSET,
			"process %d closed the connection without a reply: JVMs accept only "
			"their own user and root, or its listener was shut down",
			pid);
	case WIRE_STATUS:
		return jfrec_fail(err, JFREC_EDIED, JFREC_NO_OFFSET,
				  "the reply of process %d was cut short in its first line", pid);
	case WIRE_BAD:
		return jfrec_fail(err, JFREC_EATTACH, JFREC_NO_OFFSET,
				  "process %d does not reply like a JVM's attach listener",
				  pid);
	case WIRE_PAYLOAD:
		break;
	}
	return 0;
}

/* 1: go on; 0: the stream has ended; -1: *err is set. */
static int receive(const struct exchange *x, struct wire_reply *reply, jfrec_write_fn *write,
		   void *ctx, int *status, struct jfrec_error *err)
{
	uint8_t piece[PIECE];
	const uint8_t *payload;
	size_t len;
	ssize_t n = recv(x->fd, piece, sizeof(piece), 0);
	int error;

	if (n == 0 || (n < 0 && is_closed(errno)))
		return 0;
	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 1 : fail_socket(x, "read from", err);
	if (wire_reply_take(reply, piece, (size_t)n, &payload, &len) == WIRE_BAD)
		return 0;
	*status = reply->status;
	error = len ? write(ctx, payload, len) : 0;
	if (!error)
		return 1;
	return jfrec_fail_output(err, error);
}

int exchange_run(const struct exchange *x, const struct wire_request *request,
		 jfrec_write_fn *write, void *ctx, int *status, struct jfrec_error *err)
{
	struct wire_reply reply = { 0 };
	int more;

	if (send_all(x, request, err) < 0)
		return -1;
	do {
		more = await(x, POLLIN, reply.state, err);
		if (more > 0)
			more = receive(x, &reply, write, ctx, status, err);
	} while (more > 0);
	return more < 0 ? -1 : judge(x, &reply, err);
}

int exchange_drop(void *ctx, const void *data, size_t len)
{
	(void)ctx, (void)data, (void)len;
	return 0;
}
