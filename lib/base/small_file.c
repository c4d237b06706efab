/* SPDX-License-Identifier: MIT */
/*
 * small_file.c - read a small file into memory
 */
#include "base/small_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

/* Opening a FIFO must not wait for a writer. */
int small_file_open(int directory, const char *path, struct jfrec_error *err)
{
	int fd = openat(directory, path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st = { 0 };

	if (fd < 0)
		return jfrec_fail_errno(err, errno);
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	if (S_ISDIR(st.st_mode))
		return jfrec_fail_errno(err, EISDIR);
	return jfrec_fail(err, JFREC_EIO, JFREC_NO_OFFSET, "it is not a regular file");
}

static ssize_t read_all(int fd, char *to, size_t room)
{
	size_t len = 0;

	while (len < room) {
		ssize_t n = read(fd, to + len, room - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -1 : (ssize_t)len;
		len += (size_t)n;
	}
	return (ssize_t)len;
}

char *small_file_take(int fd, size_t max, size_t *len, struct jfrec_error *err)
{
	char *bytes;
	ssize_t got;

	if (fd < 0)
		return NULL;
	bytes = malloc(max + 1);
	got = bytes ? read_all(fd, bytes, max + 1) : 0;
	if (!bytes)
		jfrec_fail_memory(err);
	else if (got < 0)
		jfrec_fail_errno(err, errno);
	close(fd);
	if (got < 0) {
		free(bytes);
		return NULL;
	}
	*len = (size_t)got;
	return bytes;
}

char *small_file_read(const char *path, size_t max, size_t *len, struct jfrec_error *err)
{
	return small_file_take(small_file_open(AT_FDCWD, path, err), max, len, err);
}
