/* SPDX-License-Identifier: MIT */
/*
 * pending_chunks.h - keep new chunk files open until they are read
 *
 * A JVM that ends removes its repository.  If there are several recordings, it stops one after the
 * other, and a chunk that is begun in between has a name for some milliseconds only: between two
 * looks at the directory it comes and goes.  So the kernel is asked to tell of new files
 * (inotify), and each is opened as soon as it is known of.
 *
 * On a busy machine it may be gone even so: that is counted, and can be reported.  Where the kernel
 * cannot or may not tell of files, as on network file systems, nothing is held or counted.
 */
#ifndef JFREC_STREAM_PENDING_CHUNKS_H
#define JFREC_STREAM_PENDING_CHUNKS_H

#include <limits.h>
#include <stdbool.h>

#include "format/chunk_header.h"
#include "process/opener.h"

/*
 * What is held takes its place on the disk, even when the JVM has removed it: a reader that stands
 * still costs 16 chunks (of 12 MB, by default), and one descriptor each.
 */
#define PENDING_CHUNKS_MAX 16

struct pending_chunk {
	char name[NAME_MAX + 1]; /* as it came */
	int fd;
};

struct pending_chunks {
	int fd;	       /* of inotify: readable when something has come; -1: there is none */
	int directory; /* that is watched; -1: none */
	struct opener *opener;
	int watch;
	unsigned missed; /* chunks removed before they could be opened; the caller resets it */
	char found[NAME_MAX +
		   1]; /* what the caller itself found last in the directory, set by it */
	unsigned count;
	struct pending_chunk files[PENDING_CHUNKS_MAX]; /* the one that came first is first */
};

#define PENDING_CHUNKS_NONE ((struct pending_chunks){ .fd = -1, .directory = -1 })

/*
 * From now on, hold what comes in that directory, and no more what comes in the one before.  *o is
 * how its files are opened, and lives as long as *h.
 */
void pending_chunks_watch(struct pending_chunks *h, struct opener *o, int directory);

/* Open what has come.  If there is no room, what came first has to go. */
void pending_chunks_take(struct pending_chunks *h);

/* Its header; false if it has none, so far, or will get another name with it. */
bool pending_chunks_header(const struct pending_chunk *f, struct chunk_header *h);

/* Give up what is this chunk, or older. */
void pending_chunks_give_up(struct pending_chunks *h, const struct chunk_header *passed);

/* PENDING_CHUNKS_NONE is allowed, and is what it leaves. */
void pending_chunks_fini(struct pending_chunks *h);

#endif
