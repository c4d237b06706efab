/* SPDX-License-Identifier: MIT */
/*
 * helper_main.c - the main loop of the helper process
 *
 * It calls only into this folder and libc, and ends by _exit().
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attach/cleanup.h"
#include "attach/exchange.h"
#include "attach/handshake.h"
#include "attach/helper.h"
#include "base/deadline.h"
#include "base/error.h"
#include "process/backoff.h"
#include "process/child.h"
#include "process/identity.h"
#include "process/preflight.h"
#include "process/root.h"
#include "process/touch.h"

/* How long the JVM is given to finish a command, before its traces are removed. */
#define FINISH_MS 60000

/* For all commands that are kept. */
#define COMMANDS_MS 60000

struct server {
	int channel;
	struct jvm_root *root;
	int connection; /* the last one that was handed out, or -1 */
	bool abandoned; /* ours to read to its end */
	struct cleanups keeps;
};

/* Becoming the helper -------------------------------------------------------------------------- */

static void let_go(int *channel, struct jvm_root *r)
{
	int *const fds[] = {
		channel,     &r->process.dir_fd, &r->process.pid_fd,
		&r->root_fd, &r->tmp_fd,	 &r->cwd_fd,
	};

	child_let_go(fds, sizeof(fds) / sizeof(*fds));
	/* That of the parent is not ours: here all is done with the rights we have. */
	r->opener = OPENER_HERE;
}

/*
 * For good: an attacker who takes us over has only the rights of the JVM's user.  The user, who may
 * be hostile, can neither trace nor stop us.
 */
static int take_on(const struct process *p, struct jfrec_error *err)
{
	struct identity id;
	int ret;

	if (identity_of_process(&id, p, err) < 0)
		return -1;
	ret = identity_take(&id, NULL);
	identity_fini(&id);
	if (ret == 0)
		return 0;
	return jfrec_fail(err, JFREC_EPERMISSION, JFREC_NO_OFFSET,
			  "cannot act as uid %u, gid %u, which own process %d",
			  p->status.euid, p->status.egid, p->pid);
}

/* Talking to the parent ------------------------------------------------------------------------ */

/* A parent that is gone is noticed in serve(). */
static void send_reply(const struct server *s, const struct helper_reply *reply, int fd)
{
	child_send(s->channel, reply, sizeof(*reply), fd);
}

static void send_step(void *ctx, const char *step)
{
	struct helper_reply reply = { .is_step = true };

	snprintf(reply.error.text, sizeof(reply.error.text), "%s", step);
	send_reply(ctx, &reply, -1);
}

/* Files ---------------------------------------------------------------------------------------- */

/* The directory of an absolute path, O_PATH, with *name set to what is after it; or -1. */
static int open_parent(const struct jvm_root *r, const char *path, const char **name)
{
	char parent[SESSION_PATH_MAX];
	const char *slash = strrchr(path, '/');

	if (*path != '/' || !slash[1] || strcmp(slash, "/.") == 0 || strcmp(slash, "/..") == 0) {
		errno = EINVAL;
		return -1;
	}
	snprintf(parent, sizeof(parent), "%.*s", (int)(slash - path), path);
	*name = slash + 1;
	return root_open_at(r->root_fd, *parent ? parent : "/", O_PATH | O_DIRECTORY);
}

