/* SPDX-License-Identifier: MIT */
/*
 * chunks.c - list the chunk files of a JVM's repository
 */
#include "repository/chunks.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "format/clock.h"
#include "jfrec-tool.h"
#include "process/rights.h"
#include "repository/crash_file.h"
#include "repository/directory.h"
#include "repository/look.h"
#include "repository/name.h"
#include "repository/owner.h"

static const struct repository_filter every_file = { .selects = NULL };

int64_t repository_chunk_end_ns(const struct repository_chunk *c)
{
	return long_add(c->header.start_ns, c->header.duration_ns);
}

/* One file ------------------------------------------------------------------------------------- */

bool repository_has(const struct jfrec_repository *r, dev_t dev, ino_t ino)
{
	for (size_t i = 0; i < r->count; i++) {
		if (r->chunks[i].ino == ino && r->chunks[i].dev == dev)
			return true;
	}
	return false;
}

static void chunk_fini(struct repository_chunk *c)
{
	free(c->name);
	if (c->fd >= 0)
		close(c->fd);
}

static struct repository_chunk *add(struct jfrec_repository *r)
{
	if (!array_reserve(r->chunks, r->count, r->room))
		return NULL;
	return &r->chunks[r->count++];
}

/* Of several the first by name, whatever the order in which the directory has them. */
static void note_damaged(struct jfrec_repository *r, const char *name)
{
	if (r->damaged++ == 0 || strcmp(name, r->damaged_name) < 0)
		snprintf(r->damaged_name, sizeof(r->damaged_name), "%s", name);
}

/*
 * The file of that descriptor, which is then the repository's, if it is a chunk.  The descriptor
 * may be of a copy; *its says which file it is.
 */
static int take_file(struct jfrec_repository *r, int fd, const char *name,
		     const struct opener_file *its, const struct repository_filter *f,
		     struct jfrec_error *err)
{
	struct repository_chunk c = { .fd = fd, .name = (char *)name }, *at;
	bool is_chunk = chunk_look(&c, f->owner);

	if (!is_chunk && chunk_is_damaged(fd, f->owner))
		note_damaged(r, name);
	if (!is_chunk ||
	    (!c.is_guarded && f->selects && !f->selects(f->ctx, r, &c))) {
		close(fd);
		return 0;
	}
	if (f->most && r->count >= f->most) {
		r->left_out++;
		close(fd);
		return 0;
	}
	c.dev = its->dev;
	c.ino = its->ino;
	c.name = strdup(name);
	at = c.name ? add(r) : NULL;
	if (!at) {
		free(c.name);
		close(fd);
		return jfrec_fail_memory(err);
	}
	*at = c;
	return 0;
}

/* The directory -------------------------------------------------------------------------------- */

struct file_id {
	dev_t dev;
	ino_t ino;
};

static int by_id(const void *x, const void *y)
{
	const struct file_id *a = x, *b = y;

	if (a->ino != b->ino)
		return a->ino < b->ino ? -1 : 1;
	return a->dev < b->dev ? -1 : a->dev > b->dev;
}

/*
 * A JVM may begin new chunks while its directory is read, and of these readdir() gives some and
 * leaves out others, even older ones (POSIX). So the directory is read until nothing is new in it:
 * only then no chunk is missing between two others.
 */
#define PASSES_MAX 16

struct listing {
	struct jfrec_repository *r;
	const struct repository_filter *filter;
	struct file_id *seen; /* files that were opened, or are none of its chunks */
	size_t count, room, sorted; /* those of the passes before are sorted */
	struct jfrec_error *err, why;
};

/* 1: it is new; 0: an earlier pass has seen it; -1: *err is set. */
static int see_file(struct listing *l, const struct opener_file *file)
{
	struct file_id id = { file->dev, file->ino };

	if (l->sorted && bsearch(&id, l->seen, l->sorted, sizeof(id), by_id))
		return 0;
	if (!array_reserve(l->seen, l->count, l->room))
		return jfrec_fail_memory(l->err);
	l->seen[l->count++] = id;
	return 1;
}

