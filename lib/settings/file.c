/* SPDX-License-Identifier: MIT */
/*
 * file.c - read a small file into memory
 */
#include "settings/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

static int fail(struct jfrec_error *err, int error)
{
	jfrec_fail(err, JFREC_EIO, JFREC_NO_OFFSET, "%s", strerror(error));
	if (err)
		err->sys = error;
	return -1;
}

/* Opening a FIFO must not wait for somebody to write. */
static int open_regular(int directory, const char *path, struct jfrec_error *err)
{
	int fd = openat(directory, path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st = { 0 };

	if (fd < 0)
		return fail(err, errno);
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	if (S_ISDIR(st.st_mode))
		return fail(err, EISDIR);
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

/* The descriptor is then closed; -1 with *err set is allowed. */
static char *read_fd(int fd, size_t max, size_t *len, struct jfrec_error *err)
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
		fail(err, errno);
	close(fd);
	if (got < 0) {
		free(bytes);
		return NULL;
	}
	*len = (size_t)got;
	return bytes;
}

char *file_read(const char *path, size_t max, size_t *len, struct jfrec_error *err)
{
	return read_fd(open_regular(AT_FDCWD, path, err), max, len, err);
}

/* Whose it is ---------------------------------------------------------------------------------- */

static int check_owner(int fd, const char *what, struct jfrec_error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return fail(err, errno);
	if (st.st_uid != geteuid() && st.st_uid != 0)
		return jfrec_fail(err, JFREC_EPERMISSION, JFREC_NO_OFFSET,
				  "%s belongs to user %u, but jfrec runs as user "
				  "%u", what, st.st_uid,
				  geteuid());
	if ((st.st_mode & S_IWOTH) ||
	    ((st.st_mode & S_IWGRP) && st.st_gid != getegid() && st.st_gid != 0))
		return jfrec_fail(err, JFREC_EPERMISSION, JFREC_NO_OFFSET,
				  "%s is writable for other users", what);
	return 0;
}

/* Open the directory that a file is in, if it is only the user's. */
static int open_own_directory(const char *path, size_t len, struct jfrec_error *err)
{
	char *name = len ? strndup(path, len) : strdup(".");
	int fd = name ? open(name, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;

	if (!name)
		jfrec_fail_memory(err);
	else if (fd < 0)
		fail(err, errno);
	free(name);
	if (fd < 0 || check_owner(fd, "its directory", err) == 0)
		return fd;
	close(fd);
	return -1;
}

char *file_read_own(const char *path, size_t max, size_t *len, struct jfrec_error *err)
{
	const char *slash = strrchr(path, '/');
	size_t before = slash ? (size_t)(slash - path + 1) : 0;
	int directory = open_own_directory(path, before, err), fd = -1;

	if (directory < 0)
		return NULL;
	fd = open_regular(directory, path + before, err);
	close(directory);
	if (fd >= 0 && check_owner(fd, "it", err) < 0) {
		close(fd);
		return NULL;
	}
	return read_fd(fd, max, len, err);
}
