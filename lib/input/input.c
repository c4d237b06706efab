/* SPDX-License-Identifier: MIT */
/*
 * input.c - read from files, pipes, standard input and memory
 */
#include "input/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "input/stream.h"

/* Smaller spans are copied, which costs less than a mapping. */
#define SMALLEST_MAP (64u << 10)

#define HUGE_PAGE (2u << 20)

/* Opening -------------------------------------------------------------------------------------- */

static const char *kind_of(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFDIR:
		return "a directory";
	case S_IFSOCK:
		return "a socket";
	case S_IFCHR:
	case S_IFBLK:
		return "a device";
	default:
		return "no regular file";
	}
}

static int refuse(mode_t mode, struct jfrec_error *err)
{
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
			  "is %s; name the recording file itself", kind_of(mode));
}

static int open_path(const char *path, struct jfrec_error *err)
{
	struct stat st;
	int fd, error;

	if (strcmp(path, "-") == 0) {
		fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
		return fd < 0 ? jfrec_fail_sys(err, errno, "cannot read standard input") : fd;
	}
	/* O_NONBLOCK: opening a FIFO must not wait for a writer. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0)
		return fd;
	error = errno;
	/* A socket, or a device that has no driver. */
	if (error == ENXIO && stat(path, &st) == 0)
		return refuse(st.st_mode, err);
	return jfrec_fail_sys(err, error, "cannot open");
}

static int open_stream(struct input *in, struct jfrec_error *err)
{
	in->size = UINT64_MAX;
	in->stream = stream_new(in->fd, in->once, in->waiting, err);
	return in->stream ? 0 : -1;
}

static int open_fd(struct input *in, bool may_be_socket, struct jfrec_error *err)
{
	struct stat st;

	if (fstat(in->fd, &st) < 0)
		return jfrec_fail_sys(err, errno, "cannot open");
	if (S_ISREG(st.st_mode) && !stream_is_compressed(in->fd)) {
		in->size = (uint64_t)st.st_size;
		return 0;
	}
	/* Standard input may be a socket: some shells and inetd make it one. */
	if (S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode) ||
	    (may_be_socket && S_ISSOCK(st.st_mode))) {
		in->once = !S_ISREG(st.st_mode);
		return open_stream(in, err);
	}
	return refuse(st.st_mode, err);
}

bool input_is_once(const char *path)
{
	struct stat st;
	int got = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &st) : stat(path, &st);

	return got == 0 && !S_ISREG(st.st_mode);
}

bool input_is_once_fd(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && !S_ISREG(st.st_mode);
}

int input_open(struct input *in, const char *path, const struct waiting *waiting,
	       struct jfrec_error *err)
{
	*in = (struct input){ .fd = open_path(path, err), .waiting = waiting };
	if (in->fd < 0)
		return -1;
	if (open_fd(in, strcmp(path, "-") == 0, err) == 0)
		return 0;
	input_close(in);
	return -1;
}

int input_open_fd(struct input *in, int fd, const struct waiting *waiting, struct jfrec_error *err)
{
	*in = (struct input){ .fd = fcntl(fd, F_DUPFD_CLOEXEC, 3), .waiting = waiting };
	if (in->fd < 0)
		return jfrec_fail_sys(err, errno, "cannot read descriptor %d", fd);
	if (open_fd(in, true, err) == 0)
		return 0;
	input_close(in);
	return -1;
}

int input_open_memory(struct input *in, const void *bytes, uint64_t len, struct jfrec_error *err)
{
	*in = (struct input){ .fd = -1, .memory = bytes, .size = len };
	if (!bytes || !stream_is_compressed_memory(bytes, len)) {
		in->memory = bytes ? bytes : "";
		in->size = bytes ? len : 0;
		return 0;
	}
	in->size = UINT64_MAX;
	in->stream = stream_new_memory(bytes, len, err);
	if (in->stream)
		return 0;
	input_close(in);
	return -1;
}

/* Do its bytes begin as compressed ones do? */
static bool part_is_compressed(const struct input_part *p)
{
	uint8_t magic[MAGIC_SIZE];
	size_t len = p->len < sizeof(magic) ? (size_t)p->len : sizeof(magic);
	ssize_t n;

	if (p->memory)
		return stream_is_compressed_memory(p->memory, p->len);
	n = pread(p->fd, magic, len, (off_t)p->start);
	return n > 0 && stream_is_compressed_memory(magic, (uint64_t)n);
}

int input_open_part(struct input *in, const struct input_part *part, struct decoder *decoder,
		    const struct stream_promise *promise, const struct waiting *waiting,
		    struct jfrec_error *err)
{
	struct input_part own = *part;

