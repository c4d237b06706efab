/* SPDX-License-Identifier: MIT */
/*
 * file.c - read a file that only the user or root can have written
 */
#include "settings/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/small_file.h"

static int check_owner(int fd, const char *what, struct jfrec_error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return jfrec_fail_errno(err, errno);
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
		jfrec_fail_errno(err, errno);
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
	fd = small_file_open(directory, path + before, err);
	close(directory);
	if (fd >= 0 && check_owner(fd, "it", err) < 0) {
		close(fd);
		return NULL;
	}
	return small_file_take(fd, max, len, err);
}
