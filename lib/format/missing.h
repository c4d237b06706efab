/* SPDX-License-Identifier: MIT */
/*
 * missing.h - stand-ins for constants that a chunk refers to but lacks
 */
#ifndef JFREC_FORMAT_MISSING_H
#define JFREC_FORMAT_MISSING_H

#include "format/chunk.h"

/*
 * How many there are, each counted once: those that its events name, and those that its constants
 * do.  For chunks that lost some: all are decoded.  0, or -1 when memory is gone.
 */
int missing_count(struct chunk *c, uint64_t *count);

#endif
