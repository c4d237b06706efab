/* SPDX-License-Identifier: MIT */
/*
 * repository.c - where a JVM keeps what it records, without asking it
 */
#include "attach/repository.h"

#include <ctype.h>
#include <dirent.h>
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

/* "2026_11_20_09_46_59_4711", or the same and a number if there was one of that name. */
static bool is_directory_of(const char *name, int ns_pid)
{
	char *end;

	if (!begins_with_time(name) || name[strlen(TIME)] != '_')
		return false;
	return strtol(name + strlen(TIME) + 1, &end, 10) == ns_pid && (*end == '\0' || *end == '_');
}

bool repository_parse(char *path, int ns_pid, bool *deleted)
{
	char *file, *directory;

	*deleted = ends_in(path, DELETED);
	if (*deleted)
		path[strlen(path) - strlen(DELETED)] = '\0';
	file = strrchr(path, '/');
	if (!file || !begins_with_time(file + 1) ||
	    !(ends_in(file, ".jfr") || ends_in(file, ".part")))
		return false;
	*file = '\0';
	directory = strrchr(path, '/');
	return directory && is_directory_of(directory + 1, ns_pid);
}

static bool take_link(struct repository *r, const struct process *p, int fds, const char *number)
{
	char path[PATH_MAX];
	ssize_t len = readlinkat(fds, number, path, sizeof(path) - 1);
	bool deleted;

	if (len <= 0)
		return false;
	path[len] = '\0';
	if (!repository_parse(path, p->status.ns_pid, &deleted))
		return false;
	r->deleted = deleted;
	snprintf(r->path, sizeof(r->path), "%s", root_name(p, path));
	return true;
}

void repository_find(struct repository *r, const struct process *p)
{
	int fd = openat(p->dir_fd, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *fds = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	bool found = false;

	*r = (struct repository){ .denied = !fds };
	if (!fds) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while (!found && (entry = readdir(fds)) != NULL)
		found = take_link(r, p, fd, entry->d_name);
	closedir(fds);
}
