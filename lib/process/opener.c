/* SPDX-License-Identifier: MIT */
/*
 * opener.c - have a child process open files that another user controls
 *
 * The child has the rights of that user, and that user may take it over: of what it says nothing is
 * believed that is not checked here.
 */
#include "process/opener.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/error.h"
#include "base/kernel.h"
#include "process/child.h"
#include "process/opener_wire.h"
#include "process/root.h"

/* Failures ------------------------------------------------------------------------------------- */

static const char *reason(int error)
{
	switch (error) {
	case ELOOP:
		return "it is a symbolic link";
	case EPERM:
		return "it belongs to another user";
	case EMEDIUMTYPE:
		return "it has the wrong type";
	case ESTALE:
		return "it was replaced";
	case ETIMEDOUT:
		return "its file system does not respond";
	default:
		return strerror(error);
	}
}

/* "cannot open X as uid 7: ..." with errno set; returns -1. */
static int fail(const struct opener *o, int error, const char *what, const char *path,
		struct jfrec_error *err)
{
	enum jfrec_code code = error == EACCES || error == EPERM ? JFREC_EPERMISSION
			       : error == ETIMEDOUT		 ? JFREC_ETIMEOUT
			       : error == ENOMEM		 ? JFREC_ENOMEM
								 : JFREC_EIO;

	if (o->is_here)
		jfrec_fail(err, code, JFREC_NO_OFFSET, "cannot %s %.160s: %s", what, path,
			   reason(error));
	else
		jfrec_fail(err, code, JFREC_NO_OFFSET, "cannot %s %.160s as uid %u: %s", what, path,
			   o->uid, reason(error));
	if (err && code == JFREC_EIO)
		err->sys = error;
	errno = error;
	return -1;
}

/* Starting and ending -------------------------------------------------------------------------- */

/*
 * Does the child wait for nothing but a processor?  Then the machine is busy, not the file system.
 */
static bool is_runnable(pid_t child)
{
	char path[32], text[128];
	const char *end;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)child);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;
	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return false;
	text[n] = '\0';
	end = strrchr(text, ')');
	return end && strncmp(end, ") R", 3) == 0;
}

static bool await_message(const struct opener *o)
{
	struct pollfd p = { .fd = o->channel, .events = POLLIN };
	int n = 0;

	for (unsigned i = 0; n == 0 && i < OPENER_BUSY && (i == 0 || is_runnable(o->pid)); i++) {
		int64_t deadline = deadline_in_ms(OPENER_PATIENCE_MS);

		do {
			n = poll(&p, 1, deadline_left_ms(deadline));
		} while (n < 0 && errno == EINTR);
	}
	return n > 0;
}

/* It is not to be waited for. */
static void abandon(struct opener *o)
{
	if (o->channel < 0)
		return;
	close(o->channel);
	o->channel = -1;
	child_give_up(o->pid, true);
}

static int take_hello(struct opener *o, const struct identity *id, struct jfrec_error *err)
{
	struct opener_reply hello;
	int fd;

	if (await_message(o) &&
	    child_receive(o->channel, &hello, sizeof(hello), &fd) == (ssize_t)sizeof(hello) &&
	    !hello.error)
		return 0;
	return jfrec_fail(err, JFREC_EPERMISSION, JFREC_NO_OFFSET,
			  "cannot act as uid %u, gid %u; run jfrec as that user or as root", id->uid,
			  id->gid);
}

/* With o->root_fd set, which is closed on failure. */
static int start(struct opener *o, const struct identity *id, struct jfrec_error *err)
{
	int ends[2] = { -1, -1 };

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0) {
		o->channel = ends[0];
		o->pid = child_fork();
		if (o->pid == 0)
			opener_serve(ends[1], o->root_fd, id, o->uid);
		close(ends[1]);
	}
	if (o->channel < 0 || o->pid < 0) {
		jfrec_fail_sys(err, errno, "cannot start a helper process");
		if (o->channel >= 0)
			close(o->channel);
		o->channel = -1;
	} else if (take_hello(o, id, err) == 0) {
		return 0;
	}
	opener_stop(o);
	return -1;
}