	*in = (struct input){ .fd = -1, .memory = part->memory, .waiting = waiting };
	if (!part->memory)
		own.fd = in->fd = fcntl(part->fd, F_DUPFD_CLOEXEC, 3);
	if (!part->memory && in->fd < 0) {
		int error = errno;

		if (decoder)
			decoder->free(decoder);
		return jfrec_fail_sys(err, error, "cannot be read");
	}
	if (!decoder && !part_is_compressed(&own)) {
		in->is_part = !part->memory;
		in->start = part->start;
		in->size = part->len;
		return 0;
	}
	in->size = UINT64_MAX;
	in->stream = stream_new_part(&own, decoder, promise, err);
	if (in->stream) {
		stream_set_waiting(in->stream, waiting);
		return 0;
	}
	input_close(in);
	return -1;
}

void input_close(struct input *in)
{
	struct input *under = in->stream ? in->stream->under : NULL;

	stream_free(in->stream);
	if (under)
		input_close(under);
	free(under);
	kept_fini(&in->kept);
	span_fini(&in->spare);
	if (in->fd >= 0)
		close(in->fd);
	*in = (struct input){ .fd = -1 };
}

int input_decode(struct input *in, uint64_t offset, input_make_decoder *make, void *ctx,
		 struct jfrec_error *err)
{
	struct input *under = malloc(sizeof(*under));
	struct decoder *decoder = NULL;
	struct stream *s = NULL;

	if (under) {
		*under = *in;
		decoder = make(under, offset, ctx);
	}
	if (decoder)
		s = stream_new_over(under, decoder);
	if (!s) {
		if (decoder)
			decoder->free(decoder);
		free(under);
		return jfrec_fail_memory(err);
	}
	*in = (struct input){ .fd = -1,
			      .size = UINT64_MAX,
			      .stream = s,
			      .once = under->once,
			      .waiting = under->waiting,
			      .kept.at = offset };
	return 0;
}

void input_set_waiting(struct input *in, const struct waiting *waiting)
{
	in->waiting = waiting;
	if (in->stream && in->stream->under)
		input_set_waiting(in->stream->under, waiting);
	else if (in->stream)
		stream_set_waiting(in->stream, waiting);
}

bool input_would_wait(const struct input *in, uint64_t offset)
{
	return in->stream && in->size == UINT64_MAX && offset >= kept_end(&in->kept) &&
	       source_would_wait(&in->stream->source);
}

/* Streams -------------------------------------------------------------------------------------- */

/* Read some more.  0, or -1 with *err set; what is damaged ends there. */
static int keep_more(struct input *in, struct jfrec_error *err)
{
	struct jfrec_error why = { 0 };
	size_t room, got;
	uint8_t *to;

	if (kept_room(&in->kept, &to, &room, err) < 0)
		return -1;
	if (stream_read(in->stream, to, room, &got, &why) < 0) {
		if (why.code != JFREC_EFORMAT) {
			if (err)
				*err = why;
			return -1;
		}
		in->fault = why;
	}
	if (got == 0)
		in->size = kept_end(&in->kept);
	return kept_add(&in->kept, got, err);
}

/* Read ahead until the stream is kept up to the offset, or ends. */
static int keep_up_to(struct input *in, uint64_t offset, struct jfrec_error *err)
{
	while (in->size == UINT64_MAX && kept_end(&in->kept) < offset) {
		if (keep_more(in, err) < 0)
			return -1;
	}
	return 0;
}

int input_end(const struct input *in, struct jfrec_error *err)
{
	if (!in->fault.code)
		return 0;
	if (err)
		*err = in->fault;
	return -1;
}

void input_forget(struct input *in, uint64_t offset)
{
	if (in->stream)
		kept_forget(&in->kept, offset);
}

void input_end_here(struct input *in, const char *why)
{
	if (!in->stream || in->size != UINT64_MAX)
		return;
	in->size = kept_end(&in->kept);
	jfrec_fail(&in->fault, JFREC_EFORMAT, JFREC_NO_OFFSET, "%s", why);
}

/* Reading -------------------------------------------------------------------------------------- */

/* A recording that is being written grows. */
static void look_at_size(struct input *in)
{
	struct stat st;

	if (!in->memory && !in->is_part && fstat(in->fd, &st) == 0)
		in->size = (uint64_t)st.st_size;
}

int input_available(struct input *in, uint64_t offset, uint64_t want, uint64_t *have,
		    struct jfrec_error *err)
{
	uint64_t end;

	*have = 0;
	if (__builtin_add_overflow(offset, want, &end))
		end = UINT64_MAX;
	if (in->stream && keep_up_to(in, end, err) < 0)
		return -1;
	if (end > in->size && !in->stream)
		look_at_size(in);
	if (end > in->size)
		end = in->size;
	*have = end > offset ? end - offset : 0;
	return 0;
}

static int read_stream(struct input *in, uint64_t offset, void *to, size_t len, size_t *got,
		       struct jfrec_error *err)
{
	uint64_t have;