/*
 * Why nothing is missing where a file was not opened: the JVM removes old ones, and links and what
 * belongs to others are none.
 */
static bool is_none(int error)
{
	return error == ENOENT || error == ELOOP || error == EPERM || error == EMEDIUMTYPE ||
	       error == ESTALE || error == ENXIO || error == EISDIR;
}

static int take_entry(void *ctx, const char *name, const struct opener_file *seen)
{
	struct listing *l = ctx;
	struct jfrec_repository *r = l->r;
	struct opener_file its;
	int fd, ret;

	if (!S_ISREG(seen->mode))
		return 0;
	if (name_is_part(name)) {
		r->part_count++;
		r->part_bytes += seen->size;
	}
	if (!name_is_chunk(name) || (l->filter->own_names && !name_is_own_chunk(name)))
		return 0;
	ret = see_file(l, seen);
	if (ret <= 0)
		return ret;
	fd = opener_open_file(r->opener, r->dir_fd, name, 0, &its, &l->why);
	if (fd >= 0)
		return take_file(r, fd, name, &its, l->filter, l->err);
	if (is_none(errno))
		return 0;
	return jfrec_fail_sys(l->err, errno, "cannot open %.200s/%.100s", r->path, name);
}

/* 1: something was new; 0: nothing was; -1: *l->err is set. */
static int list_once(struct listing *l)
{
	struct jfrec_repository *r = l->r;

	r->part_count = 0;
	r->part_bytes = 0;
	l->sorted = l->count;
	if (l->sorted)
		qsort(l->seen, l->sorted, sizeof(*l->seen), by_id);
	if (opener_list(r->opener, r->dir_fd, DIRECTORY_MAX, take_entry, l, &l->why) >= 0)
		return l->count > l->sorted;
	if (*l->why.text && l->err && !*l->err->text)
		*l->err = l->why;
	return -1;
}

static int list(struct jfrec_repository *r, const struct repository_filter *filter,
		struct jfrec_error *err)
{
	struct listing l = { .r = r, .filter = filter, .err = err };
	int ret = 1;

	for (int i = 0; i < PASSES_MAX && ret > 0; i++)
		ret = list_once(&l);
	free(l.seen);
	return ret < 0 ? -1 : 0;
}

static int by_age(const void *x, const void *y)
{
	const struct repository_chunk *a = x, *b = y;
	int order = chunk_header_order(&a->header, &b->header);

	return order ? order : strcmp(a->name, b->name);
}

static int by_file(const void *x, const void *y)
{
	const struct repository_chunk *a = x, *b = y;

	return by_id(&(struct file_id){ a->dev, a->ino }, &(struct file_id){ b->dev, b->ino });
}

/* What a JVM has open is mostly in its directory, too. */
static void drop_doubles(struct jfrec_repository *r)
{
	size_t kept = 0;

	if (r->count)
		qsort(r->chunks, r->count, sizeof(*r->chunks), by_file);
	for (size_t i = 0; i < r->count; i++) {
		if (kept && by_file(&r->chunks[kept - 1], &r->chunks[i]) == 0)
			chunk_fini(&r->chunks[i]);
		else
			r->chunks[kept++] = r->chunks[i];
	}
	r->count = kept;
}

/*
 * All files are there: what was being written is looked at again, as others may have followed
 * meanwhile, and they come into order.
 */
