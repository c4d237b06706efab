/* SPDX-License-Identifier: MIT */
/*
 * grown_text.h - collect in memory what the library writes
 */
#ifndef JFREC_CLI_BASE_GROWN_TEXT_H
#define JFREC_CLI_BASE_GROWN_TEXT_H

#include <stddef.h>

/* All zero at first; free() the bytes.  No NUL follows them. */
struct grown_text {
	char *bytes;
	size_t len;
};

/* A jfrec_write_fn: append to a struct grown_text. */
int grown_text_append(void *text, const void *data, size_t len);

#endif
