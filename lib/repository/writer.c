/* SPDX-License-Identifier: MIT */
/*
 * writer.c - which repository a JVM writes, and which JVM a repository, without asking it
 */
#include "repository/writer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process/root.h"
#include "repository/directory.h"
#include "repository/name.h"

/* What it has open ----------------------------------------------------------------------------- */

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
		path[strlen(path) - strlen(REPOSITORY_DELETED)] = '\0';
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

int repository_open(const struct process *p, const char *path)
{
	int root = root_open(p), fd, error;

	if (root < 0) {
		/* Not to be mistaken for a directory that is not there. */
		if (errno == ENOENT)
			errno = ESRCH;
		return -1;
	}
	fd = root_open_at(root, path, O_RDONLY | O_DIRECTORY);
	error = errno;
	close(root);
	errno = error;
	return fd;
}

/* Who has it open ------------------------------------------------------------------------------ */

/* As repository_writer(), of one JVM that may be it. */
static int try_writer(const struct jfrec_jvm *jvm, int directory, struct process *p)
{
	struct jfrec_error err;
	struct repository r;
	int fd, is;

	if (process_open(p, jvm->pid, jvm->start_ticks, &err) < 0)
		return err.code == JFREC_EPERMISSION ? -1 : 0;
	repository_find(&r, p);
	fd = *r.path ? repository_open(p, r.path) : -1;
	is = directory_is_same(fd, directory);
	if (fd >= 0)
		close(fd);
	if (r.denied && !process_has_exited(p))
		is = -1;
	if (is <= 0)
		process_close(p);
	return is;
}

int repository_writer(const char *path, struct process *p)
{
	const struct jfrec_jvm_query query = { .without_names = true };
	int ns_pid = repository_pid(path), directory = ns_pid ? directory_open(path) : -1, is = 0;
	struct jfrec_jvms *list = directory >= 0 ? jfrec_jvms_find(&query, NULL) : NULL;
	bool denied = false;

	for (size_t i = 0; i < (list ? jfrec_jvms_count(list) : 0) && is <= 0; i++) {
		const struct jfrec_jvm *jvm = jfrec_jvms_get(list, i);

		if (jvm->ns_pid == ns_pid)
			is = try_writer(jvm, directory, p);
		denied |= is < 0;
	}
	jfrec_jvms_free(list);
	if (directory >= 0)
		close(directory);
	return is > 0 ? 1 : denied ? -1 : 0;
}
