/* SPDX-License-Identifier: MIT */
/*
 * disk_space.c - check that the JVM's disks have room for a dump
 */
#include "jfr/disk_space.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/error.h"
#include "jfr/jfr.h"
#include "jfr/option.h"

#define MB (INT64_C(1) << 20)

/* The default memorysize: what may be in buffers and be written out at any moment. */
#define BUFFERS (10 * MB)

/* The default maxchunksize: limits are exceeded by the chunk that is being written. */
#define CHUNK (12 * MB)

/* Looking ------------------------------------------------------------------------------------- */

/* The bytes of all files in the directory; 0 if we may not look. */
static int64_t sum_of_files(int dir_fd)
{
	int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *entry;
	int64_t sum = 0;
	struct stat st;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return 0;
	}
	while ((entry = readdir(dir)) != NULL) {
		if (fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISREG(st.st_mode))
			sum += st.st_size;
	}
	closedir(dir);
	return sum;
}

static int64_t free_bytes(int fd)
{
	struct statvfs fs;

	if (fstatvfs(fd, &fs) < 0)
		return DISK_SPACE_UNKNOWN;
	return (int64_t)((uint64_t)fs.f_bavail * fs.f_frsize);
}

static bool is_same_disk(int a, int b)
{
	struct stat sa, sb;

	return fstat(a, &sa) == 0 && fstat(b, &sb) == 0 && sa.st_dev == sb.st_dev;
}

/* The value of a line of what a command answers, or NULL. */
static char *ask_value(struct jfrec_session *s, const char *command, const char *label)
{
	struct session_reply reply;
	struct reply_text value;
	char *copy;

	if (session_jcmd(s, command, SESSION_TIMEOUT_MS, &reply, NULL) < 0)
		return NULL;
	value = reply_value(reply.text, label);
	copy = value.len ? strndup(value.at, value.len) : NULL;
	session_reply_fini(&reply);
	return copy;
}

/*
 * The repository, or the directory in which it would be made; a descriptor or -1.
 *
 * Before the first recording a JVM says "N/A", or a name that it has only tried out; then
 * it will be made in the directory for temporary files.
 */
static int open_repository(struct jfrec_session *s, bool *is_there)
{
	char *path = ask_value(s, jfr_command_name(JFREC_JFR_CONFIGURE), "Repository path: ");
	char *slash = path ? strrchr(path, '/') : NULL;
	int fd = -1;

	*is_there = false;
	if (slash && slash > path) {
		fd = session_open_directory(s, path, NULL);
		*is_there = fd >= 0;
		*slash = '\0';
		if (fd < 0)
			fd = session_open_directory(s, path, NULL);
	}
	free(path);
	if (fd >= 0)
		return fd;
	path = ask_value(s, "VM.system_properties", "java.io.tmpdir=");
	if (path && *path == '/')
		fd = session_open_directory(s, path, NULL);
	free(path);
	return fd;
}

void disk_space_look_at(struct disk_space *r, int tmp, int repository, bool is_there)
{
	*r = (struct disk_space){ .repository = DISK_SPACE_UNKNOWN };
	r->tmp = free_bytes(tmp);
	if (repository < 0)
		return;
	r->repository = free_bytes(repository);
	r->recorded = is_there ? sum_of_files(repository) : 0;
	r->same = is_same_disk(tmp, repository);
}

int disk_space_look(struct jfrec_session *s, struct disk_space *r, struct jfrec_error *err)
{
	int tmp, repository;
	bool is_there;

	if (jfr_refuse_harm(s, err) < 0)
		return -1;
	tmp = session_open_directory(s, session_tmp(s), err);
	if (tmp < 0)
		return -1;
	repository = open_repository(s, &is_there);
	disk_space_look_at(r, tmp, repository, is_there);
	close(tmp);
	if (repository >= 0)
		close(repository);
	if (r->repository == DISK_SPACE_UNKNOWN)
		session_trace(s, "cannot find the directory to which it records");
	else
		session_trace(s,
			      "it has recorded %" PRId64 " MiB, %" PRId64
			      " MiB are free there and %" PRId64 " MiB in its /tmp",
			      r->recorded / MB, r->repository / MB, r->tmp / MB);
	return 0;
}

/* Judging ------------------------------------------------------------------------------------- */

static int no_room(struct jfrec_error *err, const char *what, int64_t need, int64_t room,
		   const char *where, const char *advice)
{
	jfrec_fail(err, JFREC_EIO, JFREC_NO_OFFSET,
		   "no room for %s: it may take %" PRId64 " MiB, and %" PRId64
		   " MiB are free %s; free some space, %s",
		   what, (need + MB - 1) / MB, room / MB, where, advice);
	if (err)
		err->sys = ENOSPC;
	return -1;
}

static const char at_repository[] = "on the disk to which the JVM records";

/* On a full disk JDK 11 and later would end the JVM. */
static const char or_ends[] = "or the JVM may exit";

int disk_space_for_stop(const struct disk_space *r, struct jfrec_error *err)
{
	if (r->repository >= BUFFERS)
		return 0;
	return no_room(err, "the data that the JVM has in "
			    "memory", BUFFERS, r->repository, at_repository,
		       or_ends);
}

int disk_space_for_recording(const struct disk_space *r, int64_t limit, struct jfrec_error *err)
{
	int64_t need = limit + CHUNK + BUFFERS;

	if (r->repository == DISK_SPACE_UNKNOWN || r->repository >= need)
		return 0;
	return no_room(err, "the recording", need, r->repository, at_repository,
		       "or limit the recording with --max-size: JVMs since JDK 11 exit when that "
		       "disk is full");
}

int disk_space_limit(const struct disk_space *r, int64_t *limit, struct jfrec_error *err)
{
	/* Where both are one disk, all is there twice. */
	int64_t copies = r->same ? 2 : 1, reserve = CHUNK + 2 * BUFFERS;

	*limit = DISK_SPACE_UNKNOWN;
	if (r->repository == DISK_SPACE_UNKNOWN)
		return 0;
	*limit = (r->repository - reserve) / copies;
	/* A JVM takes no limit below the size of a chunk. */
	if (*limit >= CHUNK)
		return 0;
	return no_room(err, "the recording", copies * CHUNK + reserve, r->repository, at_repository,
		       or_ends);
}

int disk_space_for_dump(const struct disk_space *r, int64_t limit, struct jfrec_error *err)
{
	int64_t size = r->recorded + BUFFERS, need;

	if (limit < size - CHUNK)
		size = limit + CHUNK;
	/* While it copies, it goes on to record. */
	need = r->same ? size + BUFFERS : size;
	if (disk_space_for_stop(r, err) < 0)
		return -1;
	if (r->tmp >= need)
		return 0;
	return no_room(err, "the dump", need, r->tmp, "in the JVM's /tmp",
		       "or request less (maxsize)");
}
