/* SPDX-License-Identifier: MIT */
/*
 * pending_chunks.c - keep new chunk files open until they are read
 */
#include "stream/pending_chunks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "repository/directory.h"
#include "repository/name.h"

/* Files that are made, and those of JDK 8 and 11 that get their names when they are finished. */
#define WATCHED (IN_CREATE | IN_MOVED_TO | IN_ONLYDIR)

static void drop_first(struct pending_chunks *h)
{
	close(h->files[0].fd);
	h->count--;
	memmove(h->files, h->files + 1, h->count * sizeof(*h->files));
}

/*
 * Opening it has failed.  Was the file removed before anyone opened it?  Not if the reader has
 * found it by itself, and not if it only got its final name: then it was opened by the one before.
 */
static bool is_missed(const struct pending_chunks *h, const struct inotify_event *e)
{
	return errno == ENOENT && e->mask & IN_CREATE && name_is_chunk(e->name) &&
	       strcmp(e->name, h->found) != 0;
}

static void hold(struct pending_chunks *h, const struct inotify_event *e)
{
	struct pending_chunk *f;
	int fd;

	if (!name_is_chunk(e->name) && !name_is_part(e->name))
		return;
	fd = opener_open_file(h->opener, h->directory, e->name, OPENER_DIRECT, NULL, NULL);
	if (fd < 0) {
		h->missed += is_missed(h, e);
		return;
	}
	if (h->count == PENDING_CHUNKS_MAX)
		drop_first(h);
	f = &h->files[h->count++];
	f->fd = fd;
	snprintf(f->name, sizeof(f->name), "%s", e->name);
}

void pending_chunks_take(struct pending_chunks *h)
{
	/* Aligned as the kernel wants it; some names of a JVM's files, or one of any length. */
	char events[2048] __attribute__((aligned(__alignof__(struct inotify_event))));
	ssize_t len;

	while (h->fd >= 0 && (len = read(h->fd, events, sizeof(events))) > 0) {
		const struct inotify_event *e;

		for (const char *at = events; at < events + len; at += sizeof(*e) + e->len) {
			e = (const struct inotify_event *)(const void *)at;
			if (e->len)
				hold(h, e);
		}
	}
}

static void stop_watching(struct pending_chunks *h)
{
	if (h->directory < 0)
		return;
	pending_chunks_take(h);
	inotify_rm_watch(h->fd, h->watch);
	close(h->directory);
	h->directory = -1;
}

void pending_chunks_watch(struct pending_chunks *h, struct opener *o, int directory)
{
	char same[32];

	stop_watching(h);
	if (h->fd < 0)
		h->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	h->opener = o;
	h->directory = h->fd < 0 ? -1 : fcntl(directory, F_DUPFD_CLOEXEC, 3);
	if (h->directory < 0)
		return;
	/* The one that is open, whatever the path means by now. */
	snprintf(same, sizeof(same), "/proc/self/fd/%d", h->directory);
	h->watch = inotify_add_watch(h->fd, same, WATCHED);
	if (h->watch < 0) {
		close(h->directory);
		h->directory = -1;
	}
}

/* What JDK 8 and 11 have not finished has anything where the header will be. */
static bool has_header(const struct pending_chunk *f, struct chunk_header *h, bool *has_name)
{
	struct stat st;

	if (!directory_file_header(f->fd, h) || fstat(f->fd, &st) < 0)
		return false;
	*has_name = st.st_nlink > 0;
	return !name_is_part(f->name) || (uint64_t)st.st_size == h->size;
}

bool pending_chunks_header(const struct pending_chunk *f, struct chunk_header *h)
{
	bool has_name;

	/* Until it is removed, what is not finished gets another name, and is found by that. */
	return has_header(f, h, &has_name) && !(has_name && name_is_part(f->name));
}

void pending_chunks_give_up(struct pending_chunks *h, const struct chunk_header *passed)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < h->count; i++) {
		struct chunk_header its;
		bool has_name;

		if (has_header(&h->files[i], &its, &has_name) &&
		    chunk_header_order(&its, passed) <= 0)
			close(h->files[i].fd);
		else
			h->files[kept++] = h->files[i];
	}
	h->count = kept;
}

void pending_chunks_fini(struct pending_chunks *h)
{
	stop_watching(h);
	while (h->count)
		drop_first(h);
	if (h->fd >= 0)
		close(h->fd);
	*h = PENDING_CHUNKS_NONE;
}