	if (input_available(in, offset, len, &have, err) < 0)
		return -1;
	if (have && kept_read(&in->kept, offset, to, (size_t)have, err) < 0)
		return -1;
	*got = (size_t)have;
	return 0;
}

static size_t within(const struct input *in, uint64_t offset, size_t len)
{
	uint64_t left = offset < in->size ? in->size - offset : 0;

	return len < left ? len : (size_t)left;
}

static size_t read_memory(const struct input *in, uint64_t offset, void *to, size_t len)
{
	len = within(in, offset, len);
	if (len)
		memcpy(to, in->memory + offset, len);
	return len;
}

int input_read(struct input *in, uint64_t offset, void *to, size_t len, size_t *got,
	       struct jfrec_error *err)
{
	*got = 0;
	if (in->stream)
		return read_stream(in, offset, to, len, got, err);
	if (in->memory) {
		*got = read_memory(in, offset, to, len);
		return 0;
	}
	if (in->is_part)
		len = within(in, offset, len);
	while (*got < len) {
		ssize_t n = pread(in->fd, (char *)to + *got, len - *got,
				  (off_t)(in->start + offset + *got));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return jfrec_fail_sys(err, errno, "cannot read");
		if (n == 0)
			break;
		*got += (size_t)n;
	}
	return 0;
}

uint64_t input_skip_hole(const struct input *in, uint64_t offset)
{
	off_t data;

	if (in->stream || in->memory)
		return offset;
	data = lseek(in->fd, (off_t)(in->start + offset), SEEK_DATA);
	if (data >= 0 && in->is_part && (uint64_t)data - in->start > in->size)
		return offset > in->size ? offset : in->size;
	if (data >= 0)
		return (uint64_t)data - in->start;
	/* The file may have grown since its size was looked at. */
	return errno == ENXIO && in->size > offset ? in->size : offset;
}

/* Spans ---------------------------------------------------------------------------------------- */

static int span_map(int fd, uint64_t offset, uint64_t len, struct span *span)
{
	uint64_t lead = offset % (uint64_t)sysconf(_SC_PAGESIZE);

	span->map_len = (size_t)(lead + len);
	span->map =
		mmap(NULL, span->map_len, PROT_READ, MAP_PRIVATE, fd, (off_t)(offset - lead));
	if (span->map == MAP_FAILED) {
		*span = (struct span){ 0 };
		return -1;
	}
	span->bytes = (const uint8_t *)span->map + lead;
	span->len = len;
	return 0;
}

/*
 * Room for a copy: what was given back, if it is large enough, else huge pages.
 * A page fault for each 4 KB would cost more than the copy.
 */
static void *span_room(struct input *in, uint64_t *len)
{
	void *room = in->spare.map;

	if (*len <= in->spare.room) {
		*len = in->spare.room;
		in->spare = (struct span){ 0 };
		return room;
	}
	if (*len < HUGE_PAGE)
		return malloc(*len ? *len : 1);
	/* The next chunk may be a little larger. */
	*len = (*len + *len / 8 + HUGE_PAGE - 1) & ~(uint64_t)(HUGE_PAGE - 1);
	if (posix_memalign(&room, HUGE_PAGE, *len))
		return NULL;
	madvise(room, *len, MADV_HUGEPAGE);
	return room;
}

int input_span(struct input *in, uint64_t offset, uint64_t len, bool steady, struct span *span,
	       struct jfrec_error *err)
{
	uint64_t room = len, at = in->start + offset;
	int fd = in->fd;
	size_t got;
	void *copy;

	*span = (struct span){ 0 };
	if (in->memory && !in->stream) {
		uint64_t left = offset < in->size ? in->size - offset : 0;

		span->bytes = in->memory + (left ? offset : 0);
		span->len = len < left ? len : left;
		return 0;
	}
	/* No other process can write what is kept in a file. */
	if (in->stream)
		steady = kept_place(&in->kept, offset, &fd, &at);
	else
		steady = steady && !in->unmapped;
	if (steady && len >= SMALLEST_MAP && span_map(fd, at, len, span) == 0)
		return 0;
	copy = span_room(in, &room);
	if (!copy)
		return jfrec_fail_memory(err);
	if (input_read(in, offset, copy, len, &got, err) < 0) {
		free(copy);
		return -1;
	}
	*span = (struct span){ .bytes = copy, .len = got, .map = copy, .room = room };
	return 0;
}

void span_fini(struct span *span)
{
	if (span->map_len)
		munmap(span->map, span->map_len);
	else
		free(span->map);
	*span = (struct span){ 0 };
}

void span_rest(const struct span *span)
{
	if (span->map_len)
		madvise(span->map, span->map_len, MADV_DONTNEED);
}

void input_give_back(struct input *in, struct span *span)
{
	if (span->map_len || span->room <= in->spare.room) {
		span_fini(span);
		return;
	}
	span_fini(&in->spare);
	in->spare = *span;
	*span = (struct span){ 0 };
}
