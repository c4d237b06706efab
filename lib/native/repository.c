/* SPDX-License-Identifier: MIT */
/*
 * repository.c - the directory of chunk files: names, limits, dumps
 */
#include "native/repository.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "native/fail.h"

#define COPIED	(256u << 10)
#define BUFFERS ".buffers"

void repository_stamp(char text[static 32])
{
	time_t now = time(NULL);
	struct tm tm;

	if (!localtime_r(&now, &tm))
		tm = (struct tm){ .tm_mday = 1 };
	strftime(text, 32, "%Y_%m_%d_%H_%M_%S", &tm);
}

static void name_buffers(const struct repository *r, char path[REGION_PATH])
{
	snprintf(path, REGION_PATH, "%s/" BUFFERS, r->path);
}

/* Without it a crash loses what was not flushed, and nothing else. */
static void write_buffers(const struct repository *r, const char *memory)
{
	char path[REGION_PATH];
	int fd;

	name_buffers(r, path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	if (write(fd, memory, strlen(memory)) != (ssize_t)strlen(memory))
		unlink(path);
	close(fd);
}

void repository_settle(struct repository *r)
{
	char path[REGION_PATH];

	name_buffers(r, path);
	unlink(path);
}

int repository_open(struct repository *r, const char *base, const char *memory,
		    struct jfrec_recorder_error *err)
{
	char name[32];
	int n;

	*r = (struct repository){ 0 };
	repository_stamp(name);
	n = snprintf(r->path, sizeof(r->path), "%s/%s_%d", base, name, (int)getpid());
	if (n < 0 || (size_t)n >= sizeof(r->path)) {
		r->path[0] = '\0';
		return recorder_fail(err, ENAMETOOLONG, "the path of the repository is too long: %s", base);
	}
	/* A second start within a second. */
	for (int i = 1; mkdir(r->path, 0700); i++) {
		if (errno != EEXIST || i > 99)
			return recorder_fail(err, errno, "cannot create the repository %s: %s", r->path,
					     strerror(errno));
		snprintf(r->path, sizeof(r->path), "%s/%s_%d_%d", base, name, i, (int)getpid());
	}
	if (memory)
		write_buffers(r, memory);
	return 0;
}

void repository_name(const struct repository *r, char path[REGION_PATH])
{
	char name[32];

	repository_stamp(name);
	snprintf(path, REGION_PATH, "%s/%s.jfr", r->path, name);
	for (int i = 1; i < 10000 && !access(path, F_OK); i++)
		snprintf(path, REGION_PATH, "%s/%s_%02d.jfr", r->path, name, i);
}

bool repository_add(struct repository *r, const char *path, uint64_t start_ns, uint64_t end_ns,
		    uint64_t size)
{
	struct closed *grown = r->chunks;

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

bool repository_drop_oldest(struct repository *r)
{
	if (!r->count)
		return false;
	unlink(r->chunks[0].path);
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

int repository_open_chunks(const struct repository *r, const struct chosen *chosen,
			   struct opened *opened, struct jfrec_recorder_error *err)
{
	*opened = (struct opened){ .fds = calloc(r->count + 1, sizeof(*opened->fds)) };
	if (!opened->fds)
		return recorder_fail(err, ENOMEM, "no memory for a dump");
	for (size_t i = first_chosen(r, chosen); i < r->count; i++) {
		int fd;

		if (!is_chosen(&r->chunks[i], chosen))
			continue;
		fd = open(r->chunks[i].path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0) {
			recorder_fail(err, errno, "cannot read %s: %s", r->chunks[i].path, strerror(errno));
			repository_close_chunks(opened);
			return -1;
		}
		opened->fds[opened->count++] = fd;
		opened->size += r->chunks[i].size;
	}
	return 0;
}

void repository_close_chunks(struct opened *opened)
{
	while (opened->count)
		close(opened->fds[--opened->count]);
	free(opened->fds);
	*opened = (struct opened){ 0 };
}

static int copy_one(int from, int to, char *room)
{
	ssize_t n, done, put;

	while ((n = read(from, room, COPIED)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		for (done = 0; done < n; done += put) {
			put = write(to, room + done, (size_t)(n - done));
			if (put < 0 && errno != EINTR)
				return -1;
			if (put < 0)
				put = 0;
		}
	}
	return 0;
}

static int copy_all(const struct opened *opened, int to)
{
	char *room = malloc(COPIED);
	int ret = room ? 0 : -1;

	for (size_t i = 0; i < opened->count && !ret; i++)
		ret = copy_one(opened->fds[i], to, room);
	free(room);
	/* What is not a file cannot be synchronized. */
	return ret ? ret : fsync(to) && errno != EINVAL ? -1 : 0;
}

int repository_copy(const struct opened *opened, const char *path, struct jfrec_recorder_error *err)
{
	char name[4096];
	int to, failed = 0, n = snprintf(name, sizeof(name), "%s.XXXXXX", path);
	struct stat st;

	/* A device is not replaced by a file. */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return repository_copy_into(opened, path, err);

	if (n < 0 || (size_t)n >= sizeof(name))
		return recorder_fail(err, ENAMETOOLONG, "%s: the path is too long", path);
	to = mkostemp(name, O_CLOEXEC);
	if (to < 0)
		return recorder_fail(err, errno, "cannot create %s: %s", path, strerror(errno));
	if (copy_all(opened, to))
		failed = errno;
	if (close(to) && !failed)
		failed = errno;
	if (!failed && rename(name, path))
		failed = errno;
	if (!failed)
		return 0;
	unlink(name);
	return recorder_fail(err, failed, "cannot write %s: %s", path, strerror(failed));
}

/*
 * As a JVM does, which follows links; but not those of other users, who may have put them where
 * everybody may write.
 */
static int open_place(const char *path)
{
	const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
	int fd = open(path, flags | O_NOFOLLOW, 0600);
	struct stat st;

	if (fd >= 0 || errno != ELOOP || lstat(path, &st))
		return fd;
	if (S_ISLNK(st.st_mode) && st.st_uid && st.st_uid != geteuid()) {
		errno = EPERM;
		return -1;
	}
	return open(path, flags, 0600);
}

int repository_copy_into(const struct opened *opened, const char *path,
			 struct jfrec_recorder_error *err)
{
	int to = open_place(path);
	int failed = 0;

	if (to < 0)
		return recorder_fail(err, errno, "%s: %s", path, strerror(errno));
	if (copy_all(opened, to))
		failed = errno;
	if (close(to) && !failed)
		failed = errno;
	return failed ? recorder_fail(err, failed, "%s", strerror(failed)) : 0;
}

void repository_fini(struct repository *r)
{
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
	rmdir(r->path);
	repository_fini(r);
}

/* The directory of a chunk, if it has the name of one of this process, and its owner. */
static int open_former(const char *chunk, char path[REGION_PATH])
{
	const char *slash = strrchr(chunk, '/'), *pid;
	struct stat st;
	int fd;

	if (!slash)
		return -1;
	snprintf(path, REGION_PATH, "%.*s", (int)(slash - chunk), chunk);
	pid = strrchr(path, '_');
	if (!pid || atoi(pid + 1) != getpid())
		return -1;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && (fstat(fd, &st) || st.st_uid != geteuid())) {
		close(fd);
		return -1;
	}
	return fd;
}

void repository_leave_former(const char *chunk, bool keep)
{
	char path[REGION_PATH];
	int fd = open_former(chunk, path);
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
