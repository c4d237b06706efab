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
#include "process/opener.h"
#include "repository/name.h"

struct entry {
	char *path;
	bool is_doubtful;	    /* by its name alone */
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
	return opener_open_named(path);
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

static int each_entry(void *ctx, const char *name, const struct opener_file *f)
{
	struct each *e = ctx;

	(void)f;
	e->result = e->fn(e->ctx, e->directory, name, e->err);
	return e->result;
}

int directory_each(int directory, directory_entry_fn *fn, void *ctx, struct jfrec_error *err)
{
	struct each e = { .fn = fn, .ctx = ctx, .directory = directory, .err = err };
	struct opener here = OPENER_HERE;
	struct jfrec_error why;

	if (opener_list(&here, directory, DIRECTORY_MAX, each_entry, &e, &why) < 0 && e.result >= 0)
		return jfrec_fail_sys(err, errno, "cannot list its files");
	return e.result < 0 ? e.result : 0;
}

/* Files ---------------------------------------------------------------------------------------- */

int directory_open_file(int directory, const char *name)
{
	struct opener here = OPENER_HERE;

	return opener_open_file(&here, directory, name, 0, NULL, NULL);
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

/* Repositories below --------------------------------------------------------------------------- */

/* So many are looked into, and so many are named. */
#define BELOW_MAX   1000
#define BELOW_NAMED 3

/*
 * FlightRecorderOptions:repository=DIR names the directory around the repositories, in which each
 * JVM makes one.
 */
struct below {
	const struct entries *around;
	int directory;		/* around them */
	struct entries entries; /* of the only one that has recordings */
	char newest[BELOW_NAMED][NAME_MAX + 1];
	size_t count, having;
	struct jfrec_error *err;
	bool failed;
};

static void entries_fini(struct entries *e)
{
	for (size_t i = 0; i < e->count; i++)
		free(e->items[i].path);
	free(e->items);
	*e = (struct entries){ 0 };
}

/* Their names begin with the time. */
static void note_newest(struct below *b, const char *name)
{
	size_t at = BELOW_NAMED;

	while (at > 0 && strcmp(name, b->newest[at - 1]) > 0)
		at--;
	if (at == BELOW_NAMED)
		return;
	memmove(b->newest[at + 1], b->newest[at], (BELOW_NAMED - 1 - at) * sizeof(b->newest[0]));
	snprintf(b->newest[at], sizeof(b->newest[at]), "%s", name);
}

/* The recordings in one of them; the first time that there are some, they are kept. */
static int look_into(struct below *b, const char *name, int fd)
{
	struct entries e = { 0 };
	char *path;
	int ret;

	if (asprintf(&path, "%.*s/%s", b->around->path_len, b->around->path, name) < 0)
		return jfrec_fail_memory(b->err);
	e.path = path;
	e.path_len = (int)strlen(path);
	ret = directory_each(fd, take, &e, b->err);
	if (ret == 0 && e.count) {
		note_newest(b, name);
		if (b->having++ == 0) {
			b->entries = e;
			e = (struct entries){ 0 };
		}
	}
	entries_fini(&e);
	free(path);
	return ret;
}

static int take_repository(void *ctx, const char *name, const struct opener_file *f)
{
	struct opener here = OPENER_HERE;
	struct below *b = ctx;
	int fd;

	if (!S_ISDIR(f->mode) || !name_repository_pid(name) || ++b->count > BELOW_MAX)
		return 0;
	fd = opener_open_directory(&here, b->directory, name, OPENER_ANYBODYS, NULL, NULL);
	if (fd < 0)
		return 0;
	b->failed = look_into(b, name, fd) < 0;
	close(fd);
	return b->failed ? -1 : 0;
}

static int fail_without(const struct below *b, struct jfrec_error *err)
{
	if (b->count)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "is a directory without recordings, and %s",
				  b->count == 1 ? "the repository of a JVM in it has none yet"
						: "the repositories of JVMs in it have none yet");
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "is a directory without recordings");
}

static int fail_several(const struct below *b, struct jfrec_error *err)
{
	char names[BELOW_NAMED * 32] = "";
	size_t len = 0;

	for (size_t i = 0; i < BELOW_NAMED && *b->newest[i] && len < sizeof(names); i++)
		len += (size_t)snprintf(names + len, sizeof(names) - len, "%s%.28s", i ? ", " : "",
					b->newest[i]);
	return jfrec_fail(
		err, JFREC_EINVAL, JFREC_NO_OFFSET,
		"is a directory with the repositories of %zu JVMs, the newest first: %s%s; "
		"name one of them, such as %.*s/%.28s",
		b->having, names, b->having > BELOW_NAMED ? " and others" : "",
		b->around->path_len > 150 ? 150 : b->around->path_len, b->around->path,
		b->newest[0]);
}

/* Where there is one with recordings, it is meant. */
static int collect_below(struct entries *e, int directory, struct jfrec_error *err)
{
	struct below b = { .around = e, .directory = directory, .err = err };
	struct opener here = OPENER_HERE;
	int ret = 0;

	opener_list(&here, directory, DIRECTORY_MAX, take_repository, &b, NULL);
	if (b.failed)
		ret = -1;
	else if (b.having == 0)
		ret = fail_without(&b, err);
	else if (b.having > 1)
		ret = fail_several(&b, err);
	if (ret == 0) {
		e->items = b.entries.items;
		e->count = b.entries.count;
		b.entries = (struct entries){ 0 };
	}
	entries_fini(&b.entries);
	return ret;
}

static int collect(struct entries *e, int directory, struct jfrec_error *err)
{
	if (directory_each(directory, take, e, err) < 0)
		return -1;
	if (e->count == 0 && collect_below(e, directory, err) < 0)
		return -1;
	qsort(e->items, e->count, sizeof(*e->items), compare);
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
	for (size_t i = 0; i < e.count && ret == 0; i++)
		ret = fn(ctx, e.items[i].path, err);
	entries_fini(&e);
	close(directory);
	return ret;
}
