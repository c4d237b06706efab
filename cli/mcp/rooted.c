/* SPDX-License-Identifier: MIT */
/*
 * rooted.c - files beneath the directories that the server was given, and no others
 */
#include "mcp/rooted.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel resolves the path at once, so that nobody can change it between look and use. */
static int open_beneath(int directory, const char *path)
{
	struct open_how how = { .flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
				.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS |
					   RESOLVE_NO_MAGICLINKS };

	return (int)syscall(SYS_openat2, directory, path, &how, sizeof(how));
}

bool rooted_open(struct rooted *r, const char *path)
{
	int probe;

	*r = (struct rooted){ .fd = -1 };
	if (!path)
		return true;
	r->path = realpath(path, NULL);
	r->fd = r->path ? open(r->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	probe = r->fd >= 0 ? open_beneath(r->fd, ".") : -1;
	if (probe < 0) {
		/* A sandbox around us may filter the call out. */
		errno = r->fd >= 0 && errno == EPERM ? ENOSYS : errno;
		return false;
	}
	close(probe);
	return true;
}

void rooted_close(struct rooted *r)
{
	if (r->fd >= 0)
		close(r->fd);
	free(r->path);
	*r = (struct rooted){ .fd = -1 };
}

/* Without the directory's own path in front; what lies elsewhere is refused as it is. */
static const char *relative(const struct rooted *r, const char *path)
{
	size_t len = strlen(r->path);

	if (strncmp(path, r->path, len) != 0 || (len > 1 && path[len] != '/'))
		return path;
	path += len;
	while (*path == '/')
		path++;
	return path;
}

int rooted_recording(const struct rooted *r, const char *path, const char **fault)
{
	struct stat st;
	int fd;

	*fault = "the server's root directory has no recording of that name";
	if (r->fd < 0 || !*path)
		return -1;
	fd = open_beneath(r->fd, relative(r, path));
	if (fd < 0) {
		if (errno == EXDEV || errno == ELOOP)
			*fault = "that path leads out of the server's root, or through a link";
		else if (errno == EACCES)
			*fault = "the server may not read that recording";
		return -1;
	}
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	*fault = "that is not a plain file";
	close(fd);
	return -1;
}

const char *rooted_check_name(const struct rooted *r, const char *name)
{
	size_t len = strlen(name);
	struct stat st;

	if (len < 5 || len > 200 || strcmp(name + len - 4, ".jfr") != 0)
		return "the name of a new recording ends with .jfr";
	if (*name == '.' || *name == '-' ||
	    strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
			 "0123456789._-") != len)
		return "the name of a new recording has letters, digits, '.', '_' and '-' only";
	return fstatat(r->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0
		       ? "there is a file of that name already"
		       : NULL;
}

uint64_t rooted_size(const struct rooted *r)
{
	int fd = openat(r->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *e;
	uint64_t size = 0;

	if (!d && fd >= 0)
		close(fd);
	while (d && (e = readdir(d)) != NULL) {
		struct stat st;

		if (fstatat(r->fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))
			size += (uint64_t)st.st_size;
	}
	if (d)
		closedir(d);
	return size;
}
