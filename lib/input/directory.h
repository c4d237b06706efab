/* SPDX-License-Identifier: MIT */
/*
 * directory.h - the chunk files of a directory, such as a JVM's repository
 */
#ifndef JFREC_INPUT_DIRECTORY_H
#define JFREC_INPUT_DIRECTORY_H

#include "jfrec.h"

bool directory_is(const char *path);

/* Called for each file; a negative result ends the listing. */
typedef int directory_fn(void *ctx, const char *path, struct jfrec_error *err);

/*
 * List the recordings directly in a directory by the start of their first
 * chunk: names carry local time, which is neither unique nor monotonic.  Files
 * that are no recordings, links and empty files are passed over.  0, or -1 with
 * *err set, also if there is none.
 */
int directory_list(const char *path, directory_fn *fn, void *ctx, struct jfrec_error *err);

#endif
