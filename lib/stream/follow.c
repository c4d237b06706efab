/* SPDX-License-Identifier: MIT */
/*
 * follow.c - follow a repository from one chunk file to the next
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
#include "repository/owner.h"

/* Directories ---------------------------------------------------------------------------------- */

/* Takes over the descriptor. */
static int set_directory(struct follow *f, int directory, const char *name, struct jfrec_error *err)
{
	char *n = strdup(name);

	if (!n) {
		close(directory);
		return jfrec_fail_memory(err);
	}
	if (f->fd >= 0)
		close(f->fd);
	free(f->name);
	f->fd = directory;
	f->name = n;
	pending_chunks_watch(&f->held, &f->opener, directory);
	return 0;
}

/* The entry of a directory that was changed last, of those with such a name and of that kind. */
struct newest {
	bool (*is_meant)(const char *name);
	mode_t kind;
	char name[NAME_MAX + 1]; /* "": there is none */
	struct opener_file file;
};

static int compare_entry(void *ctx, const char *name, const struct opener_file *f)
{
	struct newest *n = ctx;

	if (!n->is_meant(name) || (f->mode & S_IFMT) != n->kind ||
	    (*n->name && f->modified_ns <= n->file.modified_ns))
		return 0;
	n->file = *f;
	snprintf(n->name, sizeof(n->name), "%s", name);
	return 0;
}

static bool find_newest(struct newest *n, struct opener *o, int directory)
{
	opener_list(o, directory, DIRECTORY_MAX, compare_entry, n, NULL);
	return *n->name;
}

