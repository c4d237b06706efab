/* SPDX-License-Identifier: MIT */
/*
 * root.c - open a process's files by the names it has for them
 */
#include "process/root.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int root_open(const struct process *p)
{
	return openat(p->dir_fd, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

const char *root_name(const struct process *p, const char *path)
{
	char root[PATH_MAX];
	ssize_t len = readlinkat(p->dir_fd, "root", root, sizeof(root) - 1);

	if (len <= 1)
		return path;
	root[len] = '\0';
	return strncmp(path, root, (size_t)len) == 0 && path[len] == '/' ? path + len : path;
}

static bool is_dots(const char *name)
{
	return strcmp(name, "..") == 0;
}

/* O_PATH opens a link itself instead of refusing it: only if that is wanted. */
static int open_no_link(int dir, const char *name, int flags)
{
	struct stat st;
	int fd;

	if (is_dots(name)) {
		errno = ELOOP;
		return -1;
	}
	fd = openat(dir, name, flags | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && !(flags & O_NOFOLLOW) && fstat(fd, &st) == 0 && S_ISLNK(st.st_mode)) {
		close(fd);
		errno = ELOOP;
		return -1;
	}
	return fd;
}

/* Name by name: also for kernels without openat2(), and where it is filtered out. */
int root_walk(int root, const char *path, int flags)
{
	char name[NAME_MAX + 1];
	int dir = root, next = -1, error;
	size_t len;

	path += strspn(path, "/");
	do {
		len = strcspn(path, "/");
		if (len > NAME_MAX) {
			errno = ENAMETOOLONG;
			next = -1;
		} else {
			memcpy(name, len ? path : ".", len ? len : 1);
			name[len ? len : 1] = '\0';
			path += len + strspn(path + len, "/");
			next = open_no_link(dir, name, *path ? O_PATH | O_DIRECTORY : flags);
		}
		error = errno;
		if (dir != root)
			close(dir);
		errno = error;
		dir = next;
	} while (next >= 0 && *path);
	return next;
}

int root_open_at(int root, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned)flags | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	int fd = (int)syscall(SYS_openat2, root, path, &how, sizeof(how));

	if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
		return fd;
	return root_walk(root, path, flags);
}
