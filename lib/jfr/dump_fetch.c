/* SPDX-License-Identifier: MIT */
/*
 * dump_fetch.c - check that a dump is complete, and copy it out
 */
#include "jfr/dump_fetch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/holes.h"
#include "format/chunk_header.h"

#define COPY_STEP ((size_t)256 << 10)

/* Read up to len bytes at offset; fewer only at the file's end.  -1: errno is set. */
static ssize_t read_at(int fd, void *to, size_t len, uint64_t offset)
{
	size_t got = 0;

	while (got < len) {
		ssize_t n = pread(fd, (char *)to + got, len - got, (off_t)(offset + got));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		got += (size_t)n;
	}
	return (ssize_t)got;
}

static int incomplete(struct jfrec_error *err, uint64_t at, const char *how)
{
	return jfrec_fail(err, JFREC_ERESULT, at,
			  "the JVM wrote an incomplete file: at byte %" PRIu64 " %s; check the "
									       "free space on "
									       "its disk",
			  at, how);
}

/* The size of the chunk at `at`, which must fit into what is left. */
static int check_chunk(int fd, uint64_t at, uint64_t left, uint64_t *size, struct jfrec_error *err)
{
	uint8_t bytes[CHUNK_HEADER_SIZE];
	struct chunk_header h;
	ssize_t got = read_at(fd, bytes, sizeof(bytes), at);

	if (got < 0)
		return jfrec_fail_sys(err, errno, "cannot read the file that the JVM wrote");
	if ((size_t)got < sizeof(bytes))
		return incomplete(err, at, "a chunk is truncated");
	if (!chunk_header_is_magic(bytes))
		return incomplete(err, at, "no chunk begins");
	h = chunk_header_parse(bytes);
	if (h.size < sizeof(bytes) || h.size > left)
		return incomplete(err, at, "a chunk is truncated");
	*size = h.size;
	return 0;
}

int fetch_check(int fd, uint64_t *size, struct jfrec_error *err)
{
	uint64_t at = 0, chunk = 0;
	struct stat st;

	if (fstat(fd, &st) < 0)
		return jfrec_fail_sys(err, errno, "cannot inspect the file that the JVM wrote");
	if (!S_ISREG(st.st_mode))
		return jfrec_fail(err, JFREC_ERESULT, JFREC_NO_OFFSET,
				  "the JVM did not write a regular file");
	*size = (uint64_t)st.st_size;
	if (*size == 0)
		return jfrec_fail(err, JFREC_ERESULT, JFREC_NO_OFFSET,
				  "the JVM reports that it wrote a file, but the file is empty");
	/* A copy of it would take room that the JVM's user never had. */
	if (has_holes(fd, &st))
		return jfrec_fail(err, JFREC_ERESULT, JFREC_NO_OFFSET,
				  "the file that the JVM wrote has holes, which no recording "
				  "has, and is not copied");
	for (; at < *size; at += chunk) {
		if (check_chunk(fd, at, *size - at, &chunk, err) < 0)
			return -1;
	}
	return 0;
}

int fetch_copy(int fd, uint64_t size, jfrec_write_fn *write, void *ctx, struct jfrec_error *err)
{
	char *buffer = malloc(COPY_STEP);
	int ret = -1, error;

	if (!buffer)
		return jfrec_fail_memory(err);
	for (uint64_t at = 0; at < size;) {
		size_t want = size - at < COPY_STEP ? (size_t)(size - at) : COPY_STEP;
		ssize_t got = read_at(fd, buffer, want, at);

		if (got < 0) {
			jfrec_fail_sys(err, errno, "cannot read the file that the JVM wrote");
			goto out;
		}
		if ((size_t)got < want) {
			incomplete(err, at + (uint64_t)got, "it was truncated");
			goto out;
		}
		error = write(ctx, buffer, want);
		if (error) {
			jfrec_fail_output(err, error);
			goto out;
		}
		at += want;
	}
	ret = 0;
out:
	free(buffer);
	return ret;
}

struct jfrec_dump *fetch_new(struct jfrec_session *s, struct jfrec_error *err)
{
	struct jfrec_dump *d = calloc(1, sizeof(*d));

	if (!d) {
		jfrec_fail_memory(err);
		return NULL;
	}
	d->s = s;
	d->fd = -1;
	return d;
}

uint64_t jfrec_dump_size(const struct jfrec_dump *d)
{
	return d->size;
}

int jfrec_dump_copy(const struct jfrec_dump *d, jfrec_write_fn *write, void *ctx,
		    struct jfrec_error *err)
{
	return fetch_copy(d->fd, d->size, write, ctx, err);
}

void jfrec_dump_free(struct jfrec_dump *d)
{
	if (!d)
		return;
	if (d->fd >= 0)
		close(d->fd);
	if (*d->path)
		session_remove_file(d->s, d->path, NULL);
	free(d);
}
