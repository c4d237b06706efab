/* SPDX-License-Identifier: MIT */
/*
 * temp.c - a temporary file that gets its final name at the end
 */
#include "output/temp.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/kernel.h"

#define MARK ".jfrec-"
#define DIGITS 8

/* A directory full of such names does not hold up those who write there. */
#define MOST_ENTRIES 100000

static char *directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? strndup(path, (size_t)(slash - path + 1)) : strdup(".");
}

/* Making --------------------------------------------------------------------------------------- */

/* A name that cannot be guessed; NULL with errno set. */
static char *make_name(const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	uint32_t random;
	char *name;

	if (getrandom(&random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return NULL;
	if (asprintf(&name, "%.*s.%.200s" MARK "%08" PRIx32, (int)(base - path), path, base,
		     random) >= 0)
		return name;
	errno = ENOMEM;
	return NULL;
}

/* Is it ours, and did no other process take it for abandoned before it was locked? */
static bool lock(int fd)
{
	struct stat st;

	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		return errno != EWOULDBLOCK; /* not every file system has locks */
	return fstat(fd, &st) == 0 && st.st_nlink > 0;
}

static int open_named(struct temp *t, const char *path)
{
	for (;;) {
		t->name = make_name(path);
		if (!t->name)
			return errno;
		t->fd = open(t->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (t->fd < 0 && errno != EEXIST)
			return errno;
		if (t->fd >= 0 && lock(t->fd))
			return 0;
		temp_close(t);
	}
}

static void proc_path(char to[32], int fd)
{
	snprintf(to, 32, "/proc/self/fd/%d", fd);
}

/* It can be named later only by way of /proc. */
static bool open_unnamed(struct temp *t, const char *path)
{
	char *directory = directory_of(path), proc[32];
	struct stat st;

	if (!directory)
		return false;
	t->fd = open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	free(directory);
	if (t->fd < 0)
		return false;
	proc_path(proc, t->fd);
	if (stat(proc, &st) == 0) {
		flock(t->fd, LOCK_EX | LOCK_NB); /* for the moment that it has a first name */
		return true;
	}
	close(t->fd);
	t->fd = -1;
	return false;
}

int temp_open(struct temp *t, const char *path)
{
	int error;

	*t = (struct temp){ .fd = -1 };
	if (open_unnamed(t, path))
		return 0;
	error = open_named(t, path);
	if (error) { /* there is no such file */
		free(t->name);
		*t = (struct temp){ .fd = -1 };
	}
	return error;
}

/* Naming --------------------------------------------------------------------------------------- */

static int give_first_name(struct temp *t, const char *path)
{
	char proc[32];

	proc_path(proc, t->fd);
	for (;;) {
		char *name = make_name(path);

		if (!name)
			return errno;
		if (linkat(AT_FDCWD, proc, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0) {
			t->name = name;
			return 0;
		}
		free(name);
		if (errno != EEXIST)
			return errno;
	}
}

static int move_new(const struct temp *t, const char *path)
{
	char proc[32];

	if (!t->name) {
		proc_path(proc, t->fd);
		return linkat(AT_FDCWD, proc, AT_FDCWD, path, AT_SYMLINK_FOLLOW) < 0 ? errno : 0;
	}
	if (kernel_rename_new(AT_FDCWD, t->name, AT_FDCWD, path) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return errno;
	/* A file system without that. */
	if (link(t->name, path) < 0)
		return errno;
	unlink(t->name);
	return 0;
}

static int move_over(struct temp *t, const char *path)
{
	struct stat st;
	int error;

	/* Most often there is nothing to replace. */
	if (lstat(path, &st) < 0 && errno == ENOENT) {
		error = move_new(t, path);
		if (error != EEXIST)
			return error;
	}
	error = t->name ? 0 : give_first_name(t, path);
	return error ? error : rename(t->name, path) < 0 ? errno : 0;
}

int temp_commit(struct temp *t, const char *path, bool force)
{
	int error = force ? move_over(t, path) : move_new(t, path);
	char *name = t->name;

	if (!error) {
		t->name = NULL; /* of no concern to temp_abandon() from here on */
		free(name);
	}
	if (error == EEXIST) /* it may get another name */
		return error;
	if (t->fd >= 0 && close(t->fd) < 0 && !error)
		error = errno;
	t->fd = -1;
	return error;
}

void temp_abandon(const struct temp *t)
{
	if (t->name)
		unlink(t->name);
}

void temp_close(struct temp *t)
{
	temp_abandon(t);
	free(t->name);
	t->name = NULL;
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
}

/* What others left ----------------------------------------------------------------------------- */

static bool has_such_name(const char *name)
{
	size_t len = strlen(name), tail = strlen(MARK) + DIGITS;

	return name[0] == '.' && len > tail &&
	       strncmp(name + len - tail, MARK, strlen(MARK)) == 0 &&
	       strspn(name + len - DIGITS, "0123456789abcdef") == DIGITS;
}

/* Locks of another host, or of the other side of FUSE, may not show here. */
static bool shows_all_locks(int directory)
{
	static const unsigned local[] = {
		0xef53,	    /* ext */
		0x58465342, /* xfs */
		0x9123683e, /* btrfs */
		0x01021994, /* tmpfs */
		0x794c7630, /* overlay */
		0x2fc12fc1, /* zfs */
		0xf2f52010, /* f2fs */
		0x858458f6, /* ramfs */
		0x4d44,	    /* vfat */
	};
	struct statfs fs;

	if (fstatfs(directory, &fs) < 0)
		return false;
	for (size_t i = 0; i < sizeof(local) / sizeof(*local); i++) {
		if ((unsigned)fs.f_type == local[i])
			return true;
	}
	return false;
}

static bool is_ours(const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_uid == geteuid();
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Only what is a plain file is opened: opening anything else can do something. */
static bool remove_abandoned(int directory, const char *name)
{
	struct stat before, opened, after;
	bool done = false;
	int fd;

	if (fstatat(directory, name, &before, AT_SYMLINK_NOFOLLOW) < 0 || !is_ours(&before))
		return false;
	fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (fstat(fd, &opened) == 0 && is_ours(&opened) && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
	    fstatat(directory, name, &after, AT_SYMLINK_NOFOLLOW) == 0 && is_same(&opened, &after))
		done = unlinkat(directory, name, 0) == 0;
	close(fd);
	return done;
}

size_t temp_sweep(const char *path)
{
	char *directory = directory_of(path);
	DIR *d = directory ? opendir(directory) : NULL;
	const struct dirent *entry;
	size_t removed = 0;

	free(directory);
	if (!d)
		return 0;
	for (int i = 0; shows_all_locks(dirfd(d)) && i < MOST_ENTRIES && (entry = readdir(d));
	     i++) {
		if (has_such_name(entry->d_name))
			removed += remove_abandoned(dirfd(d), entry->d_name);
	}
	closedir(d);
	return removed;
}
