/* SPDX-License-Identifier: MIT */
/*
 * follow.c - from one chunk file of a repository to the next
 */
#include "stream/follow.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "repository/directory.h"
#include "repository/name.h"
#include "repository/writer.h"

/* Directories ---------------------------------------------------------------------------------- */

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
	held_watch(&f->held, d);
	return 0;
}

static bool is_newer(const struct stat *a, const struct stat *b)
{
	if (a->st_mtim.tv_sec != b->st_mtim.tv_sec)
		return a->st_mtim.tv_sec > b->st_mtim.tv_sec;
	return a->st_mtim.tv_nsec > b->st_mtim.tv_nsec;
}

/* The entry of a directory that was changed last, of those with such a name and of that kind. */
struct newest {
	bool (*is_meant)(const char *name);
	mode_t kind;
	char name[NAME_MAX + 1]; /* "": there is none */
	struct stat st;
};

static int compare_entry(void *ctx, int directory, const char *name, struct jfrec_error *err)
{
	struct newest *n = ctx;
	struct stat st;

	(void)err;
	if (!n->is_meant(name) || fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    (st.st_mode & S_IFMT) != n->kind || (*n->name && !is_newer(&st, &n->st)))
		return 0;
	n->st = st;
	snprintf(n->name, sizeof(n->name), "%s", name);
	return 0;
}

static bool find_newest(struct newest *n, const char *path)
{
	int directory = directory_open(path);

	if (directory < 0)
		return false;
	directory_each(directory, compare_entry, n, NULL);
	close(directory);
	return *n->name;
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
	held_fini(&f->held);
	*f = FOLLOW_NONE;
}

/* Of a JVM ------------------------------------------------------------------------------------- */

int follow_jvm(struct follow *f, const struct jfrec_jvm *jvm, struct jfrec_error *err)
{
	*f = FOLLOW_NONE;
	if (process_open(&f->process, jvm->pid, jvm->start_ticks, err) < 0)
		return -1;
	f->has_process = true;
	if (follow_move(f, err) >= 0)
		return 0;
	follow_fini(f);
	return -1;
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
	fd = *r.path ? repository_open(&f->process, r.path) : -1;
	if (fd < 0)
		return 0;
	if (directory_is_same(f->fd, fd)) {
		close(fd);
		return 0;
	}
	if (f->fd >= 0)
		close(f->fd);
	f->fd = fd;
	snprintf(directory, sizeof(directory), "/proc/self/fd/%d", fd);
	return set_directory(f, directory, r.path, err) < 0 ? -1 : 1;
}

static bool is_repository(const char *name)
{
	return repository_pid(name) != 0;
}

static int choose_directory(struct follow *f, const char *path, struct jfrec_error *err)
{
	struct newest chunk = { .is_meant = name_is_chunk, .kind = S_IFREG };
	struct newest repository = { .is_meant = is_repository, .kind = S_IFDIR };
	char *inner;
	int ret;

	if (find_newest(&chunk, path) || !find_newest(&repository, path))
		return set_directory(f, path, path, err);
	inner = path_of(path, repository.name);
	if (!inner)
		return jfrec_fail_memory(err);
	ret = set_directory(f, inner, inner, err);
	free(inner);
	return ret;
}

static void find_writer(struct follow *f)
{
	int is = repository_writer(f->directory, &f->process);

	f->has_process = is > 0;
	f->is_abandoned = is == 0;
}

int follow_directory(struct follow *f, const char *path, struct jfrec_error *err)
{
	*f = FOLLOW_NONE;
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
	struct follow_file *best;
	bool has_best;
	int held; /* its descriptor, if it is found nowhere else; or -1 */
};

/*
 * Files come in the order of time: of a JVM that runs, by its ticks, since with JDK 8 and 11 time
 * goes back with the clock.  A chunk of those is the same by the name it had before it was
 * finished, which tells nothing of the name it gets.
 */
