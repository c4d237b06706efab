/* SPDX-License-Identifier: MIT */
/*
 * outputs.c - files that all appear when each is complete
 *
 * fsync() flushes a file and its directory to the disk. For
 * thousands of files that is thousands of waits for the disk; then their file system is asked once
 * before the first gets its name, and once after the last has.
 */
#include "output/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

/* For fewer a whole file system, which others write to as well, is not asked. */
#define MANY 64

static int each_to_disk(struct jfrec_output *const *all, size_t count, size_t *failed,
			struct jfrec_error *err)
{
	for (size_t i = 0; i < count; i++) {
		*failed = i;
		if (jfrec_output_seal(all[i], err) < 0)
			return -1;
	}
	return 0;
}

/* Has what was written arrived?  Before Linux 5.8 syncfs() does not say.  0, or an errno value. */
static int ask(const struct jfrec_output *o, dev_t system)
{
	const unsigned wait = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
			      SYNC_FILE_RANGE_WAIT_AFTER;
	struct stat st;
	int got;

	if (fstat(o->temp.fd, &st) < 0 || st.st_dev != system)
		got = fsync(o->temp.fd);
	else
		got = sync_file_range(o->temp.fd, 0, 0, wait);
	return got < 0 ? errno : 0;
}

/* False: the file system cannot be asked, so each file is. */
static bool sync_system(int fd, struct stat *st)
{
	return fstat(fd, st) == 0 && syncfs(fd) == 0;
}

static int all_to_disk(struct jfrec_output *const *all, size_t count, size_t *failed,
		       struct jfrec_error *err)
{
	struct stat st;

	if (count < MANY || !sync_system(all[0]->temp.fd, &st))
		return each_to_disk(all, count, failed, err);
	for (size_t i = 0; i < count; i++) {
		int error = ask(all[i], st.st_dev);

		*failed = i;
		if (error)
			return jfrec_fail_output(err, error);
		all[i]->sealed = true;
	}
	return 0;
}

static size_t directory_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) : 0;
}

/* Are two files, whose names follow each other, in one directory? */
static bool are_neighbours(const struct jfrec_output *a, const struct jfrec_output *b)
{
	size_t len = directory_len(a->path);

	return len == directory_len(b->path) && memcmp(a->path, b->path, len) == 0;
}

static bool sync_system_of(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct stat st;
	bool done = fd >= 0 && sync_system(fd, &st);

	if (fd >= 0)
		close(fd);
	return done;
}

/* So that the names survive a power failure, too. */
static void names_to_disk(struct jfrec_output *const *all, size_t count)
{
	if (count >= MANY && sync_system_of(all[0]->path))
		return;
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || !are_neighbours(all[i - 1], all[i]))
			output_sync_directory(all[i]->path);
	}
}

int outputs_commit(struct jfrec_output *const *all, size_t count, size_t *failed,
		   struct jfrec_error *err)
{
	if (all_to_disk(all, count, failed, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		*failed = i;
		if (output_name(all[i], err) < 0)
			return -1;
	}
	*failed = count;
	names_to_disk(all, count);
	return 0;
}