int opener_start(struct opener *o, const struct process *p, struct jfrec_error *err)
{
	struct identity id;
	int ret;

	*o = OPENER_NONE;
	if (identity_of_process(&id, p, err) < 0)
		return -1;
	/* Then what we may ourselves is all there is, and no more than that is asked for. */
	if (!identity_is_free()) {
		identity_fini(&id);
		id.uid = geteuid();
		id.gid = getegid();
	}
	o->uid = p->status.euid;
	o->root_fd = root_open(p);
	if (o->root_fd >= 0)
		ret = start(o, &id, err);
	else if (errno == EACCES || errno == EPERM)
		ret = jfrec_fail(err, JFREC_EPERMISSION, JFREC_NO_OFFSET,
				 "process %d hides its root directory from this user", p->pid);
	else
		ret = jfrec_fail(err, JFREC_EDIED, JFREC_NO_OFFSET, "process %d has ended", p->pid);
	identity_fini(&id);
	return ret;
}

int opener_start_user(struct opener *o, uid_t uid, gid_t gid, struct jfrec_error *err)
{
	const struct identity id = { .uid = uid, .gid = gid };

	*o = OPENER_NONE;
	o->uid = uid;
	o->root_fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (o->root_fd < 0)
		return jfrec_fail_sys(err, errno, "cannot open /");
	return start(o, &id, err);
}