static void settle(struct jfrec_repository *r, const struct repository_filter *f)
{
	size_t kept = 0;

	drop_doubles(r);
	chunks_settle(r->chunks, r->count);
	for (size_t i = 0; i < r->count; i++) {
		struct repository_chunk *c = &r->chunks[i];
		bool was_guarded = c->is_guarded;

		c->is_guarded = false;
		if (was_guarded &&
		    (!chunk_is_valid(c) || (f->selects && !f->selects(f->ctx, r, c))))
			chunk_fini(c);
		else
			r->chunks[kept++] = *c;
	}
	r->count = kept;
	for (size_t i = 0; i < r->count; i++) {
		if (repository_chunk_is_open(&r->chunks[i]))
			repository_chunk_refresh(&r->chunks[i]);
	}
	if (r->count)
		qsort(r->chunks, r->count, sizeof(*r->chunks), by_age);
}

static struct jfrec_repository *repository_new(const char *path, struct jfrec_error *err)
{
	struct jfrec_repository *r = calloc(1, sizeof(*r));

	if (r) {
		r->dir_fd = -1;
		r->ns_pid = name_repository_pid(path);
		r->path = strdup(path);
	}
	if (r && r->path)
		return r;
	free(r);
	jfrec_fail_memory(err);
	return NULL;
}

struct jfrec_repository *repository_of_owned(struct opener *o, int fd, const char *path,
					     const struct repository_filter *filter,
					     struct jfrec_error *err)
{
	struct jfrec_repository *r = repository_new(path, err);
	int ret;

	if (!r) {
		close(fd);
		return NULL;
	}
	r->dir_fd = fd;
	r->opener = o;
	ret = list(r, filter, err);
	r->opener = NULL;
	if (ret == 0) {
		settle(r, filter);
		return r;
	}
	jfrec_repository_close(r);
	return NULL;
}

struct jfrec_repository *repository_copy(const struct jfrec_repository *r, size_t first,
					 size_t count, struct jfrec_error *err)
{
	struct jfrec_repository *copy = repository_new(r->path, err);

	for (size_t i = first; copy && i < first + count; i++) {
		struct repository_chunk *at = add(copy), c = r->chunks[i];

		if (c.fd >= 0 && at)
			c.fd = fcntl(c.fd, F_DUPFD_CLOEXEC, 3);
		c.name = c.fd >= 0 || r->chunks[i].fd < 0 ? strdup(c.name) : NULL;
		if (at && c.name) {
			*at = c;
			continue;
		}
		jfrec_fail_sys(err, errno, "cannot keep %.100s open", r->chunks[i].name);
		copy->count -= at != NULL;
		free(c.name);
		if (at && c.fd >= 0)
			close(c.fd);
		jfrec_repository_close(copy);
		return NULL;
	}
	return copy;
}

struct jfrec_repository *repository_of_directory(int fd, const char *path,
						 const struct repository_filter *filter,
						 struct jfrec_error *err)
{
	struct opener here = OPENER_HERE;

	return repository_of_owned(&here, fd, path, filter, err);
}

struct jfrec_repository *repository_of_chunk(const struct jfrec_repository *r,
					     const struct repository_chunk *c,
					     struct jfrec_error *err)
{
	return repository_copy(r, (size_t)(c - r->chunks), 1, err);
}

/* A native program that was killed may have left more than what is in its chunks. */
static int take_unflushed(struct jfrec_repository *r, struct jfrec_error *err)
{
	int fd = crash_file_chunk(r->dir_fd, &r->missing);
	struct opener_file its = { 0 };
	struct stat st;

	if (fd < 0)
		return 0;
	if (fstat(fd, &st) == 0) {
		its.dev = st.st_dev;
		its.ino = st.st_ino;
	}
	if (take_file(r, fd, "unflushed.jfr", &its, &every_file, err))
		return -1;
	settle(r, &every_file);
	return 0;
}

struct jfrec_repository *jfrec_repository_open(const char *path, struct jfrec_error *err)
{
	int fd = directory_open(path);
	struct jfrec_repository *r;

	if (fd < 0) {
		jfrec_fail_sys(err, errno, "cannot open");
		return NULL;
	}
	r = repository_of_directory(fd, path, &every_file, err);
	if (r && take_unflushed(r, err) == 0 && (r->count || !r->missing.code))
		return r;
	/* It is all that there would be. */
	if (r && r->count == 0 && r->missing.code && err)
		*err = r->missing;
	jfrec_repository_close(r);
	return NULL;
}

