/* SPDX-License-Identifier: MIT */
/*
 * directory.c - a directory that appears under its name when it is complete
 */
#include "snapshot/directory.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/report.h"

#define MARK   ".jfrec-"
#define DIGITS 8

/* As the kernel has them; not every libc does. */
enum { NO_REPLACE = 1, EXCHANGE = 2 };

/* What is in every snapshot. */
#define MANIFEST "manifest.json"

static int fail(const struct snapshot_directory *d, const char *what, int sys)
{
	char sentence[200];

	snprintf(sentence, sizeof(sentence), "%s: %s", what, strerror(sys));
	say(d->path, sentence);
	return EXIT_FAILED;
}

/* Removing ------------------------------------------------------------------------------------- */

static void remove_files(int fd, bool only_hidden)
{
	int list = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *files = list < 0 ? NULL : fdopendir(list);
	const struct dirent *entry;

	while (files && (entry = readdir(files)) != NULL) {
		if (*entry->d_name == '.' || !only_hidden)
			unlinkat(fd, entry->d_name, 0);
	}
	if (files)
		closedir(files);
	else if (list >= 0)
		close(list);
}

void snapshot_directory_tidy(const struct snapshot_directory *d)
{
	remove_files(d->fd, true);
}

/* The files in it, and itself: there is nothing else in a snapshot. */
static bool remove_all(int around, const char *name, int fd)
{
	remove_files(fd, false);
	return unlinkat(around, name, AT_REMOVEDIR) == 0;
}

static int open_own(int around, const char *name)
{
	int fd = openat(around, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) < 0 || st.st_uid != geteuid())) {
		close(fd);
		errno = EPERM;
		return -1;
	}
	return fd;
}

/* ".NAME.jfrec-0123abcd", of any name: most have a time in it. */
static bool is_temporary(const char *entry)
{
	size_t len = strlen(entry), end = strlen(MARK) + DIGITS;

	return *entry == '.' && len > end && strncmp(entry + len - end, MARK, strlen(MARK)) == 0 &&
	       strspn(entry + len - DIGITS, "0123456789abcdef") == DIGITS;
}

static bool has_manifest(int fd)
{
	struct stat st;

	return fstatat(fd, MANIFEST, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode);
}