int opener_open_named(const char *path)
{
	return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

void opener_stop(struct opener *o)
{
	/* It ends by itself, and keeps nothing of ours. */
	if (o->channel >= 0) {
		close(o->channel);
		child_give_up(o->pid, false);
	}
	if (o->root_fd >= 0)
		close(o->root_fd);
	*o = OPENER_NONE;
}

/* Asking --------------------------------------------------------------------------------------- */

/* What is done with each piece of data. False: no more is wanted. */
typedef bool take_fn(void *ctx, const char *bytes, size_t len);

struct call {
	struct opener_request request;
	take_fn *take; /* NULL: there is no data */
	void *ctx;
	struct opener_reply reply;
	int fd; /* that came with the answer, or -1 */
};

struct message {
	struct opener_reply reply;
	char bytes[OPENER_PIECE];
};

/* One message. 0 or an errno. */
static int take_message(struct opener *o, struct call *c, struct message *m)
{
	ssize_t n;

	if (!await_message(o))
		return ETIMEDOUT;
	n = child_receive(o->channel, m, sizeof(*m), &c->fd);
	if (n < (ssize_t)sizeof(m->reply) || m->reply.bytes > OPENER_PIECE ||
	    n != (ssize_t)(sizeof(m->reply) + m->reply.bytes))
		return EPIPE;
	return 0;
}

/* In this process. */
static int call_here(struct call *c, int dir)
{
	const struct opener_worker w = { .put = c->take, .ctx = c->ctx };

	c->request.flags |= OPENER_ANYBODYS | OPENER_DIRECT;
	return opener_carry_out(&w, &c->request, dir, &c->reply, &c->fd);
}

/* 0 or an errno. A child that says what it should not is given up. */
static int call(struct opener *o, struct call *c, int dir)
{
	struct message m;
	int error = 0;

	c->fd = -1;
	if (o->is_here)
		return call_here(c, dir);
	if (o->channel < 0)
		return ETIMEDOUT;
	if (!child_send(o->channel, &c->request, sizeof(c->request), dir))
		error = EPIPE;
	while (!error && (error = take_message(o, c, &m)) == 0) {
		if (!m.reply.bytes)
			break;
		if (!c->take || c->fd >= 0 || !c->take(c->ctx, m.bytes, m.reply.bytes))
			error = EPROTO;
	}
	if (error) {
		if (c->fd >= 0)
			close(c->fd);
		c->fd = -1;
		abandon(o);
		return error;
	}
	c->reply = m.reply;
	return m.reply.result < 0 ? (m.reply.error > 0 ? m.reply.error : EPROTO) : 0;
}

/* False, with errno set: longer than any path can be. */
static bool set_path(struct call *c, const char *path)
{
	int len = snprintf(c->request.path, sizeof(c->request.path), "%s", path);

	errno = ENAMETOOLONG;
	return len < (int)sizeof(c->request.path);
}

/* A call that has no data: 0, or -1 with errno and *err set. */
static int ask(struct opener *o, struct call *c, int dir, const char *what, const char *path,
	       struct jfrec_error *err)
{
	int error;

	if (!set_path(c, path))
		return fail(o, errno, what, path, err);
	error = call(o, c, dir);
	return error ? fail(o, error, what, path, err) : 0;
}

/*
 * Is the descriptor of that type, and good for no more than was asked? It is not asked its server.
 */
static bool is_sound(int fd, mode_t type, int mode)
{
	mode_t is;
	int flags = fd < 0 ? -1 : fcntl(fd, F_GETFL);

	return flags >= 0 && (flags & (O_ACCMODE | O_PATH)) == mode &&
	       kernel_type(fd, &is) == 0 && is == type;
}

static int ask_descriptor(struct opener *o, struct call *c, int dir, const char *path, mode_t type,
			  int mode, struct opener_file *f, struct jfrec_error *err)
{
	if (ask(o, c, dir, type == S_IFSOCK ? "connect to" : "open", path, err) < 0)
		return -1;
	if (!is_sound(c->fd, type, mode)) {
		if (c->fd >= 0)
			close(c->fd);
		abandon(o);
		return fail(o, EPROTO, "open", path, err);
	}
	if (f)
		*f = c->reply.file;
	return c->fd;
}

/* The calls ------------------------------------------------------------------------------------ */

int opener_look(struct opener *o, int dir, const char *path, struct opener_file *f,
		struct jfrec_error *err)
{
	struct call c = { .request = { .op = OPENER_LOOK } };

	if (ask(o, &c, dir, "look at", path, err) < 0)
		return -1;
	*f = c.reply.file;
	return c.reply.result > 0;
}

int opener_open_directory(struct opener *o, int dir, const char *path, int flags,
			  struct opener_file *f, struct jfrec_error *err)
{
	struct call c = { .request = { .op = OPENER_OPEN_DIRECTORY, .flags = flags } };

	return ask_descriptor(o, &c, dir, path, S_IFDIR, O_PATH, f, err);
}

int opener_open_file(struct opener *o, int dir, const char *path, int flags, struct opener_file *f,
		     struct jfrec_error *err)
{
	struct call c = { .request = { .op = OPENER_OPEN_FILE, .flags = flags } };

	return ask_descriptor(o, &c, dir, path, S_IFREG, O_RDONLY, f, err);
}

int opener_reopen(struct opener *o, int fd, int flags, struct opener_file *f,
		  struct jfrec_error *err)
{
	struct call c = { .request = { .op = OPENER_REOPEN, .flags = flags } };

	return ask_descriptor(o, &c, fd, "a file that is open", S_IFREG, O_RDONLY, f, err);
}

int opener_open_descriptor(struct opener *o, const struct process *p, int fd, int flags,
			   struct opener_file *f, struct jfrec_error *err)
{
	int at = process_open_descriptor(p, fd), file;

	if (at < 0)
		return fail(o, errno, "open", "a file that is open", err);
	file = opener_reopen(o, at, flags, f, err);
	close(at);
	return file;
}

int opener_remove(struct opener *o, int dir, const char *name, const struct opener_file *expected,
		  struct jfrec_error *err)
{
	struct call c = { .request = { .op = OPENER_REMOVE, .expected = *expected } };

	return ask(o, &c, dir, "remove", name, err);
}

int opener_may_create(struct opener *o, int dir, struct jfrec_error *err)
{
	struct call c = { .request = { .op = OPENER_MAY_CREATE } };

	return ask(o, &c, dir, "make a file in", "a directory", err);
}

int opener_space(struct opener *o, int dir, struct opener_space *s, struct jfrec_error *err)
{
	struct call c = { .request = { .op = OPENER_SPACE } };

	if (ask(o, &c, dir, "look at", "the file system of a directory", err) < 0)
		return -1;
	*s = c.reply.space;
	return 0;
}

int opener_connect(struct opener *o, int dir, const char *name, struct opener_file *f,
		   struct jfrec_error *err)
{
	struct call c = { .request = { .op = OPENER_CONNECT } };

	return ask_descriptor(o, &c, dir, name, S_IFSOCK, O_RDWR, f, err);
}

/* Content -------------------------------------------------------------------------------------- */

struct content {
	char *bytes;
	size_t len, room, limit;
};

static bool add_content(void *ctx, const char *bytes, size_t len)
{
	struct content *c = ctx;

	if (len > c->limit - c->len)
		return false;
	if (len > c->room - c->len) {
		size_t room = c->len + len > 2 * c->room ? c->len + len : 2 * c->room;
		char *more = realloc(c->bytes, room + 1);

		if (!more)
			return false;
		c->bytes = more;
		c->room = room;
	}
	memcpy(c->bytes + c->len, bytes, len);
	c->len += len;
	return true;
}

char *opener_read(struct opener *o, int dir, const char *path, int flags, size_t limit, size_t *len,
		  struct jfrec_error *err)
{
	struct content content = { .bytes = malloc(1), .limit = limit };
	struct call c = {
		.request = { .op = OPENER_READ, .flags = flags, .limit = limit },
		.take = add_content,
		.ctx = &content,
	};
	int ret = content.bytes ? ask(o, &c, dir, "read", path, err)
				: fail(o, ENOMEM, "read", path, err);

	if (ret < 0) {
		int error = errno;

		free(content.bytes);
		errno = error;
		return NULL;
	}
	content.bytes[content.len] = '\0';
	*len = content.len;
	return content.bytes;
}

/* Lists ---------------------------------------------------------------------------------------- */

/* A name as it can be: the child might be another's by now. */
static bool take_name(char name[NAME_MAX + 1], const char *bytes, size_t len)
{
	if (len == 0 || len > NAME_MAX || memchr(bytes, '/', len) || memchr(bytes, '\0', len))
		return false;
	memcpy(name, bytes, len);
	name[len] = '\0';
	return strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

/* One entry; moves on to the next.  False: it makes no sense. */
static bool take_entry(const char **bytes, size_t *len, char name[NAME_MAX + 1],
		       struct opener_file *f)
{
	struct opener_entry e;

	if (*len < sizeof(e))
		return false;
	memcpy(&e, *bytes, sizeof(e));
	if (e.size > *len || e.size < sizeof(e) || e.name_len > e.size - sizeof(e) ||
	    !take_name(name, *bytes + sizeof(e), e.name_len))
		return false;
	*f = e.file;
	*bytes += e.size;
	*len -= e.size;
	return true;
}

/* After all has come: fn may have other questions. */
static int each_entry(const struct content *all, size_t limit, opener_entry_fn *fn, void *ctx)
{
	const char *bytes = all->bytes;
	size_t len = all->len;
	char name[NAME_MAX + 1];
	struct opener_file f;
	int ret = 0;

	while (len && limit-- && ret >= 0 && take_entry(&bytes, &len, name, &f))
		ret = fn(ctx, name, &f);
	return ret < 0 ? ret : 0;
}

int opener_list(struct opener *o, int dir, size_t limit, opener_entry_fn *fn, void *ctx,
		struct jfrec_error *err)
{
	struct content content = { .limit = limit * (sizeof(struct opener_entry) + NAME_MAX + 8) };
	struct call c = {
		.request = { .op = OPENER_LIST, .limit = limit },
		.take = add_content,
		.ctx = &content,
	};
	int ret = ask(o, &c, dir, "list", "the files of a directory", err);

	if (ret == 0) {
		ret = each_entry(&content, limit, fn, ctx);
		if (ret == 0)
			ret = c.reply.result > 0;
	}
	free(content.bytes);
	return ret;
}
