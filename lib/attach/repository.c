/* SPDX-License-Identifier: MIT */
/*
 * repository.c - where a JVM keeps what it records, without asking it
 */
#include "attach/repository.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attach/root.h"

#define DELETED " (deleted)"

/* The form of a time; a 9 stands for any digit. */
#define TIME "9999_99_99_99_99_99"

static bool ends_in(const char *s, const char *suffix)
{
	size_t len = strlen(s), n = strlen(suffix);

	return len >= n && strcmp(s + len - n, suffix) == 0;
}

static bool begins_with_time(const char *s)
{
	for (const char *form = TIME; *form; form++, s++) {
		if (*form == '9' ? !isdigit((unsigned char)*s) : *s != *form)
			return false;
	}
	return true;
}

int repository_pid(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char *end;
	long pid;

	/* "2026_11_20_09_46_59_4711", or the same and a number if there was one of that name. */
	if (!begins_with_time(name) || name[strlen(TIME)] != '_' ||
	    !isdigit((unsigned char)name[strlen(TIME) + 1]))
		return 0;
	errno = 0;
	pid = strtol(name + strlen(TIME) + 1, &end, 10);
	if (*end == '_')
		end += 1 + strspn(end + 1, "0123456789");
	return *end == '\0' && !errno && pid > 0 && pid <= INT_MAX ? (int)pid : 0;
}

bool repository_parse(char *path, int ns_pid, bool *deleted)
{
	char *file;

	*deleted = ends_in(path, DELETED);
	if (*deleted)
		path[strlen(path) - strlen(DELETED)] = '\0';
	file = strrchr(path, '/');
	if (!file || !begins_with_time(file + 1) ||
	    !(ends_in(file, ".jfr") || ends_in(file, ".part")))
		return false;
	*file = '\0';
	return strchr(path, '/') && repository_pid(path) == ns_pid;
}

/* The path of a file that the process has open, if it is one of its repository. */
static bool read_link(const struct process *p, int fds, const char *number, char path[PATH_MAX],
		      char directory[PATH_MAX], bool *deleted)
{
	ssize_t len = readlinkat(fds, number, path, PATH_MAX - 1);

	if (len <= 0)
		return false;
	path[len] = '\0';
	memcpy(directory, path, (size_t)len + 1);
	if (!repository_parse(directory, p->status.ns_pid, deleted))
		return false;
	if (*deleted)
		path[strlen(path) - strlen(DELETED)] = '\0';
	return true;
}

static DIR *open_fds(const struct process *p)
{
	int fd = openat(p->dir_fd, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *fds = fd < 0 ? NULL : fdopendir(fd);

	if (!fds && fd >= 0)
		close(fd);
	return fds;
}

void repository_find(struct repository *r, const struct process *p)
{
	char path[PATH_MAX], directory[PATH_MAX];
	const struct dirent *entry;
	DIR *fds = open_fds(p);
	bool deleted;

	*r = (struct repository){ .denied = !fds };
	while (fds && !*r->path && (entry = readdir(fds)) != NULL) {
		if (!read_link(p, dirfd(fds), entry->d_name, path, directory, &deleted))
			continue;
		r->deleted = deleted;
		snprintf(r->path, sizeof(r->path), "%s", root_name(p, directory));
	}
	if (fds)
		closedir(fds);
}

int repository_each_open(const struct process *p, repository_open_fn *fn, void *ctx,
			 struct jfrec_error *err)
{
	char path[PATH_MAX], directory[PATH_MAX];
	const struct dirent *entry;
	DIR *fds = open_fds(p);
	bool deleted;
	int ret = 0, fd;

	while (fds && ret == 0 && (entry = readdir(fds)) != NULL) {
		if (!read_link(p, dirfd(fds), entry->d_name, path, directory, &deleted))
			continue;
		fd = openat(dirfd(fds), entry->d_name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (fd >= 0)
			ret = fn(ctx, fd, path, err);
	}
	if (fds)
		closedir(fds);
	return ret;
}