/* What killed processes of the same user left. */
static void sweep(const struct snapshot_directory *d)
{
	int list = openat(d->around, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *entries = list < 0 ? NULL : fdopendir(list);
	const struct dirent *entry;

	if (!entries) {
		if (list >= 0)
			close(list);
		return;
	}
	while ((entry = readdir(entries)) != NULL) {
		int fd = is_temporary(entry->d_name) ? open_own(d->around, entry->d_name) : -1;

		if (fd < 0)
			continue;
		if (has_manifest(fd) && flock(fd, LOCK_EX | LOCK_NB) == 0)
			remove_all(d->around, entry->d_name, fd);
		close(fd);
	}
	closedir(entries);
}

/* Making --------------------------------------------------------------------------------------- */

static int split_path(struct snapshot_directory *d, const char *path)
{
	size_t len = strlen(path);
	char around[OUTNAME_MAX];
	const char *slash;

	while (len > 1 && path[len - 1] == '/')
		len--;
	if (!len || len >= sizeof(d->path))
		return fail(d, "cannot be made", ENAMETOOLONG);
	snprintf(d->path, sizeof(d->path), "%.*s", (int)len, path);
	slash = strrchr(d->path, '/');
	snprintf(around, sizeof(around), "%.*s", slash ? (int)(slash - d->path) + 1 : 1,
		 slash ? d->path : ".");
	slash = slash ? slash + 1 : d->path;
	if (!*slash || strcmp(slash, ".") == 0 || strcmp(slash, "..") == 0 ||
	    strlen(slash) > NAME_MAX - 2 - strlen(MARK) - DIGITS)
		return fail(d, "cannot be the name of a snapshot", EINVAL);
	snprintf(d->name, sizeof(d->name), "%s", slash);
	d->around = open(around, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return d->around < 0 ? fail(d, "cannot be made", errno) : EXIT_DONE;
}

static bool is_snapshot(const struct snapshot_directory *d)
{
	int fd = open_own(d->around, d->name);
	bool is = fd >= 0 && has_manifest(fd);

	if (fd >= 0)
		close(fd);
	return is;
}

static int look_at_existing(struct snapshot_directory *d, bool force)
{
	struct stat st;

	if (fstatat(d->around, d->name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? EXIT_DONE : fail(d, "cannot be made", errno);
	if (!force) {
		say(d->path, "exists already; use --force to replace a snapshot, or another name");
		return EXIT_FAILED;
	}
	if (!is_snapshot(d)) {
		say(d->path, "is not a snapshot of this user, and is not replaced; use another name");
		return EXIT_FAILED;
	}
	d->replaces = true;
	return EXIT_DONE;
}

static int make(struct snapshot_directory *d)
{
	struct stat st;
	uint32_t random;
	int made;

	do {
		if (getrandom(&random, sizeof(random), 0) != (ssize_t)sizeof(random))
			return fail(d, "cannot be made", errno);
		snprintf(d->temporary, sizeof(d->temporary), ".%.*s" MARK "%08x",
			 (int)(NAME_MAX - 1 - strlen(MARK) - DIGITS), d->name, random);
		made = mkdirat(d->around, d->temporary, 0700);
	} while (made < 0 && errno == EEXIST);
	d->fd = made == 0 ? open_own(d->around, d->temporary) : -1;
	if (d->fd < 0 || fstat(d->fd, &st) < 0)
		return fail(d, "cannot be made", errno);
	flock(d->fd, LOCK_EX | LOCK_NB); /* not every file system has locks */
	d->dev = st.st_dev;
	d->ino = st.st_ino;
	return EXIT_DONE;
}

int snapshot_directory_open(struct snapshot_directory *d, const char *path, bool force,
			    bool is_packed)
{
	int status;

	*d = (struct snapshot_directory){ .around = -1, .fd = -1 };
	snprintf(d->path, sizeof(d->path), "%s", path);
	status = split_path(d, path);
	if (status == EXIT_DONE && !is_packed)
		status = look_at_existing(d, force);
	if (status == EXIT_DONE) {
		sweep(d);
		status = make(d);
	}
	if (status != EXIT_DONE)
		snapshot_directory_close(d);
	return status;
}

/* Naming --------------------------------------------------------------------------------------- */

static int rename_to(const struct snapshot_directory *d, unsigned flags)
{
	return (int)syscall(SYS_renameat2, d->around, d->temporary, d->around, d->name, flags);
}

/* The old one has the temporary name now. */
static int exchange(struct snapshot_directory *d)
{
	int old;

	if (!is_snapshot(d))
		return fail(d, "was replaced meanwhile", ESTALE);
	if (rename_to(d, EXCHANGE) < 0)
		return fail(d, "cannot be replaced", errno);
	old = open_own(d->around, d->temporary);
	if (old < 0 || !remove_all(d->around, d->temporary, old))
		say(d->path, "what it replaces could not be removed as a whole");
	if (old >= 0)
		close(old);
	return EXIT_DONE;
}

static int name_new(struct snapshot_directory *d)
{
	if (rename_to(d, NO_REPLACE) == 0)
		return EXIT_DONE;
	/* A file system without that: what is there and not empty is still not replaced. */
	if ((errno == EINVAL || errno == ENOSYS) && rename_to(d, 0) == 0)
		return EXIT_DONE;
	return fail(d, "cannot be named", errno);
}

int snapshot_directory_commit(struct snapshot_directory *d)
{
	struct stat st;
	int status;

	if (fsync(d->fd) < 0 && errno == EIO)
		return fail(d, "cannot be written", errno);
	status = d->replaces ? exchange(d) : name_new(d);
	if (status != EXIT_DONE)
		return status;
	*d->temporary = '\0';
	if (fstatat(d->around, d->name, &st, AT_SYMLINK_NOFOLLOW) < 0 || st.st_dev != d->dev ||
	    st.st_ino != d->ino)
		return fail(d, "was removed by the owner of the directory around it", ESTALE);
	fsync(d->around);
	return EXIT_DONE;
}

void snapshot_directory_close(struct snapshot_directory *d)
{
	if (d->fd >= 0 && *d->temporary)
		remove_all(d->around, d->temporary, d->fd);
	if (d->fd >= 0)
		close(d->fd);
	if (d->around >= 0)
		close(d->around);
	d->fd = d->around = -1;
}