/* A JVM ---------------------------------------------------------------------------------------- */

static int fail_denied(const struct process *p, struct jfrec_error *err)
{
	if (rights_check(p, err) < 0)
		return -1;
	return jfrec_fail(err, JFREC_EPERMISSION, JFREC_NO_OFFSET,
			  "process %d hides its files from this user; run jfrec as root, or give "
			  "it the directory of the repository",
			  p->pid);
}

/* What the JVM has open itself: also a chunk whose name, or directory, is gone. */
static int take_open_file(void *ctx, int fd, const char *path, struct jfrec_error *err)
{
	struct jfrec_repository *r = ctx;
	const char *slash = strrchr(path, '/');
	char name[NAME_MAX + 1];
	struct opener_file its;
	int file = -1, error = ENOENT;

	if (name_is_chunk(path)) {
		file = opener_reopen(r->opener, fd, 0, &its, NULL);
		error = errno;
	}
	close(fd);
	if (file < 0)
		return is_none(error) ? 0
				      : jfrec_fail_sys(err, error, "cannot open %.300s", path);
	snprintf(name, sizeof(name), "%s", slash ? slash + 1 : path);
	return take_file(r, file, name, &its, &every_file, err);
}

static int take_directory(struct jfrec_repository *r, const struct process *p,
			  struct owned_repository *found, struct jfrec_error *err)
{
	struct jfrec_error why = { 0 };

	r->dir_fd = owner_open_repository(r->opener, p, found, &why);
	if (r->dir_fd >= 0)
		return list(r, &every_file, err);
	/* Somebody has removed it: what the JVM has open is all there is. */
	if (errno == ENOENT)
		return 0;
	if (err)
		*err = why;
	return -1;
}

static int take_all(struct jfrec_repository *r, const struct process *p,
		    struct owned_repository *found, struct jfrec_error *err)
{
	struct opener opener;
	int ret;

	if (opener_start(&opener, p, err) < 0)
		return -1;
	r->opener = &opener;
	/*
	 * What it has open by now comes first: no chunk is missing before what the directory has.
	 */
	ret = owner_each_open_file(p, take_open_file, r, err);
	if (ret == 0)
		ret = take_directory(r, p, found, err);
	r->opener = NULL;
	opener_stop(&opener);
	return ret;
}

struct jfrec_repository *repository_of_process(const struct process *p, struct jfrec_error *err)
{
	struct jfrec_repository *r;
	struct owned_repository found;

	owner_find_repository(&found, p);
	if (found.denied) {
		fail_denied(p, err);
		return NULL;
	}
	if (!*found.path) {
		jfrec_fail(err, JFREC_EREFUSED, JFREC_NO_OFFSET,
			   "process %d is not recording to disk; `jfrec start` starts a recording",
			   p->pid);
		return NULL;
	}
	r = repository_new(found.path, err);
	if (r && take_all(r, p, &found, err) == 0) {
		settle(r, &every_file);
		return r;
	}
	jfrec_repository_close(r);
	return NULL;
}

struct jfrec_repository *jfrec_repository_of_jvm(const struct jfrec_jvm *jvm,
						 struct jfrec_error *err)
{
	struct jfrec_repository *r;
	struct process p;

	if (process_open(&p, jvm->pid, jvm->start_ticks, err) < 0)
		return NULL;
	r = repository_of_process(&p, err);
	process_close(&p);
	return r;
}

