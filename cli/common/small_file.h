/* SPDX-License-Identifier: MIT */
/*
 * small_file.h - read a small file into memory
 */
#ifndef JFREC_CLI_COMMON_SMALL_FILE_H
#define JFREC_CLI_COMMON_SMALL_FILE_H

#include "jfrec.h"

/*
 * Read a regular file of up to max bytes; *len of them, and one more where it is larger.
 * Returns the bytes, to be freed, or NULL with *err set: JFREC_EIO, JFREC_ENOMEM.
 */
char *small_file_read(const char *path, size_t max, size_t *len, struct jfrec_error *err);

#endif
