/* SPDX-License-Identifier: MIT */
/*
 * directory.h - open a directory of chunk files as one recording
 */
#ifndef JFREC_REPOSITORY_DIRECTORY_H
#define JFREC_REPOSITORY_DIRECTORY_H

#include "format/chunk_header.h"
#include "jfrec.h"

bool directory_is(const char *path);

/* How many entries of one directory are looked at. */
#define DIRECTORY_MAX 100000

/* Open a directory that the caller named: it only stands for it.  -1 with errno set. */
int directory_open(const char *path);

/* Of two that are open; -1 is allowed, and is none. */
bool directory_is_same(int a, int b);

/*
 * Call fn(ctx, directory, name, err) for each entry, as often as wanted from the first one on.  A
 * negative result ends it, and is returned; -1 with *err set (JFREC_EIO) if it cannot be listed;
 * else 0.
 */
typedef int directory_entry_fn(void *ctx, int directory, const char *name, struct jfrec_error *err);
int directory_each(int directory, directory_entry_fn *fn, void *ctx, struct jfrec_error *err);

/* Open a file of it, if it is a regular one; never a link. -1 with errno set. */
int directory_open_file(int directory, const char *name);

/*
 * The header of the chunk that a regular file begins with.  False if there is none, or one without
 * a size: a JVM of 8 or 11 leaves headers that are nearly empty.
 *
 * While the JVM writes the chunk, only what never changes can be relied on: when it began.
 */
bool directory_file_header(int fd, struct chunk_header *h);

/* Called for each file; a negative result ends the listing. */
typedef int directory_fn(void *ctx, const char *path, struct jfrec_error *err);

/*
 * List the recordings directly in a directory by the start of their first
 * chunk: names carry local time, which is neither unique nor monotonic.  What is compressed is
 * known by its content.  After them come files that are named like recordings and do not begin
 * as one does, or may not be opened: reading them tells why.  Links, empty files and all others are
 * passed over.  0, or -1 with *err set, also if there is no recording, or no descriptor is left.
 */
int directory_list(const char *path, directory_fn *fn, void *ctx, struct jfrec_error *err);

#endif
