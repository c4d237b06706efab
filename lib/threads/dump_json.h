/* SPDX-License-Identifier: MIT */
/*
 * dump_json.h - thread dumps of Thread.dump_to_file -format=json
 */
#ifndef JFREC_THREADS_DUMP_JSON_H
#define JFREC_THREADS_DUMP_JSON_H

#include "threads/dump.h"

/*
 * Read the dump, which begins with '{' and ends with NUL, and is changed.  0, also where it breaks
 * off (.is_cut), or -1 with *err set: JFREC_EFORMAT.  *d is to be freed with dump_fini() in any
 * case, and has no_memory set if that is gone.
 */
int dump_json_read(struct dump *d, char *text, size_t len, struct jfrec_error *err);

#endif
