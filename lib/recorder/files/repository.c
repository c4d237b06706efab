/* SPDX-License-Identifier: MIT */
/*
 * repository.c - the directory of chunk files: names, limits, dumps
 */
#include "recorder/files/repository.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "recorder/ground/fail.h"
#include "recorder/ground/gate.h"
#include "recorder/ground/kept_directories.h"

#define COPIED	(256u << 10)
#define BUFFERS ".buffers"

void repository_stamp(char text[static 32])
{
	time_t now = time(NULL);
	struct tm tm;

	if (!gate_local_time(&now, &tm))
		tm = (struct tm){ .tm_mday = 1 };
	strftime(text, 32, "%Y_%m_%d_%H_%M_%S", &tm);
}

static int open_directory(int place, const char *path)
{
	return openat(place, name_in_directory(path),
		      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Where it should be. */
static int open_at_path(const struct repository *r)
{
	int place = directory_open_of(r->path), fd = -1;

	if (place >= 0) {
		fd = open_directory(place, r->path);
		close(place);
	}
	return fd;
}

int repository_directory(struct repository *r)
{
	int fd;

	if (!r->path[0] || held_is_there(&r->directory))
		return r->directory.fd;
	fd = open_at_path(r);
	if (fd >= 0 && held_is_same(&r->directory, fd)) {
		r->directory = held_take(fd);
		return r->directory.fd;
	}
	if (fd >= 0) {
		close(fd);
		errno = ENOENT;
	}
	return -1;
}

/* If it is where its path says, and empty. */
static void remove_directory(const struct repository *r)
{
	int place = directory_open_of(r->path), fd;

	if (place < 0)
		return;
	fd = open_directory(place, r->path);
	if (held_is_same(&r->directory, fd))
		unlinkat(place, name_in_directory(r->path), AT_REMOVEDIR);
	if (fd >= 0)
		close(fd);
	close(place);
}

bool repository_is_removed(const struct repository *r)
{
	struct stat st;

	if (held_is_there(&r->directory))
		return held_is_unlinked(&r->directory);
	return lstat(r->path, &st) && errno == ENOENT;
}

void repository_unlink(struct repository *r, const char *path)
{
	int directory = repository_directory(r);

	if (directory >= 0)
		unlinkat(directory, name_in_directory(path), 0);
}

/* Without it a crash loses what was not flushed, and nothing else. */
static void write_buffers(struct repository *r, const char *memory)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	int directory = repository_directory(r);
	int fd = directory < 0 ? -1 : openat(directory, BUFFERS, flags, 0600);
	struct quiet q;

	if (fd < 0)
		return;
	quiet_begin(&q);
	if (write(fd, memory, strlen(memory)) != (ssize_t)strlen(memory))
		unlinkat(directory, BUFFERS, 0);
	quiet_end(&q);
	close(fd);
}

bool repository_is_made(const struct repository *r)
{
	return r->directory.inode != 0;
}

void repository_settle(struct repository *r)
{
	if (repository_is_made(r))
		repository_unlink(r, "/" BUFFERS);
}

int repository_plan(struct repository *r, const char *base, struct jfrec_recorder_error *err)
{
	char name[32];
	int n, place, failed;

	*r = (struct repository)REPOSITORY_NONE;
	repository_stamp(name);
	n = snprintf(r->path, sizeof(r->path), "%s/%s_%d", base, name, (int)getpid());
	if (n < 0 || (size_t)n >= sizeof(r->path)) {
		r->path[0] = '\0';
		return recorder_fail(err, ENAMETOOLONG, "the path of the repository is too long: %s", base);
	}
	place = directory_open_of(r->path);
	failed = place < 0 || faccessat(place, ".", W_OK | X_OK, AT_EACCESS) ? errno : 0;
	if (place >= 0)
		close(place);
	if (!failed)
		return 0;
	return recorder_fail(err, failed, "cannot create the repository %.140s: %s; name another one", r->path, strerror(failed));
}

/* 0 or errno. */
static int make_directory(struct repository *r, int place)
{
	char name[sizeof(r->path)];
	const char *pid = strrchr(r->path, '_');

	memcpy(name, r->path, sizeof(name));
	/* A second start within a second. */
	for (int i = 1; mkdirat(place, name_in_directory(name), 0700); i++) {
		if (errno != EEXIST || i > 99)
			return errno;
		snprintf(name, sizeof(name), "%.*s_%d%s", (int)(pid - r->path), r->path, i, pid);
	}
	memcpy(r->path, name, sizeof(name));
	r->directory = held_take(open_directory(place, r->path));
	return r->directory.fd < 0 ? errno : 0;
}

int repository_make(struct repository *r, const char *memory, struct jfrec_recorder_error *err)
{
	int place = directory_open_of(r->path),
	    failed = place < 0 ? errno : make_directory(r, place);

	if (failed)
		recorder_fail(err, failed, "cannot create the repository %.140s: %s; name another one", r->path, strerror(failed));
	if (place >= 0)
		close(place);
	if (failed)
		return -1;
	if (memory)
		write_buffers(r, memory);
	return 0;
}

void repository_name(struct repository *r, char path[REGION_PATH])
{
	int directory = repository_directory(r);
	char name[32];

	repository_stamp(name);
	snprintf(path, REGION_PATH, "%s/%s.jfr", r->path, name);
	for (int i = 1; i < 10000 && !faccessat(directory, name_in_directory(path), F_OK, 0); i++)
		snprintf(path, REGION_PATH, "%s/%s_%02d.jfr", r->path, name, i);
}

bool repository_add(struct repository *r, const char *path, struct held *file, uint64_t start_ns,
		    uint64_t end_ns, uint64_t size)
{
	struct closed *grown = r->chunks;

	held_close(&r->last);
	r->last = *file;
	*file = HELD_NONE;
	if (r->count == r->room) {
		grown = realloc(r->chunks, (2 * r->room + 8) * sizeof(*grown));
		if (!grown)
			return false;
		r->chunks = grown;
		r->room = 2 * r->room + 8;
	}
	grown[r->count] = (struct closed){ strdup(path), start_ns, end_ns, size };
	if (!grown[r->count].path)
		return false;
	r->count++;
	r->bytes += size;
	return true;
}

struct held repository_take_back(struct repository *r)
{
	struct held last = r->last;

	if (!r->count || !held_is_there(&last))
		return HELD_NONE;
	r->last = HELD_NONE;
	r->bytes -= r->chunks[--r->count].size;
	free(r->chunks[r->count].path);
	return last;
}

bool repository_drop_oldest(struct repository *r)
{
	if (!r->count)
		return false;
	if (r->count == 1)
		held_close(&r->last);
	repository_unlink(r, r->chunks[0].path);
	free(r->chunks[0].path);
	r->bytes -= r->chunks[0].size;
	memmove(r->chunks, r->chunks + 1, --r->count * sizeof(*r->chunks));
	return true;
}

static bool is_chosen(const struct closed *c, const struct chosen *chosen)
{
	return c->end_ns > chosen->from_ns && (!chosen->to_ns || c->start_ns < chosen->to_ns);
}

/* The first of the last chunks that are not too large. */
static size_t first_chosen(const struct repository *r, const struct chosen *chosen)
{
	uint64_t bytes = 0;
	size_t i = r->count;

	for (; i; i--) {
		if (!is_chosen(&r->chunks[i - 1], chosen))
			continue;
		bytes += r->chunks[i - 1].size;
		if (chosen->max_size && bytes > chosen->max_size)
			break;
	}
	return i;
}

/* -1: errno. */
static int open_one(struct repository *r, const struct closed *c, bool is_last)
{
	int directory = repository_directory(r), fd = -1;

	if (directory >= 0)
		fd = openat(directory, name_in_directory(c->path),
			    O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	/* Deleted, or not this user's any more. */
	if (fd < 0 && is_last && held_is_there(&r->last))
		fd = fcntl(r->last.fd, F_DUPFD_CLOEXEC, r->last.fd);
	return fd;
}

static int add_opened(struct opened *opened, int fd, const struct closed *c)
{
	struct opened_chunk *o = &opened->chunks[opened->count];

	*o = (struct opened_chunk){ .file = held_take(fd), .size = c->size };
	if (o->file.fd < 0)
		return -1;
	if (pread(o->file.fd, o->header, CHUNK_HEADER, 0) != CHUNK_HEADER) {
		held_close(&o->file);
		return -1;
	}
	opened->count++;
	opened->size += c->size;
	return 0;
}

int repository_open_chunks(struct repository *r, const struct chosen *chosen, struct opened *opened,
			   struct jfrec_recorder_error *err)
{
	size_t gone = 0, i = first_chosen(r, chosen);

	*opened = (struct opened){ .chunks = calloc(r->count + 1, sizeof(*opened->chunks)) };
	if (!opened->chunks)
		return recorder_fail(err, ENOMEM, "no memory for a dump");
	for (; i < r->count; i++) {
		const struct closed *c = &r->chunks[i];
		int fd, failed;

		if (!is_chosen(c, chosen))
			continue;
		fd = open_one(r, c, i + 1 == r->count);
		if (fd >= 0 && add_opened(opened, fd, c) == 0)
			continue;
		failed = errno;
		recorder_fail(err, failed, "cannot read %s: %s", c->path, strerror(failed));
		if (failed != ENOENT) {
			repository_close_chunks(opened);
			return -1;
		}
		gone++;
	}
	if (!gone || opened->count)
		return 0;
	repository_close_chunks(opened);
	return -1;
}

void repository_close_chunks(struct opened *opened)
{
	while (opened->count)
		held_close(&opened->chunks[--opened->count].file);
	free(opened->chunks);
	*opened = (struct opened){ 0 };
}

/* A copy takes long enough for the program to close everything, and to open its own. */
static bool is_closed(const struct held *h)
{
	if (held_is_there(h))
		return false;
	errno = EBADF;
	return true;
}

static int write_all(const struct held *to, const void *data, size_t size)
{
	const char *from = data;

	while (size) {
		ssize_t n = is_closed(to) ? -1 : write(to->fd, from, size);

		if (n < 0 && errno != EINTR)
			return -1;
		if (n > 0) {
			from += n;
			size -= (size_t)n;
		}
	}
	return 0;
}

/* Up to where it ended when it was opened, with the header that it had. */
static int copy_one(const struct opened_chunk *c, const struct held *to, char *room)
{
	uint64_t at = CHUNK_HEADER;

	if (write_all(to, c->header, CHUNK_HEADER))
		return -1;
	while (at < c->size) {
		size_t most = c->size - at < COPIED ? (size_t)(c->size - at) : COPIED;
		ssize_t n = is_closed(&c->file) ? -1 : pread(c->file.fd, room, most, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			errno = n < 0 ? errno : EIO;
			return -1;
		}
		if (write_all(to, room, (size_t)n))
			return -1;
		at += (uint64_t)n;
	}
	return 0;
}

static int copy_all(const struct opened *opened, const struct held *to)
{
	char *room = malloc(COPIED);
	int ret = room ? 0 : -1;
	struct quiet q;

	quiet_begin(&q);
	for (size_t i = 0; i < opened->count && !ret; i++)
		ret = copy_one(&opened->chunks[i], to, room);
	quiet_end(&q);
	free(room);
	/* What is not a file cannot be synchronized. */
	return ret || is_closed(to) || (fsync(to->fd) && errno != EINVAL) ? -1 : 0;
}

/*
 * As a JVM does, which follows links; but not those of other users, who may have put them where
 * everybody may write.
 */
static int open_target(int place, const char *name)
{
	const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
	int fd = openat(place, name, flags | O_NOFOLLOW, 0600);
	struct stat st;

	if (fd >= 0 || errno != ELOOP || fstatat(place, name, &st, AT_SYMLINK_NOFOLLOW))
		return fd;
	if (S_ISLNK(st.st_mode) && st.st_uid && st.st_uid != geteuid()) {
		errno = EPERM;
		return -1;
	}
	return openat(place, name, flags, 0600);
}

static int copy_into(const struct opened *opened, int place, const char *path,
		     struct jfrec_recorder_error *err)
{
	struct held to = held_take(open_target(place, name_in_directory(path)));
	int failed = 0;

	if (to.fd < 0)
		return recorder_fail(err, errno, "%s: %s", path, strerror(errno));
	if (copy_all(opened, &to))
		failed = errno;
	if (held_close(&to) && !failed)
		failed = errno;
	return failed ? recorder_fail(err, failed, "%s", strerror(failed)) : 0;
}

/* A new file beside the one of that name, which it gets when it is whole. */
static struct held open_temporary(int place, const char *name, char made[NAME_MAX + 1])
{
	struct timespec now;
	int fd = -1, n;

	clock_gettime(CLOCK_MONOTONIC, &now);
	for (unsigned i = 0; i < 100 && fd < 0 && (i == 0 || errno == EEXIST); i++) {
		n = snprintf(made, NAME_MAX + 1, "%s.%06x", name, (unsigned)(now.tv_nsec + i) & 0xffffff);
		if (n < 0 || n > NAME_MAX) {
			errno = ENAMETOOLONG;
			break;
		}
		fd = openat(place, made, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			    0600);
	}
	return held_take(fd);
}

int whole_open(struct whole *w, const char *path)
{
	int failed;

	w->place = directory_open_of(path);
	if (w->place < 0)
		return -1;
	w->file = open_temporary(w->place, name_in_directory(path), w->made);
	if (w->file.fd >= 0)
		return 0;
	failed = errno;
	close(w->place);
	errno = failed;
	return -1;
}

int whole_close(struct whole *w, const char *path)
{
	int failed = held_close(&w->file) ||
				     renameat(w->place, w->made, w->place, name_in_directory(path))
			     ? errno
			     : 0;

	close(w->place);
	errno = failed;
	return failed ? -1 : 0;
}

void whole_drop(struct whole *w)
{
	unlinkat(w->place, w->made, 0);
	held_close(&w->file);
	close(w->place);
}

static int copy_whole(const struct opened *opened, int place, const char *path,
		      struct jfrec_recorder_error *err)
{
	char made[NAME_MAX + 1];
	struct held to = open_temporary(place, name_in_directory(path), made);
	int failed = 0;

	if (to.fd < 0)
		return recorder_fail(err, errno, "cannot create %s: %s", fail_tail(path), strerror(errno));
	if (copy_all(opened, &to))
		failed = errno;
	if (held_close(&to) && !failed)
		failed = errno;
	if (!failed && renameat(place, made, place, name_in_directory(path)))
		failed = errno;
	if (!failed)
		return 0;
	unlinkat(place, made, 0);
	return recorder_fail(err, failed, "cannot write %s: %s", fail_tail(path), strerror(failed));
}

/* A device is not. */
static bool is_replaced(int place, const char *path)
{
	struct stat st;

	return fstatat(place, name_in_directory(path), &st, 0) || S_ISREG(st.st_mode);
}

bool repository_is_replaced(const char *path)
{
	int place = directory_open_of(path);
	bool is = place >= 0 && is_replaced(place, path);

	if (place >= 0)
		close(place);
	return is;
}

int repository_copy(const struct opened *opened, const char *path, struct jfrec_recorder_error *err)
{
	int place = directory_open_of(path), ret;

	if (place < 0)
		return recorder_fail(err, errno, "cannot create %s: %s", fail_tail(path), strerror(errno));
	if (is_replaced(place, path))
		ret = copy_whole(opened, place, path, err);
	else
		ret = copy_into(opened, place, path, err);
	close(place);
	return ret;
}

int repository_copy_into(const struct opened *opened, const char *path,
			 struct jfrec_recorder_error *err)
{
	int place = directory_open_of(path), ret;

	if (place < 0)
		return recorder_fail(err, errno, "%s: %s", path, strerror(errno));
	ret = copy_into(opened, place, path, err);
	close(place);
	return ret;
}

void repository_fini(struct repository *r)
{
	held_close(&r->last);
	held_close(&r->directory);
	for (size_t i = 0; i < r->count; i++)
		free(r->chunks[i].path);
	free(r->chunks);
	r->chunks = NULL;
	r->count = r->room = 0;
	r->bytes = 0;
}

void repository_remove(struct repository *r)
{
	while (repository_drop_oldest(r))
		;
	repository_settle(r);
	if (repository_is_made(r))
		remove_directory(r);
	repository_fini(r);
}

/* The directory of a chunk, if it has the name of one of that process, and this one's owner. */
static int open_former(const char *chunk, uint32_t of, char path[REGION_PATH])
{
	const char *slash = strrchr(chunk, '/'), *pid;
	struct stat st;
	int fd;

	if (!slash)
		return -1;
	snprintf(path, REGION_PATH, "%.*s", (int)(slash - chunk), chunk);
	pid = strrchr(path, '_');
	if (!pid || strtoul(pid + 1, NULL, 10) != of)
		return -1;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && (fstat(fd, &st) || st.st_uid != geteuid())) {
		close(fd);
		return -1;
	}
	return fd;
}

void repository_leave_former(const char *chunk, uint32_t pid, bool keep)
{
	char path[REGION_PATH];
	int fd = open_former(chunk, pid, path);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		const char *dot = strrchr(e->d_name, '.');

		if (!strcmp(e->d_name, BUFFERS) || (!keep && dot && !strcmp(dot, ".jfr")))
			unlinkat(dirfd(d), e->d_name, 0);
	}
	if (d)
		closedir(d);
	else if (fd >= 0)
		close(fd);
	if (fd >= 0 && !keep)
		rmdir(path);
}