void follow_fini(struct follow *f)
{
	if (f->has_process)
		process_close(&f->process);
	if (f->fd >= 0)
		close(f->fd);
	free(f->name);
	free(f->last_file);
	pending_chunks_fini(&f->held);
	opener_stop(&f->opener);
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

static int fail_denied(const struct follow *f, struct jfrec_error *err)
{
	return jfrec_fail(err, JFREC_EPERMISSION, JFREC_NO_OFFSET,
			  "process %d belongs to another user, so its repository cannot be "
			  "found; run jfrec as that user or root",
			  f->process.pid);
}

/* From now on as that user. */
static int become_owner(struct follow *f, struct jfrec_error *err)
{
	struct opener opener;

	if (opener_start(&opener, &f->process, err) < 0)
		return -1;
	f->opener = opener;
	return 0;
}

/* 1: *r is where it records; 0: nowhere, or it has ended; -1: *err is set. */
static int find(struct follow *f, struct owned_repository *r, struct jfrec_error *err)
{
	owner_find_repository(r, &f->process);
	if (!r->denied && !*r->path)
		return 0;
	if (r->denied || (f->opener.is_here && become_owner(f, err) < 0)) {
		if (!process_has_exited(&f->process))
			return r->denied ? fail_denied(f, err) : -1;
		return 0;
	}
	return 1;
}

int follow_move(struct follow *f, struct jfrec_error *err)
{
	struct owned_repository r;
	int found, fd;

	if (!f->has_process)
		return 0;
	found = find(f, &r, err);
	if (found <= 0)
		return found;
	fd = owner_open_repository(&f->opener, &f->process, &r, err);
	if (fd < 0)
		return errno == ETIMEDOUT ? -1 : 0;
	if (!directory_is_same(f->fd, fd))
		return set_directory(f, fd, r.path, err) < 0 ? -1 : 1;
	close(fd);
	return 0;
}

static bool is_repository(const char *name)
{
	return name_repository_pid(name) != 0;
}

/* The descriptor is of that path. */
static int choose_directory(struct follow *f, int directory, const char *path,
			    struct jfrec_error *err)
{
	struct newest chunk = { .is_meant = name_is_chunk, .kind = S_IFREG };
	struct newest repository = { .is_meant = is_repository, .kind = S_IFDIR };
	char *inner;
	int fd, ret;

	if (find_newest(&chunk, &f->opener, directory) ||
	    !find_newest(&repository, &f->opener, directory))
		return set_directory(f, directory, path, err);
	fd = opener_open_directory(&f->opener, directory, repository.name, 0, NULL, err);
	close(directory);
	if (fd < 0)
		return -1;
	if (asprintf(&inner, "%s/%s", path, repository.name) < 0) {
		close(fd);
		return jfrec_fail_memory(err);
	}
	ret = set_directory(f, fd, inner, err);
	free(inner);
	return ret;
}

static void find_writer(struct follow *f)
{
	int is = owner_of_directory(f->name, &f->process);

	f->has_process = is > 0;
	f->is_abandoned = is == 0;
}

static int ignore(void *ctx, const char *name, const struct opener_file *f)
{
	(void)ctx;
	(void)name;
	(void)f;
	return 0;
}

int follow_directory(struct follow *f, const char *path, struct jfrec_error *err)
{
	int directory = directory_open(path);

	*f = FOLLOW_NONE;
	if (directory < 0)
		return jfrec_fail_sys(err, errno, "cannot open");
	if (opener_list(&f->opener, directory, 1, ignore, NULL, NULL) < 0) {
		jfrec_fail_sys(err, errno, "cannot open");
		close(directory);
		return -1;
	}
	if (choose_directory(f, directory, path, err) < 0)
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

	return f->fd >= 0 && fstat(f->fd, &st) == 0 && st.st_nlink == 0;
}

/* Files ---------------------------------------------------------------------------------------- */

struct search {
	struct follow *f;
	const struct follow_start *start;
	struct follow_file *best;
	bool has_best;
};

void follow_file_close(struct follow_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
}

bool follow_has_name(struct follow *f, const char *name)
{
	struct opener_file file;

	return f->fd >= 0 && opener_look(&f->opener, f->fd, name, &file, NULL) > 0;
}

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

/* Takes over the descriptor. */
static void consider(struct search *s, const char *name, int fd, const struct chunk_header *h)
{
	struct follow_file *best = s->best;

	if (!is_better(s, name, h)) {
		close(fd);
		return;
	}
	follow_file_close(best);
	s->has_best = true;
	best->fd = fd;
	best->header = *h;
	snprintf(best->name, sizeof(best->name), "%s", name);
}

static int look(void *ctx, const char *name, const struct opener_file *f)
{
	struct search *s = ctx;
	struct chunk_header h;
	int fd;

	/* What looks like a header in one that is not finished is none yet: follow_part(). */
	if (!S_ISREG(f->mode) || name_is_part(name))
		return 0;
	fd = opener_open_file(&s->f->opener, s->f->fd, name, OPENER_DIRECT, NULL, NULL);
	if (fd >= 0 && directory_file_header(fd, &h))
		consider(s, name, fd, &h);
	else if (fd >= 0)
		close(fd);
	return 0;
}

static void look_at_held(struct search *s)
{
	const struct pending_chunks *held = &s->f->held;

	for (unsigned i = 0; i < held->count; i++) {
		const struct pending_chunk *file = &held->files[i];
		struct chunk_header h;
		int fd = pending_chunks_header(file, &h) ? fcntl(file->fd, F_DUPFD_CLOEXEC, 3) : -1;

		if (fd >= 0)
			consider(s, file->name, fd, &h);
	}
}

static int set_path(struct follow *f, struct follow_file *file)
{
	memcpy(f->held.found, file->name, sizeof(f->held.found));
	snprintf(file->path, sizeof(file->path), "/proc/self/fd/%d", file->fd);
	return 1;
}

int follow_next(struct follow *f, const struct follow_start *start, struct follow_file *file,
		struct jfrec_error *err)
{
	struct search s = { .f = f, .start = start, .best = file };

	*file = FOLLOW_NO_FILE;
	if (f->fd < 0)
		return 0;
	if (!f->opener.is_here && f->opener.channel < 0)
		return jfrec_fail(err, JFREC_ETIMEOUT, JFREC_NO_OFFSET,
				  "the file system of the repository does not respond");
	pending_chunks_take(&f->held);
	/* One that is gone, or empty as yet, is not a failure. */
	opener_list(&f->opener, f->fd, DIRECTORY_MAX, look, &s, NULL);
	look_at_held(&s);
	return s.has_best ? set_path(f, file) : 0;
}

int follow_part(struct follow *f, struct follow_file *file, struct jfrec_error *err)
{
	struct newest part = { .is_meant = name_is_part, .kind = S_IFREG };

	(void)err;
	*file = FOLLOW_NO_FILE;
	if (f->fd < 0 || !find_newest(&part, &f->opener, f->fd))
		return 0;
	memcpy(file->name, part.name, sizeof(file->name));
	file->fd = opener_open_file(&f->opener, f->fd, part.name, OPENER_DIRECT, NULL, NULL);
	return file->fd < 0 ? 0 : set_path(f, file);
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
	pending_chunks_give_up(&f->held, h);
	return 0;
}
