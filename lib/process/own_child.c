/* SPDX-License-Identifier: MIT */
/*
 * own_child.c - what the child of own.c does, with the rights of somebody else
 *
 * It calls into nothing but this folder and libc, and ends by _exit().
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "process/child.h"
#include "process/own_wire.h"
#include "process/touch.h"

struct piece {
	struct own_reply reply;
	char bytes[OWN_PIECE];
};

struct server {
	int channel;
	struct touch touch;
	struct piece piece;
};

/* Answers -------------------------------------------------------------------------------------- */

static bool send_piece(struct server *s)
{
	size_t size = sizeof(s->piece.reply) + s->piece.reply.bytes;
	bool sent = !s->piece.reply.bytes || child_send(s->channel, &s->piece, size, -1);

	s->piece.reply.bytes = 0;
	return sent;
}

/* Reading -------------------------------------------------------------------------------------- */

/* All of it, from its beginning. */
static int send_content(struct server *s, int fd, uint64_t limit)
{
	uint64_t done = 0;
	ssize_t n;

	s->piece.reply = (struct own_reply){ 0 };
	do {
		n = pread(fd, s->piece.bytes, OWN_PIECE, (off_t)done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || (uint64_t)n > limit - done)
			return n < 0 ? errno : EFBIG;
		done += (uint64_t)n;
		s->piece.reply.bytes = (uint32_t)n;
		if (!send_piece(s))
			return EPIPE;
	} while (n != 0);
	return 0;
}

static int read_file(struct server *s, const struct own_request *q, int dir, struct own_reply *r)
{
	int fd = touch_file(&s->touch, dir, q->path, q->flags | OWN_DIRECT, &r->file), error;

	if (fd < 0)
		return errno;
	error = r->file.size > q->limit ? EFBIG : send_content(s, fd, q->limit);
	close(fd);
	return error;
}

/* Listing -------------------------------------------------------------------------------------- */

static bool add_entry(struct server *s, int fd, const char *name)
{
	size_t len = strlen(name), size = (sizeof(struct own_entry) + len + 7) & ~(size_t)7;
	struct own_entry e = { .name_len = (uint32_t)len, .size = (uint32_t)size };
	struct stat st;
	char *at;

	if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return true;
	touch_take(&e.file, &st);
	if (s->piece.reply.bytes + size > OWN_PIECE && !send_piece(s))
		return false;
	at = s->piece.bytes + s->piece.reply.bytes;
	memset(at, 0, size);
	memcpy(at, &e, sizeof(e));
	memcpy(at + sizeof(e), name, len);
	s->piece.reply.bytes += (uint32_t)size;
	return true;
}

static bool is_dots(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static int list(struct server *s, const struct own_request *q, int dir, struct own_reply *r)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK), error = 0;
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	uint64_t count = 0;

	if (!entries) {
		error = errno;
		if (fd >= 0)
			close(fd);
		return error;
	}
	s->piece.reply = (struct own_reply){ 0 };
	while (!error && !r->result && (entry = readdir(entries)) != NULL) {
		if (is_dots(entry->d_name))
			continue;
		if (count++ == q->limit)
			r->result = 1;
		else if (!add_entry(s, fd, entry->d_name))
			error = EPIPE;
	}
	closedir(entries);
	return error || send_piece(s) ? error : EPIPE;
}

/* Serving -------------------------------------------------------------------------------------- */

static int descriptor(int got, int *fd)
{
	*fd = got;
	return got < 0 ? errno : 0;
}

static int look(const struct own_request *q, int dir, struct own_reply *r)
{
	int fd = touch_find(dir, q->path, &r->file);

	if (fd < 0)
		return errno == ENOENT ? 0 : errno;
	close(fd);
	r->result = 1;
	return 0;
}

/* 0 or an errno. */
static int carry_out(struct server *s, const struct own_request *q, int dir, struct own_reply *r,
		     int *fd)
{
	const struct touch *t = &s->touch;

	switch (q->op) {
	case OWN_LOOK:
		return look(q, dir, r);
	case OWN_OPEN_DIRECTORY:
		return descriptor(touch_directory(t, dir, q->path, q->flags, &r->file), fd);
	case OWN_OPEN_FILE:
		return descriptor(touch_file(t, dir, q->path, q->flags, &r->file), fd);
	case OWN_REOPEN:
		return descriptor(touch_reopen(t, dir, q->flags, &r->file), fd);
	case OWN_READ:
		return read_file(s, q, dir, r);
	case OWN_LIST:
		return list(s, q, dir, r);
	case OWN_REMOVE:
		return touch_remove(t, dir, q->path, &q->expected) < 0 ? errno : 0;
	case OWN_CONNECT:
		return descriptor(touch_connect(t, dir, q->path, &r->file), fd);
	}
	return EINVAL;
}

static bool serve_one(struct server *s)
{
	struct own_reply r = { 0 };
	struct own_request q;
	int dir, fd = -1;
	bool sent;

	if (child_receive(s->channel, &q, sizeof(q), &dir) != (ssize_t)sizeof(q))
		return false;
	q.path[sizeof(q.path) - 1] = '\0';
	r.error = carry_out(s, &q, dir, &r, &fd);
	if (r.error)
		r.result = -1;
	sent = child_send(s->channel, &r, sizeof(r), fd);
	if (fd >= 0)
		close(fd);
	if (dir >= 0)
		close(dir);
	return sent;
}

_Noreturn void own_serve(int channel, int root_fd, const struct identity *id)
{
	static struct server s;
	int *const kept[] = { &channel, &root_fd };
	struct own_reply hello = { 0 };
	struct own_file root;

	child_let_go(kept, sizeof(kept) / sizeof(*kept));
	s.channel = channel;
	s.touch = (struct touch){ .uid = id->uid };
	if (identity_take(id, NULL) < 0)
		hello.error = errno ? errno : EPERM;
	if (!child_send(channel, &hello, sizeof(hello), -1) || hello.error)
		_exit(0);
	/* Whoever waits has been answered: this may hang. */
	if (touch_fstat(root_fd, &root) == 0)
		s.touch.root_uid = root.uid;
	while (serve_one(&s))
		;
	_exit(0);
}
