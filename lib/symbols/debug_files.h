/* SPDX-License-Identifier: MIT */
/*
 * debug_files.h - find the file with the debug information of a module, by its build ID
 */
#ifndef JFREC_SYMBOLS_DEBUG_FILES_H
#define JFREC_SYMBOLS_DEBUG_FILES_H

#include "jfrec/symbols.h"
#include "symbols/debug_info.h"

/* Parse hexadecimal digits; size 0: they are not a build ID. */
struct build_id build_id_parse(const char *digits);

/*
 * The file, ready for debug_info_find(), to be closed.  *path is where it was found, to be freed,
 * or NULL.  *err says what is wrong with it: that it has symbols only, if there is a file, or else
 * why there is none.  NULL: none, or memory is gone.
 */
struct debug_info *debug_files_find(struct jfrec_debug_files *f, struct build_id id, char **path,
				    struct jfrec_error *err);

#endif
