/* SPDX-License-Identifier: MIT */
/*
 * file.h - read a file that only the user or root can have written
 */
#ifndef JFREC_SETTINGS_FILE_H
#define JFREC_SETTINGS_FILE_H

#include <stddef.h>

#include "jfrec.h"

/*
 * small_file_read() of a file that no other user can have put there: it and its directory must
 * belong to the effective user or root, and be writable by no others.  NULL with JFREC_EPERMISSION
 * if not; nothing was read of it then.
 */
char *file_read_own(const char *path, size_t max, size_t *len, struct jfrec_error *err);

#endif
