/* SPDX-License-Identifier: MIT */
/*
 * suffix.h - what the end of a file's name says: compression, recording, stem
 */
#ifndef JFREC_BASE_SUFFIX_H
#define JFREC_BASE_SUFFIX_H

#include <stdbool.h>
#include <stddef.h>

#include "jfrec/output.h"

bool ends_with(const char *text, const char *end);

/* Does it end in one of these, separated by spaces, with something in front: ".html .htm"? */
bool ends_with_any(const char *text, const char *ends);

/* How a file of that name is written: ".gz", ".zst"; others are as they are. */
enum jfrec_compression suffix_compression(const char *name);

/* ".gz", ".zst"; "" of what is not compressed. */
const char *suffix_of_compression(enum jfrec_compression how);

/* A file's name such as "a.jfr" or "a.jfr.xz"; those that are hidden are none. */
bool suffix_is_recording(const char *name);

/*
 * The length of "a" in "a.jfr.xz", "a.zst", "a.hprof", "a.html"; all of what has no such end.  It is
 * at least 1 of a name that has a character.
 */
size_t suffix_stem(const char *name);

#endif
