/* SPDX-License-Identifier: MIT */
/*
 * input.c - where the bytes come from
 */
#include "input/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

static const char *kind_of(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFDIR:
		return "a directory";
	case S_IFIFO:
		return "a FIFO";
	case S_IFSOCK:
		return "a socket";
	case S_IFCHR:
	case S_IFBLK:
		return "a device";
	default:
		return "no regular file";
	}
}

int input_open(struct input *in, const char *path, struct jfrec_error *err)
{
	struct stat st;
	int ret;

	/* O_NONBLOCK: opening a FIFO must not wait for a writer. */
	in->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (in->fd < 0)
		return jfrec_fail_sys(err, errno, "cannot open");
	if (fstat(in->fd, &st) < 0) {
		ret = jfrec_fail_sys(err, errno, "cannot open");
	} else if (!S_ISREG(st.st_mode)) {
		ret = jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				 "is %s; name the recording file itself", kind_of(st.st_mode));
	} else {
		in->size = (uint64_t)st.st_size;
		return 0;
	}
	input_close(in);
	return ret;
}

void input_close(struct input *in)
{
	if (in->fd >= 0)
		close(in->fd);
	in->fd = -1;
}

int input_read(const struct input *in, uint64_t offset, void *to, size_t len, size_t *got,
	       struct jfrec_error *err)
{
	*got = 0;
	while (*got < len) {
		ssize_t n = pread(in->fd, (char *)to + *got, len - *got, (off_t)(offset + *got));

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
	off_t data = lseek(in->fd, (off_t)offset, SEEK_DATA);

	if (data >= 0)
		return (uint64_t)data;
	return errno == ENXIO ? in->size : offset;
}

static int span_map(const struct input *in, uint64_t offset, uint64_t len, struct span *span)
{
	uint64_t lead = offset % (uint64_t)sysconf(_SC_PAGESIZE);

	span->map_len = (size_t)(lead + len);
	span->map = mmap(NULL, span->map_len, PROT_READ, MAP_PRIVATE, in->fd,
			 (off_t)(offset - lead));
	if (span->map == MAP_FAILED) {
		*span = (struct span){ 0 };
		return -1;
	}
	span->bytes = (const uint8_t *)span->map + lead;
	span->len = len;
	return 0;
}

int input_span(const struct input *in, uint64_t offset, uint64_t len, bool steady,
	       struct span *span, struct jfrec_error *err)
{
	size_t got;
	void *copy;

	*span = (struct span){ 0 };
	if (steady && span_map(in, offset, len, span) == 0)
		return 0;
	copy = malloc(len);
	if (!copy)
		return jfrec_fail_memory(err);
	if (input_read(in, offset, copy, len, &got, err) < 0) {
		free(copy);
		return -1;
	}
	*span = (struct span){ .bytes = copy, .len = got, .map = copy };
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
