/* SPDX-License-Identifier: MIT */
/*
 * directory.c - the chunk files of a directory, such as a JVM's repository
 */
#include "input/directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "format/chunk_header.h"

struct entry {
	char *path;
	struct chunk_header header; /* of its first chunk */
};

struct entries {
	struct entry *items;
	size_t count, room;
};

bool directory_is(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* A chunk with a size, in a regular file: a JVM of 8 or 11 leaves headers that are nearly empty. */
static bool is_recording(int dir, const char *name, struct chunk_header *h)
{
	/* Never wait for a FIFO, never follow a link. */
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
	uint8_t bytes[CHUNK_HEADER_SIZE];
	struct stat st;
	bool is_chunk;

	if (fd < 0)
		return false;
	is_chunk = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		   pread(fd, bytes, sizeof(bytes), 0) == sizeof(bytes) &&
		   chunk_header_is_magic(bytes);
	close(fd);
	if (!is_chunk)
		return false;
	*h = chunk_header_parse(bytes);
	return h->size >= CHUNK_HEADER_SIZE;
}

static int add(struct entries *e, const char *directory, const char *name,
	       const struct chunk_header *h)
{
	int len = (int)strlen(directory);
	char *path;

	while (len > 1 && directory[len - 1] == '/')
		len--;
	if (e->count == e->room) {
		size_t room = e->room ? e->room * 2 : 16;
		struct entry *items = reallocarray(e->items, room, sizeof(*items));

		if (!items)
			return -1;
		e->items = items;
		e->room = room;
	}
	if (asprintf(&path, "%.*s/%s", len, directory, name) < 0)
		return -1;
	e->items[e->count++] = (struct entry){ path, *h };
	return 0;
}

int directory_order(const struct chunk_header *a, const struct chunk_header *b)
{
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return a->start_ticks < b->start_ticks ? -1 : a->start_ticks > b->start_ticks;
}

static int compare(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;
	int order = directory_order(&a->header, &b->header);

	return order ? order : strcmp(a->path, b->path);
}

static int collect(const char *path, DIR *dir, struct entries *e, struct jfrec_error *err)
{
	const struct dirent *d;
	struct chunk_header h;

	while ((d = readdir(dir)) != NULL) {
		if (is_recording(dirfd(dir), d->d_name, &h) &&
		    add(e, path, d->d_name, &h) < 0)
			return jfrec_fail_memory(err);
	}
	if (e->count == 0)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "is a directory without recordings");
	qsort(e->items, e->count, sizeof(*e->items), compare);
	return 0;
}

int directory_list(const char *path, directory_fn *fn, void *ctx, struct jfrec_error *err)
{
	struct entries e = { 0 };
	DIR *dir = opendir(path);
	int ret;

	if (!dir)
		return jfrec_fail_sys(err, errno, "cannot open");
	ret = collect(path, dir, &e, err);
	for (size_t i = 0; i < e.count; i++) {
		if (ret == 0)
			ret = fn(ctx, e.items[i].path, &e.items[i].header, err);
		free(e.items[i].path);
	}
	free(e.items);
	closedir(dir);
	return ret;
}
