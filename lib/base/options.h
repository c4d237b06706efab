/* SPDX-License-Identifier: MIT */
/*
 * options.h - structs of options that may be smaller or larger in the program than here
 */
#ifndef JFREC_BASE_OPTIONS_H
#define JFREC_BASE_OPTIONS_H

#include "jfrec/base.h"

/*
 * Copy the options of a caller, a struct that begins with its size (size_t struct_size), to *to,
 * one of `size` bytes.  What an older program's struct does not have is 0; what only a newer one's
 * has must be 0.  NULL: all is 0.
 *
 * 0, or -1 with *err set (JFREC_EINVAL).
 */
int options_take(void *to, size_t size, const void *from, struct jfrec_error *err);

#endif
