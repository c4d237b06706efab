/* SPDX-License-Identifier: MIT */
/*
 * directory.c - open a directory of chunk files as one recording
 */
#include "repository/directory.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "input/stream.h"
#include "process/own.h"
#include "repository/name.h"

struct entry {
	char *path;
	bool is_doubtful; /* by its name alone */
	struct chunk_header header; /* of its first chunk, if it is not */
};

struct entries {
	const char *path; /* of the directory, path_len of it */
	int path_len;
	struct entry *items;
	size_t count, room;
};

bool directory_is(const char *path)
{
	int fd = directory_open(path);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

int directory_open(const char *path)
{
	return own_open_named(path);
}

bool directory_is_same(int a, int b)
{
	struct stat x, y;

	return a >= 0 && b >= 0 && fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

struct each {
	directory_entry_fn *fn;
	void *ctx;
	int directory;
	struct jfrec_error *err;
	int result;
};

static int each_entry(void *ctx, const char *name, const struct own_file *f)
{
	struct each *e = ctx;

	(void)f;
	e->result = e->fn(e->ctx, e->directory, name, e->err);
	return e->result;
}

int directory_each(int directory, directory_entry_fn *fn, void *ctx, struct jfrec_error *err)
{
	struct each e = { .fn = fn, .ctx = ctx, .directory = directory, .err = err };
	struct own here = OWN_HERE;
	struct jfrec_error why;

	if (own_list(&here, directory, DIRECTORY_MAX, each_entry, &e, &why) < 0 && e.result >= 0)
		return jfrec_fail_sys(err, errno, "cannot list its files");
	return e.result < 0 ? e.result : 0;
}

/* Files ---------------------------------------------------------------------------------------- */

int directory_open_file(int directory, const char *name)
{
	struct own here = OWN_HERE;

	return own_open_file(&here, directory, name, 0, NULL, NULL);
}

bool directory_file_header(int fd, struct chunk_header *h)
{
	uint8_t bytes[CHUNK_HEADER_SIZE];
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || !chunk_header_read(fd, bytes))
		return false;
	*h = chunk_header_parse(bytes);
	return h->size >= CHUNK_HEADER_SIZE;
}

/* A list of them, in order --------------------------------------------------------------------- */

/* With the header that it begins with, or NULL. */
static int add(struct entries *e, const char *name, const struct chunk_header *h)
{
	char *path;

	if (!array_reserve(e->items, e->count, e->room))
		return -1;
	if (asprintf(&path, "%.*s/%s", e->path_len, e->path, name) < 0)
		return -1;
	e->items[e->count++] = (struct entry){
		.path = path,
		.is_doubtful = !h,
		.header = h ? *h : (struct chunk_header){ 0 },
	};
	return 0;
}

/* The header of a file's first chunk once the file is decompressed. */
static bool compressed_header(int fd, struct chunk_header *h)
{
	uint8_t bytes[CHUNK_HEADER_SIZE];
	struct stream *s;
	size_t done = 0, got = 1;
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || !stream_is_compressed(fd))
		return false;
	s = stream_new(fd, false, NULL, NULL);
	while (s && done < sizeof(bytes) && got) {
		if (stream_read(s, bytes + done, sizeof(bytes) - done, &got, NULL) < 0)
			got = 0;
		done += got;
	}
	stream_free(s);
	if (done < sizeof(bytes) || !chunk_header_is_magic(bytes))
		return false;
	*h = chunk_header_parse(bytes);
	return h->size >= CHUNK_HEADER_SIZE;
}

/* Files of ours in the making are hidden. */
static bool is_named_as_recording(const char *name)
{
	const char *suffix = strrchr(name, '.');

	return suffix && *name != '.' && strcmp(suffix, ".jfr") == 0;
}

static bool has_other_bytes(int fd)
{
	uint8_t bytes[CHUNK_HEADER_SIZE];

	return pread(fd, bytes, sizeof(bytes), 0) == (ssize_t)sizeof(bytes) &&
	       !chunk_header_is_magic(bytes);
}

/* A file that could not be opened: it is not one, or it is kept from us, or nothing can be. */
static int take_closed(struct entries *e, const char *name, int why, struct jfrec_error *err)
{
	if (why == EMFILE || why == ENFILE || why == ENOMEM)
		return jfrec_fail_sys(err, why, "cannot open %.200s in it", name);
	if ((why == EACCES || why == EPERM || why == EIO) && is_named_as_recording(name) &&
	    add(e, name, NULL) < 0)
		return jfrec_fail_memory(err);
	return 0;
}

static int take(void *ctx, int directory, const char *name, struct jfrec_error *err)
{
	int fd = directory_open_file(directory, name), ret = 0;
	struct chunk_header h;

	if (fd < 0)
		return take_closed(ctx, name, errno, err);
	if (directory_file_header(fd, &h) || compressed_header(fd, &h))
		ret = add(ctx, name, &h);
	else if (is_named_as_recording(name) && has_other_bytes(fd))
		ret = add(ctx, name, NULL);
	close(fd);
	return ret < 0 ? jfrec_fail_memory(err) : 0;
}

static int compare(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;
	int order = a->is_doubtful != b->is_doubtful ? a->is_doubtful - b->is_doubtful
						     : chunk_header_order(&a->header, &b->header);

	return order ? order : strcmp(a->path, b->path);
}

/* Repositories are one directory below that which FlightRecorderOptions names. */
struct below {
	char newest[NAME_MAX + 1];
	size_t count;
};

static int take_repository(void *ctx, const char *name, const struct own_file *f)
{
	struct below *b = ctx;

	if (!S_ISDIR(f->mode) || !name_repository_pid(name))
		return 0;
	b->count++;
	/* Their names begin with the time. */
	if (strcmp(name, b->newest) > 0)
		snprintf(b->newest, sizeof(b->newest), "%s", name);
	return 0;
}

static int fail_without(const struct entries *e, int directory, struct jfrec_error *err)
{
	struct own here = OWN_HERE;
	struct below b = { 0 };

	own_list(&here, directory, DIRECTORY_MAX, take_repository, &b, NULL);
	if (!b.count)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "is a directory without recordings");
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
			  "is a directory without recordings, but with %zu repositor%s of JVMs; "
			  "name one, such as %.*s/%.60s",
			  b.count, b.count == 1 ? "y" : "ies", e->path_len > 200 ? 200 : e->path_len, e->path, b.newest);
}

static int collect(struct entries *e, int directory, struct jfrec_error *err)
{
	if (directory_each(directory, take, e, err) < 0)
		return -1;
	if (e->count)
		qsort(e->items, e->count, sizeof(*e->items), compare);
	if (e->count == 0)
		return fail_without(e, directory, err);
	if (e->items[0].is_doubtful)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "is a directory without recordings that can be read; "
				  "`jfrec summary %.200s` says why",
				  e->items[0].path);
	return 0;
}

int directory_list(const char *path, directory_fn *fn, void *ctx, struct jfrec_error *err)
{
	struct entries e = { .path = path, .path_len = (int)strlen(path) };
	int directory = directory_open(path), ret;

	if (directory < 0)
		return jfrec_fail_sys(err, errno, "cannot open");
	while (e.path_len > 1 && path[e.path_len - 1] == '/')
		e.path_len--;
	ret = collect(&e, directory, err);
	for (size_t i = 0; i < e.count; i++) {
		if (ret == 0)
			ret = fn(ctx, e.items[i].path, err);
		free(e.items[i].path);
	}
	free(e.items);
	close(directory);
	return ret;
}
