/* SPDX-License-Identifier: MIT */
/*
 * small_file.h - read a small file into memory
 */
#ifndef JFREC_BASE_SMALL_FILE_H
#define JFREC_BASE_SMALL_FILE_H

#include <stddef.h>

#include "jfrec/base.h"

/*
 * Read a regular file of up to max bytes; *len of them, and one more where it is larger.
 * Returns the bytes, to be freed, or NULL with *err set: JFREC_EIO, JFREC_ENOMEM.
 */
char *small_file_read(const char *path, size_t max, size_t *len, struct jfrec_error *err);

/* The same in two steps, for who looks at the file in between. Opens regular files only; or -1. */
int small_file_open(int directory, const char *path, struct jfrec_error *err);

/* Closes the descriptor, which may be -1 with *err set already. */
char *small_file_take(int fd, size_t max, size_t *len, struct jfrec_error *err);

#endif
