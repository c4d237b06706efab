/* SPDX-License-Identifier: MIT */
/*
 * file.h - read a small file into memory
 */
#ifndef JFREC_SETTINGS_FILE_H
#define JFREC_SETTINGS_FILE_H

#include <stddef.h>

#include "jfrec.h"

/*
 * Read a regular file of up to max bytes; *len of them, and one more where it is larger.
 * Returns the bytes, to be freed, or NULL with *err set: JFREC_EIO, JFREC_ENOMEM.
 */
char *file_read(const char *path, size_t max, size_t *len, struct jfrec_error *err);

/*
 * The same of a file that nobody else may have put there: it and its directory must belong to the
 * effective user or root, and be writable by no others.  NULL with JFREC_EPERMISSION if not;
 * nothing was read of it then.
 */
char *file_read_own(const char *path, size_t max, size_t *len, struct jfrec_error *err);

#endif