static int open_file(const struct jvm_root *r, const char *path, int flags)
{
	const char *name;
	int dir = open_parent(r, path, &name), fd = -1, error;

	if (dir < 0)
		return -1;
	fd = openat(dir, name, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
	error = errno;
	close(dir);
	errno = error;
	return fd;
}

static int remove_file(const struct jvm_root *r, const char *path)
{
	const char *name;
	int dir = open_parent(r, path, &name), result, error;

	if (dir < 0)
		return -1;
	result = unlinkat(dir, name, 0);
	error = errno;
	close(dir);
	errno = error;
	return result;
}

static int fail_path(const char *what, const char *path, struct jfrec_error *err)
{
	return jfrec_fail_sys(err, errno, "cannot %s %s as the JVM's user", what, path);
}

static int create(struct server *s, const char *path, int *fd, struct jfrec_error *err)
{
	/* Before it is there: there is no moment at which it could be forgotten. */
	int number = cleanup_add(&s->keeps, CLEANUP_FILE, path, err);

	if (number < 0)
		return -1;
	*fd = open_file(s->root, path, O_WRONLY | O_CREAT | O_EXCL);
	if (*fd >= 0)
		return 0;
	cleanup_forget(&s->keeps, number);
	return fail_path("make", path, err);
}

/* Also what the JVM wrote: a device of that name is not even opened. */
static int open_regular(const struct server *s, const char *path, int *fd, struct jfrec_error *err)
{
	const struct opener_worker w = { .uid = s->root->process.status.euid };
	const char *name;
	struct opener_file f;
	int dir = open_parent(s->root, path, &name), error;

	*fd = dir < 0 ? -1 : touch_file(&w, dir, name, OPENER_ANYBODYS, &f);
	error = errno;
	if (dir >= 0)
		close(dir);
	if (*fd >= 0)
		return 0;
	errno = error;
	if (error == EMEDIUMTYPE)
		return jfrec_fail(err, JFREC_EIO, JFREC_NO_OFFSET, "%s is not a file", path);
	return fail_path("open", path, err);
}

static int open_directory(const struct server *s, const char *path, int *fd,
			  struct jfrec_error *err)
{
	*fd = root_open_at(s->root->root_fd, path, O_PATH | O_DIRECTORY);
	return *fd < 0 ? fail_path("open", path, err) : 0;
}

static int drop_file(struct server *s, const char *path, struct jfrec_error *err)
{
	if (remove_file(s->root, path) < 0 && errno != ENOENT)
		return fail_path("remove", path, err);
	cleanup_forget_file(&s->keeps, path);
	return 0;
}

/* Connections ---------------------------------------------------------------------------------- */

static void drop_connection(struct server *s)
{
	if (s->connection >= 0)
		close(s->connection);
	s->connection = -1;
	s->abandoned = false;
}

/*
 * We keep the connection too: until it has ended, the JVM may still make a file that
 * is to be removed.
 */
static int open_connection(struct server *s, const struct helper_request *q, const struct trace *t,
			   int *fd, struct jfrec_error *err)
{
	int got;

	drop_connection(s);
	got = handshake_connect(s->root, q->deadline, t, fd, err);
	if (got > 0)
		s->connection = *fd;
	return got;
}

/* What comes and is not wanted.  False when the stream has ended. */
static bool drop_some(const struct server *s)
{
	char piece[4096];
	ssize_t n = recv(s->connection, piece, sizeof(piece), MSG_DONTWAIT);

	return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

/* Should the JVM still wait for the rest of a request, there is none. */
static void abandon(struct server *s)
{
	if (s->connection < 0)
		return;
	shutdown(s->connection, SHUT_WR);
	s->abandoned = true;
}

/* Serving -------------------------------------------------------------------------------------- */

static int carry_out(struct server *s, const struct helper_request *q, int *fd,
		     struct jfrec_error *err)
{
	struct trace t = { .fn = q->trace ? send_step : NULL, .ctx = s };

	switch (q->op) {
	case HELPER_FIND_PLACE:
		return handshake_find_place(s->root, err);
	case HELPER_LISTEN:
		return handshake_start_listener(s->root, q->deadline, q->attach_anyway, &t, err);
	case HELPER_CONNECT:
		return open_connection(s, q, &t, fd, err);
	case HELPER_CREATE:
		return create(s, q->text, fd, err);
	case HELPER_OPEN:
		return open_regular(s, q->text, fd, err);
	case HELPER_OPEN_DIRECTORY:
		return open_directory(s, q->text, fd, err);
	case HELPER_REMOVE:
		return drop_file(s, q->text, err);
	case HELPER_KEEP_FILE:
		return cleanup_add(&s->keeps, CLEANUP_FILE, q->text, err);
	case HELPER_KEEP_COMMAND:
		return cleanup_add(&s->keeps, CLEANUP_COMMAND, q->text, err);
	case HELPER_FORGET:
		cleanup_forget(&s->keeps, q->number);
		return 0;
	case HELPER_ABANDON:
		abandon(s);
		return 0;
	}
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "unknown request");
}

static void answer(struct server *s, const struct helper_request *q)
{
	struct helper_reply reply = { 0 };
	int fd = -1;

	reply.result = carry_out(s, q, &fd, &reply.error);
	send_reply(s, &reply, fd);
	if (fd >= 0 && fd != s->connection)
		close(fd);
}

/* False when the parent is gone. */
static bool serve_one(struct server *s)
{
	struct helper_request q;
	ssize_t n = recv(s->channel, &q, sizeof(q), 0);

	if (n < 0 && errno == EINTR)
		return true;
	if (n != (ssize_t)sizeof(q))
		return false;
	q.text[sizeof(q.text) - 1] = '\0';
	answer(s, &q);
	return true;
}

static void serve(struct server *s)
{
	bool going = true;

	while (going) {
		struct pollfd p[] = {
			{ .fd = s->channel, .events = POLLIN },
			{ .fd = s->abandoned ? s->connection : -1, .events = POLLIN },
		};

		if (poll(p, 2, -1) < 0 && errno != EINTR)
			return;
		if (p[1].revents && !drop_some(s))
			drop_connection(s);
		if (p[0].revents)
			going = serve_one(s);
	}
}

/* The end -------------------------------------------------------------------------------------- */

static bool try_command(const struct server *s, const struct wire_request *request,
			int64_t deadline)
{
	static const struct trace silent;
	struct exchange x = { .process = &s->root->process, .deadline = deadline };
	int status, answered;

	if (exchange_check(x.process, NULL) < 0 ||
	    preflight_connection(&s->root->process, NULL) < 0 ||
	    handshake_connect(s->root, deadline, &silent, &x.fd, NULL) <= 0)
		return false;
	answered = exchange_run(&x, request, exchange_drop, NULL, &status, NULL);
	close(x.fd);
	return answered == 0;
}

/* A recording that is not stopped continues in the JVM, so one refusal is not the last word. */
static void run_command(const struct server *s, const char *command, int64_t deadline)
{
	const struct process *p = &s->root->process;
	struct backoff waiting = { .deadline = deadline };
	struct wire_request request;

	if (wire_request_init(&request, 1, "jcmd", &command, 1, NULL) < 0)
		return;
	while (!try_command(s, &request, deadline) && !process_has_exited(p) &&
	       backoff_wait(&waiting, p))
		;
	wire_request_fini(&request);
}

/*
 * Wait until the JVM has done what it was last told.  Our parent, if it is still there,
 * waits for this process to end, and need not wait for that: a child of our own goes on.
 */
static void await_end_of_command(struct server *s)
{
	int64_t deadline = deadline_in_ms(FINISH_MS);
	bool is_first = true;

	if (s->connection < 0)
		return;
	abandon(s);
	while (drop_some(s) && deadline_left_ms(deadline) > 0) {
		struct pollfd p[] = {
			{ .fd = s->connection, .events = POLLIN },
			{ .fd = s->root->process.pid_fd, .events = POLLIN },
		};

		if (poll(p, 2, 0) == 0) {
			if (is_first && fork() > 0)
				_exit(0);
			is_first = false;
			poll(p, 2, deadline_left_ms(deadline));
		}
		if (p[1].revents)
			break;
	}
	drop_connection(s);
}

static void clear_up(struct server *s)
{
	int64_t deadline;
	const struct cleanup *k;

	if (!cleanup_newest(&s->keeps))
		return;
	await_end_of_command(s);
	deadline = deadline_in_ms(COMMANDS_MS);
	while ((k = cleanup_newest(&s->keeps)) != NULL) {
		if (k->kind == CLEANUP_COMMAND)
			run_command(s, k->text, deadline);
		else
			remove_file(s->root, k->text);
		cleanup_forget(&s->keeps, k->number);
	}
}

_Noreturn void helper_main(int channel, struct jvm_root *r)
{
	struct helper_reply hello = { 0 };
	struct server s = { .root = r, .connection = -1 };

	let_go(&channel, r);
	s.channel = channel;
	hello.result = take_on(&r->process, &hello.error);
	send_reply(&s, &hello, -1);
	if (hello.result == 0)
		serve(&s);
	close(channel);
	clear_up(&s);
	_exit(0);
}
