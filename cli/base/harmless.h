/* SPDX-License-Identifier: MIT */
/*
 * harmless.h - escape untrusted text so that a terminal cannot act on it
 */
#ifndef JFREC_CLI_BASE_HARMLESS_H
#define JFREC_CLI_BASE_HARMLESS_H

#include <stdbool.h>
#include <stddef.h>

/* A character that is not there as a whole yet.  All zero at first. */
struct harmless {
	unsigned char held[4];
	size_t count;
};

/* The most that a byte becomes. */
#define HARMLESS_GROWTH 3

/*
 * Append harmless text to `to`, which has room for HARMLESS_GROWTH * (len + 3) bytes: control
 * characters as ^A, line feeds and tabs excepted if keep_lines; controls of 8 bits, characters that
 * change the direction of writing, and bytes that are not UTF-8 as U+FFFD.  Returns how many bytes
 * that were.
 */
size_t harmless_text(struct harmless *h, const char *data, size_t len, bool keep_lines, char *to);

/* The same for what is held back when nothing more comes. */
size_t harmless_end(struct harmless *h, char *to);

/*
 * All of a text, of which nothing went before, without what a terminal or a reader could act on; to
 * be freed.  NULL when memory is gone.
 */
char *harmless_copy(const char *bytes, size_t len);

#endif
