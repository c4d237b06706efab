/* SPDX-License-Identifier: MIT */
/*
 * glob.h - match the JDK's wildcards: `*` any run, `?` one character, no escape
 */
#ifndef JFREC_BASE_GLOB_H
#define JFREC_BASE_GLOB_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Does the glob cover the whole text?  In linear time; a part between stars that has `?` may take
 * its length for each place of the text.
 */
bool glob_match(const char *glob, size_t glob_len, const char *text);

/* The same for text that may hold NUL and does not end in it. */
bool glob_match_text(const char *glob, size_t glob_len, const char *text, size_t text_len);

#endif
