/* SPDX-License-Identifier: MIT */
/*
 * small_file.c - read a small file into memory
 */
#include "base/small_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

/* What is at that place, not opened yet: it may have been replaced by what has the name by now. */
static int open_found(int at, int directory, const char *path)
{
	const int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	char name[40];
	int fd;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", at);
	fd = open(name, flags);
	/* Without /proc there is no other way than by its name. */
	return fd < 0 && errno == ENOENT && access("/proc/self/fd", F_OK) < 0
		       ? openat(directory, path, flags)
		       : fd;
}

/*
 * Opening a device or a FIFO may already do something: it is looked at first, with a descriptor
 * that only stands for it.
 */
int small_file_open(int directory, const char *path, struct jfrec_error *err)
{
	int at = openat(directory, path, O_PATH | O_CLOEXEC), fd = -1, error;
	struct stat st = { 0 };

	if (at < 0)
		return jfrec_fail_errno(err, errno);
	if (fstat(at, &st) == 0 && S_ISREG(st.st_mode))
		fd = open_found(at, directory, path);
	error = errno;
	close(at);
	if (S_ISREG(st.st_mode))
		return fd < 0 ? jfrec_fail_errno(err, error) : fd;
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
