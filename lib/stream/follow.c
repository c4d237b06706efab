/* SPDX-License-Identifier: MIT */
/*
 * follow.c - from one chunk file of a repository to the next
 */
#include "stream/follow.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attach/repository.h"
#include "attach/root.h"
#include "base/error.h"
#include "input/directory.h"

/* Directories ---------------------------------------------------------------------------------- */

/* 2026_11_20_09_46_59_4711 */
#define REPOSITORY "[0-9][0-9][0-9][0-9]_[0-9][0-9]_[0-9][0-9]_[0-9][0-9]_[0-9][0-9]_[0-9][0-9]_*"

static int set_directory(struct follow *f, const char *directory, const char *name,
			 struct jfrec_error *err)
{
	char *d = strdup(directory), *n = strdup(name);

	if (!d || !n) {
		free(d);
		free(n);
		return jfrec_fail_memory(err);
	}
	free(f->directory);
	free(f->name);
	f->directory = d;
	f->name = n;
	return 0;
}

static bool is_newer(const struct stat *a, const struct stat *b)
{
	if (a->st_mtim.tv_sec != b->st_mtim.tv_sec)
		return a->st_mtim.tv_sec > b->st_mtim.tv_sec;
	return a->st_mtim.tv_nsec > b->st_mtim.tv_nsec;
}