static int order_of(const struct follow *f, const struct chunk_header *a, const char *a_file,
		    const struct chunk_header *b, const char *b_file)
{
	int order = f->has_process
			    ? (a->start_ticks > b->start_ticks) - (a->start_ticks < b->start_ticks)
			    : chunk_header_order(a, b);

	return order || name_is_part(a_file) || name_is_part(b_file) ? order
								     : strcmp(a_file, b_file);
}

/* Is a stream to begin with this one rather than with the other? */
static bool is_better_start(const struct follow_start *start, const struct chunk_header *h,
			    const struct chunk_header *other, int order)
{
	switch (start->at) {
	case FOLLOW_NEWEST:
		return order > 0;
	case FOLLOW_OLDEST:
		return order < 0;
	case FOLLOW_TIME:
		/* The last of those that began before, or the first of the others. */
		return h->start_ns <= start->ns ? order > 0 || other->start_ns > start->ns
						: order < 0;
	}
	return false;
}

static bool is_better(const struct search *s, const char *file, const struct chunk_header *h)
{
	const struct follow *f = s->f;
	const struct follow_file *best = s->best;
	int order = s->has_best ? order_of(f, h, file, &best->header, best->name) : 0;

	if (f->has_last && order_of(f, h, file, &f->last, f->last_file) <= 0)
		return false;
	if (!s->has_best)
		return true;
	return f->has_last ? order < 0 : is_better_start(s->start, h, &best->header, order);
}

static void consider(struct search *s, const char *name, int held, const struct chunk_header *h)
{
	if (!is_better(s, name, h))
		return;
	s->has_best = true;
	s->held = held;
	s->best->header = *h;
	snprintf(s->best->name, sizeof(s->best->name), "%s", name);
}

static int look(void *ctx, int directory, const char *name, struct jfrec_error *err)
{
	/* What looks like a header in one that is not finished is none yet: follow_part(). */
	int fd = name_is_part(name) ? -1 : directory_open_file(directory, name);
	struct chunk_header h;

	(void)err;
	if (fd < 0)
		return 0;
	if (directory_file_header(fd, &h))
		consider(ctx, name, -1, &h);
	close(fd);
	return 0;
}

static void look_at_directory(struct search *s)
{
	int directory = directory_open(s->f->directory);

	/* One that is gone, or empty as yet, is no failure. */
	if (directory < 0)
		return;
	directory_each(directory, look, s, NULL);
	close(directory);
}

static void look_at_held(struct search *s)
{
	const struct held *held = &s->f->held;

	for (unsigned i = 0; i < held->count; i++) {
		const struct held_file *file = &held->files[i];
		struct chunk_header h;

		if (held_header(file, &h))
			consider(s, file->name, file->fd, &h);
	}
}

int follow_next(struct follow *f, const struct follow_start *start, struct follow_file *file,
		struct jfrec_error *err)
{
	struct search s = { .f = f, .start = start, .best = file };

	*file = (struct follow_file){ 0 };
	if (!f->directory)
		return 0;
	held_take(&f->held);
	look_at_directory(&s);
	look_at_held(&s);
	if (!s.has_best)
		return 0;
	if (s.held < 0)
		file->path = path_of(f->directory, file->name);
	else if (asprintf(&file->path, "/proc/self/fd/%d", s.held) < 0)
		file->path = NULL;
	return file->path ? 1 : jfrec_fail_memory(err);
}

int follow_part(struct follow *f, struct follow_file *file, struct jfrec_error *err)
{
	struct newest part = { .is_meant = name_is_part, .kind = S_IFREG };

	*file = (struct follow_file){ 0 };
	if (!f->directory || !find_newest(&part, f->directory))
		return 0;
	memcpy(file->name, part.name, sizeof(file->name));
	file->path = path_of(f->directory, file->name);
	return file->path ? 1 : jfrec_fail_memory(err);
}

int follow_passed(struct follow *f, const char *path, const struct chunk_header *h)
{
	const char *slash = strrchr(path, '/');
	char *file = strdup(slash ? slash + 1 : path);

	if (!file)
		return -1;
	free(f->last_file);
	f->last_file = file;
	f->last = *h;
	f->has_last = true;
	held_give_up(&f->held, h);
	return 0;
}
