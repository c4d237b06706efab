/* SPDX-License-Identifier: MIT */
/*
 * chunk.c - write a chunk file that others read meanwhile
 *
 *    0  "FLR\0"    4  u16 2, u16 1      8  u64 size
 *   16  u64 checkpoint                 24  u64 metadata    (the last one of each)
 *   32  u64 start, ns                  40  u64 duration, ns
 *   48  u64 start, ticks               56  u64 ticks per second
 *   64  u8 generation, u8 0, u16 flags: 1: varints; 2: the last chunk
 *
 * The generation is 0 when the chunk is finished, 255 while the header is rewritten, else a number
 * that changes with each commit.
 */
#include "recorder/files/chunk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "recorder/ground/filter.h"

#define AT_GENERATION 64
#define REWRITTEN     255

/* From so much at once on, so much more is reserved. */
#define MUCH  (256u << 10)
#define AHEAD (4u << 20)

/* A piece that is less is copied beside others. */
#define SMALL 512u

static void put_be(uint8_t *at, uint64_t value, int bytes)
{
	for (int i = bytes - 1; i >= 0; i--, value >>= 8)
		at[i] = (uint8_t)value;
}

/* Of the pieces what is left after n bytes of them. */
static void skip(struct iovec **pieces, size_t *count, size_t n)
{
	while (*count && n >= (*pieces)->iov_len) {
		n -= (*pieces)->iov_len;
		++*pieces;
		--*count;
	}
	if (!n)
		return;
	(*pieces)->iov_base = (uint8_t *)(*pieces)->iov_base + n;
	(*pieces)->iov_len -= n;
}