/* The entry of a directory that was changed last, of those of that pattern and kind. */
static bool newest_entry(const char *path, const char *pattern, mode_t kind,
			 char name[NAME_MAX + 1])
{
	DIR *dir = opendir(path);
	const struct dirent *d;
	struct stat st, newest = { 0 };
	bool found = false;

	while (dir && (d = readdir(dir)) != NULL) {
		if (fnmatch(pattern, d->d_name, 0) != 0 ||
		    fstatat(dirfd(dir), d->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
		    (st.st_mode & S_IFMT) != kind || (found && !is_newer(&st, &newest)))
			continue;
		found = true;
		newest = st;
		snprintf(name, NAME_MAX + 1, "%s", d->d_name);
	}
	if (dir)
		closedir(dir);
	return found;
}

static char *path_of(const char *directory, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", directory, name) < 0 ? NULL : path;
}

void follow_fini(struct follow *f)
{
	if (f->has_process)
		process_close(&f->process);
	if (f->fd >= 0)
		close(f->fd);
	free(f->directory);
	free(f->name);
	free(f->last_file);
	*f = (struct follow){ .fd = -1, .process = PROCESS_NONE };
}

/* Of a JVM ------------------------------------------------------------------------------------- */

int follow_jvm(struct follow *f, const struct jfrec_jvm *jvm, struct jfrec_error *err)
{
	*f = (struct follow){ .fd = -1, .process = PROCESS_NONE };
	if (process_open(&f->process, jvm->pid, jvm->start_ticks, err) < 0)
		return -1;
	f->has_process = true;
	if (follow_move(f, err) >= 0)
		return 0;
	follow_fini(f);
	return -1;
}

/* A descriptor, since the name may mean something only in the JVM's root, and while that runs. */
static int open_repository(const struct follow *f, const char *path)
{
	int root = root_open(&f->process), fd;

	if (root < 0)
		return -1;
	fd = root_open_at(root, path, O_RDONLY | O_DIRECTORY);
	close(root);
	return fd;
}

static bool is_same_directory(int a, int b)
{
	struct stat x, y;

	return a >= 0 && fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

int follow_move(struct follow *f, struct jfrec_error *err)
{
	char directory[32];
	struct repository r;
	int fd;

	if (!f->has_process)
		return 0;
	repository_find(&r, &f->process);
	if (r.denied)
		return process_has_exited(&f->process)
			       ? 0
			       : jfrec_fail(
					 err, JFREC_EPERMISSION, JFREC_NO_OFFSET,
					 "process %d belongs to another user, so where it "
					 "records cannot be seen; run jfrec as that user or root",
					 f->process.pid);
	fd = *r.path ? open_repository(f, r.path) : -1;
	if (fd < 0)
		return 0;
	if (is_same_directory(f->fd, fd)) {
		close(fd);
		return 0;
	}
	if (f->fd >= 0)
		close(f->fd);
	f->fd = fd;
	snprintf(directory, sizeof(directory), "/proc/self/fd/%d", fd);
	return set_directory(f, directory, r.path, err) < 0 ? -1 : 1;
}

static int choose_directory(struct follow *f, const char *path, struct jfrec_error *err)
{
	char name[NAME_MAX + 1], *inner;
	int ret;

	if (newest_entry(path, "*.jfr", S_IFREG, name) ||
	    !newest_entry(path, REPOSITORY, S_IFDIR, name))
		return set_directory(f, path, path, err);
	inner = path_of(path, name);
	if (!inner)
		return jfrec_fail_memory(err);
	ret = set_directory(f, inner, inner, err);
	free(inner);
	return ret;
}

/* The pid that a repository is named for, in the namespace of its JVM; 0: it is none. */
static int pid_of_name(const char *directory)
{
	const char *end = directory + strlen(directory), *slash, *number;

	while (end > directory && end[-1] == '/')
		end--;
	for (slash = end; slash > directory && slash[-1] != '/'; slash--)
		;
	/* "2026_11_20_09_46_59_4711" */
	number = fnmatch(REPOSITORY "*", slash, 0) == 0 ? slash + strlen("2026_11_20_09_46_59_")
							: "";
	return atoi(number);
}

/* Does the JVM write to f's directory?  Then its process is f's. */
static bool is_writer(struct follow *f, const struct jfrec_jvm *jvm, bool *denied)
{
	struct follow its;
	struct stat a, b;
	bool is_same;

	if (follow_jvm(&its, jvm, NULL) < 0) {
		*denied = true;
		return false;
	}
	is_same = its.fd >= 0 && fstat(its.fd, &a) == 0 && stat(f->directory, &b) == 0 &&
		  a.st_dev == b.st_dev && a.st_ino == b.st_ino;
	if (is_same) {
		f->process = its.process;
		f->has_process = true;
		its.has_process = false;
	}
	follow_fini(&its);
	return is_same;
}

static void find_writer(struct follow *f)
{
	const struct jfrec_jvm_query query = { .without_names = true };
	int ns_pid = pid_of_name(f->directory);
	struct jfrec_jvms *list = ns_pid ? jfrec_jvms_find(&query, NULL) : NULL;
	bool denied = false;

	for (size_t i = 0; i < (list ? jfrec_jvms_count(list) : 0) && !f->has_process; i++) {
		const struct jfrec_jvm *jvm = jfrec_jvms_get(list, i);

		if (jvm->ns_pid == ns_pid)
			is_writer(f, jvm, &denied);
	}
	f->is_abandoned = !f->has_process && !denied;
	jfrec_jvms_free(list);
}

int follow_directory(struct follow *f, const char *path, struct jfrec_error *err)
{
	*f = (struct follow){ .fd = -1, .process = PROCESS_NONE };
	if (access(path, R_OK | X_OK) < 0)
		return jfrec_fail_sys(err, errno, "cannot open");
	if (choose_directory(f, path, err) < 0)
		return -1;
	find_writer(f);
	return 0;
}

bool follow_has_ended(const struct follow *f)
{
	return f->has_process && process_has_exited(&f->process);
}

bool follow_is_deleted(const struct follow *f)
{
	struct stat st;

	if (!f->directory)
		return false;
	return stat(f->directory, &st) < 0 ? errno == ENOENT : st.st_nlink == 0;
}

/* Files ---------------------------------------------------------------------------------------- */

struct search {
	const struct follow *f;
	const struct follow_start *start;
	char *path; /* the best so far */
	struct chunk_header header;
};

static const char *file_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Files come in the order of time: is this one behind the last that was followed? */
static bool is_behind_last(const struct follow *f, const char *path, const struct chunk_header *h)
{
	int order = directory_order(h, &f->last);

	return order ? order > 0 : strcmp(file_of(path), f->last_file) > 0;
}

static bool is_better(const struct search *s, const char *path, const struct chunk_header *h)
{
	if (s->f->has_last)
		return !s->path && is_behind_last(s->f, path, h);
	switch (s->start->at) {
	case FOLLOW_NEWEST:
		return true;
	case FOLLOW_OLDEST:
		return !s->path;
	case FOLLOW_TIME:
		return !s->path || h->start_ns <= s->start->ns;
	}
	return false;
}

static int look(void *ctx, const char *path, const struct chunk_header *h, struct jfrec_error *err)
{
	struct search *s = ctx;

	/* That looks like a header, but is none yet: follow_part(). */
	if (fnmatch("*.part", path, 0) == 0 || !is_better(s, path, h))
		return 0;
	free(s->path);
	s->header = *h;
	s->path = strdup(path);
	return s->path ? 0 : jfrec_fail_memory(err);
}

int follow_next(struct follow *f, const struct follow_start *start, char **path,
		struct chunk_header *h, struct jfrec_error *err)
{
	struct search s = { .f = f, .start = start };
	struct jfrec_error why = { 0 };

	*path = NULL;
	if (!f->directory)
		return 0;
	/* A directory that is gone, or empty as yet, is no failure. */
	if (directory_list(f->directory, look, &s, &why) < 0 && why.code == JFREC_ENOMEM) {
		free(s.path);
		return jfrec_fail_memory(err);
	}
	*path = s.path;
	*h = s.header;
	return s.path != NULL;
}

int follow_part(struct follow *f, char **path, struct jfrec_error *err)
{
	char name[NAME_MAX + 1];

	*path = NULL;
	if (!f->directory || !newest_entry(f->directory, "*.part", S_IFREG, name))
		return 0;
	*path = path_of(f->directory, name);
	return *path ? 1 : jfrec_fail_memory(err);
}

int follow_passed(struct follow *f, const char *path, const struct chunk_header *h)
{
	char *file = strdup(file_of(path));

	if (!file)
		return -1;
	free(f->last_file);
	f->last_file = file;
	f->last = *h;
	f->has_last = true;
	return 0;
}
