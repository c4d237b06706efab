/* SPDX-License-Identifier: MIT */
/*
 * directory.h - the chunk files of a directory, such as a JVM's repository
 */
#ifndef JFREC_INPUT_DIRECTORY_H
#define JFREC_INPUT_DIRECTORY_H

#include "format/chunk_header.h"
#include "jfrec.h"

bool directory_is(const char *path);

/* Called for each file, with its first chunk's header; a negative result ends the listing. */
typedef int directory_fn(void *ctx, const char *path, const struct chunk_header *h,
			 struct jfrec_error *err);

/*
 * Which of two chunks of one JVM was begun first: below 0, the first one.  A JVM whose clock
 * is set back lets time stand still for its chunks, but ticks go on.
 */
int directory_order(const struct chunk_header *a, const struct chunk_header *b);

/*
 * List the recordings directly in a directory by the start of their first
 * chunk: names carry local time, which is neither unique nor monotonic.  Files
 * that are no recordings, links and empty files are passed over.  0, or -1 with
 * *err set, also if there is none.
 */
int directory_list(const char *path, directory_fn *fn, void *ctx, struct jfrec_error *err);

#endif