/* None of the pieces is empty; they are used up. */
static int write_pieces(const struct held *file, struct iovec *pieces, size_t count, uint64_t at)
{
	while (count) {
		ssize_t n;

		/* The program may have closed it, and opened a file of its own. */
		if (!held_is_there(file))
			return EBADF;
		n = count == 1 ? pwrite(file->fd, pieces->iov_base, pieces->iov_len, (off_t)at)
			       : pwritev(file->fd, pieces, (int)count, (off_t)at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? errno : ENOSPC;
		at += (uint64_t)n;
		skip(&pieces, &count, (size_t)n);
	}
	return 0;
}

static int write_at(const struct held *file, const void *data, size_t size, uint64_t at)
{
	struct iovec piece = { (void *)data, size };
	struct quiet q;
	int failed;

	quiet_begin(&q);
	failed = write_pieces(file, &piece, 1, at);
	quiet_end(&q);
	return failed;
}

static void make_header(const struct chunk *c, uint8_t header[CHUNK_HEADER], enum chunk_end end)
{
	memcpy(header, "FLR\0\0\2\0\1", 8);
	put_be(header + 8, c->at, 8);
	put_be(header + 16, c->next_checkpoint_at, 8);
	put_be(header + 24, c->next_metadata_at, 8);
	put_be(header + 32, c->time_ns, 8);
	put_be(header + 40, c->end_ticks - c->start_ticks, 8);
	put_be(header + 48, c->start_ticks, 8);
	put_be(header + 56, 1000000000, 8);
	header[64] = end == CHUNK_CONTINUES ? c->generation : 0;
	header[65] = 0;
	put_be(header + 66, end == CHUNK_IS_LAST ? 3 : 1, 2);
}

static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

int chunk_take(struct chunk *c, struct held *file, const char *path, uint64_t time_ns,
	       uint64_t start_ticks)
{
	uint8_t header[CHUNK_HEADER];

	memset(c, 0, offsetof(struct chunk, pieces));
	snprintf(c->path, sizeof(c->path), "%s", path);
	c->size = c->at = CHUNK_HEADER;
	c->time_ns = time_ns;
	c->start_ticks = c->end_ticks = start_ticks;
	c->generation = 1;
	c->file = *file;
	*file = HELD_NONE;
	make_header(c, header, CHUNK_CONTINUES);
	return write_at(&c->file, header, sizeof(header), 0);
}

int chunk_open(struct chunk *c, int directory, const char *path, uint64_t time_ns,
	       uint64_t start_ticks, struct jfrec_recorder_error *err)
{
	const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	struct held file = held_take(openat(directory, name_of(path), flags, 0600));
	uint8_t before[offsetof(struct chunk, pieces)];
	int failed;

	if (file.fd < 0)
		return recorder_fail(err, errno, "cannot create %s: %s", path, strerror(errno));
	memcpy(before, c, sizeof(before));
	failed = chunk_take(c, &file, path, time_ns, start_ticks);
	if (!failed)
		return 0;
	unlinkat(directory, name_of(path), 0);
	held_close(&c->file);
	memcpy(c, before, sizeof(before));
	return recorder_fail(err, failed, "cannot write %s: %s", path, strerror(failed));
}

int chunk_open_again(struct chunk *c, int directory, struct jfrec_recorder_error *err)
{
	int fd;

	if (held_is_there(&c->file))
		return 0;
	fd = openat(directory, name_of(c->path), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0 && held_is_same(&c->file, fd)) {
		c->file = held_take(fd);
		return c->file.fd < 0 ? -1 : 0;
	}
	if (fd >= 0)
		close(fd);
	return recorder_fail(err, ENOENT,
			     "the program closed the descriptor of %s, and the file is not there any more",
			     c->path);
}

static void forget_waiting(struct chunk *c)
{
	c->piece_count = c->waiting = c->staged = 0;
}

void chunk_rewind(struct chunk *c)
{
	c->at = c->size;
	c->failed = 0;
	forget_waiting(c);
	c->next_metadata_at = c->metadata_at;
	c->next_checkpoint_at = c->checkpoint_at;
}

/*
 * Where much comes at once, more will: blocks that a file system gives out together cost it half as
 * much as one by one.  It may refuse.
 */
static void reserve(struct chunk *c)
{
	uint64_t from = c->at - c->waiting, size = c->waiting + AHEAD;
	bool done = held_is_there(&c->file) &&
		    fallocate(c->file.fd, FALLOC_FL_KEEP_SIZE, (off_t)from, (off_t)size) == 0;

	c->reserved = done ? from + size : NEVER_RESERVE;
}

/* What was reserved in vain: nothing is after the end, so the file does not get smaller. */
static void give_back(struct chunk *c)
{
	if (c->reserved > c->at && c->reserved != NEVER_RESERVE && held_is_there(&c->file) &&
	    ftruncate(c->file.fd, (off_t)c->at) == 0)
		c->reserved = c->at;
}

/*
 * A filter of system calls need not know those that are only faster: from then on pieces are
 * copied.
 */
static int write_plainly(struct chunk *c)
{
	uint64_t at = c->at - c->waiting;
	int failed = 0;

	c->is_plain = true;
	for (size_t i = 0; i < c->piece_count && !failed; at += c->pieces[i++].iov_len) {
		struct iovec piece = c->pieces[i];

		failed = write_pieces(&c->file, &piece, 1, at);
	}
	return failed;
}

static int write_at_once(struct chunk *c)
{
	if (c->piece_count > 1 && filter_is_there())
		return write_plainly(c);
	if (c->piece_count > 1 && c->waiting >= MUCH && c->at > c->reserved)
		reserve(c);
	return write_pieces(&c->file, c->pieces, c->piece_count, c->at - c->waiting);
}

/* All at once: a thousand threads would else be a thousand system calls. */
static void write_waiting(struct chunk *c)
{
	struct quiet q;

	quiet_begin(&q);
	if (c->piece_count && !c->failed)
		c->failed = write_at_once(c);
	quiet_end(&q);
	forget_waiting(c);
}

static void add_piece(struct chunk *c, const void *data, size_t size)
{
	struct iovec *last = c->pieces + c->piece_count - 1;

	if (c->piece_count && (uint8_t *)last->iov_base + last->iov_len == data)
		last->iov_len += size;
	else
		c->pieces[c->piece_count++] = (struct iovec){ (void *)data, size };
	c->at += size;
	c->waiting += size;
}

void chunk_append_lasting(struct chunk *c, const void *data, size_t size)
{
	if (c->failed || !size)
		return;
	if (c->piece_count == CHUNK_PIECES)
		write_waiting(c);
	if (c->is_plain || size < SMALL)
		chunk_append(c, data, size);
	else
		add_piece(c, data, size);
}

void chunk_append(struct chunk *c, const void *data, size_t size)
{
	if (c->failed || !size)
		return;
	if (size > sizeof(c->stage) - c->staged || c->piece_count == CHUNK_PIECES)
		write_waiting(c);
	if (size > sizeof(c->stage)) {
		add_piece(c, data, size);
		write_waiting(c);
		return;
	}
	memcpy(c->stage + c->staged, data, size);
	add_piece(c, c->stage + c->staged, size);
	c->staged += size;
}

void chunk_append_metadata(struct chunk *c, const struct bytes *b)
{
	c->next_metadata_at = c->at;
	if (b->failed)
		c->failed = ENOMEM;
	chunk_append(c, b->data, b->size);
}

void chunk_append_checkpoint(struct chunk *c, const struct bytes *b)
{
	c->next_checkpoint_at = c->at;
	if (b->failed)
		c->failed = ENOMEM;
	chunk_append(c, b->data, b->size);
}

int chunk_ready(struct chunk *c, struct jfrec_recorder_error *err)
{
	write_waiting(c);
	if (!c->failed)
		return 0;
	return recorder_fail(err, c->failed, "cannot write %s: %s", c->path, strerror(c->failed));
}

int chunk_commit(struct chunk *c, uint64_t end_ticks, enum chunk_end end,
		 struct jfrec_recorder_error *err)
{
	static const uint8_t rewritten = REWRITTEN;
	uint8_t header[CHUNK_HEADER];
	int failed;

	if (end_ticks > c->end_ticks)
		c->end_ticks = end_ticks;
	c->generation = c->generation >= REWRITTEN - 1 ? 1 : c->generation + 1;
	make_header(c, header, end);
	/* The same pages as before: no disk can be too full for it. */
	failed = write_at(&c->file, &rewritten, 1, AT_GENERATION);
	if (!failed)
		failed = write_at(&c->file, header + 8, sizeof(header) - 8, 8);
	if (failed)
		return recorder_fail(err, failed, "cannot write %s: %s", c->path, strerror(failed));
	if (end != CHUNK_CONTINUES)
		give_back(c);
	c->size = c->at;
	c->metadata_at = c->next_metadata_at;
	c->checkpoint_at = c->next_checkpoint_at;
	return 0;
}

void chunk_close(struct chunk *c)
{
	held_close(&c->file);
}