/* Its chunks have gone over to the other one, or are let go. */
static int take_over(struct jfrec_repository *to, struct jfrec_repository *from,
		     struct jfrec_error *err)
{
	for (size_t i = 0; i < from->count; i++) {
		struct repository_chunk *c = &from->chunks[i], *at;

		if (c->was_removed || repository_has(to, c->dev, c->ino))
			continue;
		at = add(to);
		if (!at)
			return jfrec_fail_memory(err);
		*at = *c;
		at->was_removed = true;
		c->name = NULL;
		c->fd = -1;
	}
	if (to->count)
		qsort(to->chunks, to->count, sizeof(*to->chunks), by_age);
	return 0;
}

int jfrec_repository_again(struct jfrec_repository **r, const struct jfrec_jvm *jvm,
			   struct jfrec_error *err)
{
	struct jfrec_repository *now = jfrec_repository_of_jvm(jvm, err);

	if (!now)
		return -1;
	if (*r && take_over(now, *r, err) < 0) {
		jfrec_repository_close(now);
		return -1;
	}
	jfrec_repository_close(*r);
	*r = now;
	return 0;
}

void jfrec_repository_refresh(struct jfrec_repository *r)
{
	for (size_t i = 0; i < r->count; i++) {
		if (r->chunks[i].fd >= 0)
			repository_chunk_refresh(&r->chunks[i]);
	}
}

/* What is in it -------------------------------------------------------------------------------- */

const struct jfrec_repository_info *jfrec_repository_describe(struct jfrec_repository *r)
{
	struct jfrec_repository_info *info = &r->info;

	*info = (struct jfrec_repository_info){
		.path = r->path,
		.ns_pid = r->ns_pid,
		.unreadable = r->part_count,
		.unreadable_bytes = r->part_bytes,
		.left_out = r->left_out,
		.damaged = r->damaged,
		.damaged_name = r->damaged ? r->damaged_name : NULL,
	};
	for (size_t i = 0; i < r->count; i++) {
		const struct repository_chunk *c = &r->chunks[i];

		if (repository_chunk_is_empty(c))
			continue;
		info->chunks++;
		info->bytes += repository_chunk_bytes(c);
		if (repository_chunk_end_ns(c) > info->flushed_ns)
			info->flushed_ns = repository_chunk_end_ns(c);
		if (repository_chunk_is_open(c) && c->file_size > c->header.size)
			info->bytes_behind += c->file_size - c->header.size;
	}
	return info;
}

/* In a directory that is no JVM's, a file may have others after its first. */
static bool has_more(const struct repository_chunk *c)
{
	return !repository_chunk_is_open(c) && c->file_size > c->header.size;
}

void repository_select(struct jfrec_repository *r, repository_select_fn *selects, void *ctx)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->count; i++) {
		if (selects(ctx, r, &r->chunks[i]))
			r->chunks[kept++] = r->chunks[i];
		else
			chunk_fini(&r->chunks[i]);
	}
	r->count = kept;
}

struct bounds {
	const int64_t *from_ns, *to_ns;
};

static bool touches(void *ctx, const struct jfrec_repository *r, const struct repository_chunk *c)
{
	const struct bounds *b = ctx;

	(void)r;
	return (!b->from_ns || has_more(c) || repository_chunk_end_ns(c) >= *b->from_ns) &&
	       (!b->to_ns || c->header.start_ns < *b->to_ns);
}

void jfrec_repository_select_span(struct jfrec_repository *r, const int64_t *from_ns,
				  const int64_t *to_ns)
{
	struct bounds b = { from_ns, to_ns };

	repository_select(r, touches, &b);
}

void repository_chunk_refresh(struct repository_chunk *c)
{
	struct repository_chunk now = { .fd = c->fd };

	if (!chunk_look(&now, NULL))
		return;
	c->file_size = now.file_size;
	c->stored = now.stored;
	c->changed_ns = now.changed_ns;
	if (!now.is_guarded)
		c->header = now.header;
}

void jfrec_repository_close(struct jfrec_repository *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->count; i++)
		chunk_fini(&r->chunks[i]);
	free(r->chunks);
	if (r->dir_fd >= 0)
		close(r->dir_fd);
	free(r->path);
	free(r);
}
