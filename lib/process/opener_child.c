/* SPDX-License-Identifier: MIT */
/*
 * opener_child.c - the child process of opener.c, which has only the other user's rights
 *
 * It calls only into this folder and libc, and ends by _exit().
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process/child.h"
#include "process/opener_wire.h"
#include "process/touch.h"

/* Reading -------------------------------------------------------------------------------------- */

/* All of it, from its beginning. */
static int put_content(const struct opener_worker *w, int fd, uint64_t limit)
{
	static char piece[OPENER_PIECE];
	uint64_t done = 0;
	ssize_t n;

	for (;;) {
		n = pread(fd, piece, sizeof(piece), (off_t)done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? errno : 0;
		if ((uint64_t)n > limit - done)
			return EFBIG;
		done += (uint64_t)n;
		if (!w->put(w->ctx, piece, (size_t)n))
			return EPIPE;
	}
}

static int read_file(const struct opener_worker *w, const struct opener_request *q, int dir,
		     struct opener_reply *r)
{
	int fd = touch_file(w, dir, q->path, q->flags | OPENER_DIRECT, &r->file), error;

	if (fd < 0)
		return errno;
	error = r->file.size > q->limit ? EFBIG : put_content(w, fd, q->limit);
	close(fd);
	return error;
}

/* Listing -------------------------------------------------------------------------------------- */

struct list {
	const struct opener_worker *w;
	size_t len;
	char bytes[OPENER_PIECE];
};

static bool put_list(struct list *l)
{
	bool good = !l->len || l->w->put(l->w->ctx, l->bytes, l->len);

	l->len = 0;
	return good;
}

static bool add_entry(struct list *l, int fd, const char *name)
{
	size_t len = strlen(name), size = (sizeof(struct opener_entry) + len + 7) & ~(size_t)7;
	struct opener_entry e = { .name_len = (uint32_t)len, .size = (uint32_t)size };
	struct stat st;

	if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return true;
	touch_take(&e.file, &st);
	if (l->len + size > sizeof(l->bytes) && !put_list(l))
		return false;
	memset(l->bytes + l->len, 0, size);
	memcpy(l->bytes + l->len, &e, sizeof(e));
	memcpy(l->bytes + l->len + sizeof(e), name, len);
	l->len += size;
	return true;
}

static bool is_dots(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static int list(const struct opener_worker *w, const struct opener_request *q, int dir,
		struct opener_reply *r)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK), error = 0;
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	struct list l = { .w = w };
	uint64_t count = 0;

	if (!entries) {
		error = errno;
		if (fd >= 0)
			close(fd);
		return error;
	}
	while (!error && !r->result && (entry = readdir(entries)) != NULL) {
		if (is_dots(entry->d_name))
			continue;
		if (count++ == q->limit)
			r->result = 1;
		else if (!add_entry(&l, fd, entry->d_name))
			error = EPIPE;
	}
	closedir(entries);
	return error || put_list(&l) ? error : EPIPE;
}

/* Anything ------------------------------------------------------------------------------------- */

static int descriptor(int got, int *fd)
{
	*fd = got;
	return got < 0 ? errno : 0;
}

static int look(const struct opener_request *q, int dir, struct opener_reply *r)
{
	int fd = touch_find(dir, q->path, &r->file);

	if (fd < 0)
		return errno == ENOENT ? 0 : errno;
	close(fd);
	r->result = 1;
	return 0;
}

int opener_carry_out(const struct opener_worker *w, const struct opener_request *q, int dir,
		     struct opener_reply *r, int *fd)
{
	*fd = -1;
	switch (q->op) {
	case OPENER_LOOK:
		return look(q, dir, r);
	case OPENER_OPEN_DIRECTORY:
		return descriptor(touch_directory(w, dir, q->path, q->flags, &r->file), fd);
	case OPENER_OPEN_FILE:
		return descriptor(touch_file(w, dir, q->path, q->flags, &r->file), fd);
	case OPENER_REOPEN:
		return descriptor(touch_reopen(w, dir, q->flags, &r->file), fd);
	case OPENER_READ:
		return read_file(w, q, dir, r);
	case OPENER_LIST:
		return list(w, q, dir, r);
	case OPENER_REMOVE:
		return touch_remove(w, dir, q->path, &q->expected) < 0 ? errno : 0;
	case OPENER_MAY_CREATE:
		return touch_may_create(dir) < 0 ? errno : 0;
	case OPENER_SPACE:
		return touch_space(dir, &r->space) < 0 ? errno : 0;
	case OPENER_CONNECT:
		return descriptor(touch_connect(w, dir, q->path, &r->file), fd);
	}
	return EINVAL;
}

/* Serving -------------------------------------------------------------------------------------- */

struct piece {
	struct opener_reply reply;
	char bytes[OPENER_PIECE];
};

static bool send_piece(void *ctx, const char *bytes, size_t len)
{
	static struct piece piece;

	piece.reply.bytes = (uint32_t)len;
	memcpy(piece.bytes, bytes, len);
	return child_send(*(int *)ctx, &piece, sizeof(piece.reply) + len, -1);
}

void opener_answer(const struct opener_worker *w, int channel, struct opener_request *q, int dir)
{
	struct opener_reply r = { 0 };
	int fd;

	q->path[sizeof(q->path) - 1] = '\0';
	r.error = opener_carry_out(w, q, dir, &r, &fd);
	if (r.error)
		r.result = -1;
	child_send(channel, &r, sizeof(r), fd);
	if (fd >= 0)
		close(fd);
}

bool opener_begin(struct opener_worker *w, int *channel, int root_fd, const struct identity *id,
		  uid_t uid)
{
	struct opener_reply hello = { 0 };
	struct opener_file root;

	*w = (struct opener_worker){ .uid = uid, .put = send_piece, .ctx = channel };
	if (identity_take(id, NULL) < 0)
		hello.error = errno ? errno : EPERM;
	if (!child_send(*channel, &hello, sizeof(hello), -1) || hello.error)
		return false;
	/* The parent has been answered: this may hang. */
	if (touch_fstat(root_fd, &root) == 0)
		w->root_uid = root.uid;
	return true;
}

_Noreturn void opener_serve(int channel, int root_fd, const struct identity *id, uid_t uid)
{
	int *const kept[] = { &channel, &root_fd };
	struct opener_worker w;
	struct opener_request q;
	int dir;

	child_let_go(kept, sizeof(kept) / sizeof(*kept));
	if (opener_begin(&w, &channel, root_fd, id, uid)) {
		while (child_receive(channel, &q, sizeof(q), &dir) == (ssize_t)sizeof(q)) {
			opener_answer(&w, channel, &q, dir);
			if (dir >= 0)
				close(dir);
		}
	}
	_exit(0);
}
