/* SPDX-License-Identifier: MIT */
/*
 * constants.h - find the checkpoints of a chunk and index their constants
 */
#ifndef JFREC_FORMAT_CONSTANTS_H
#define JFREC_FORMAT_CONSTANTS_H

#include "format/chunk.h"

/*
 * Add the constants of all checkpoints from `from` on, where an event begins.  Damage is reported.
 * 0, or -1 when memory is gone.
 */
int constants_add(struct chunk *c, uint64_t from);

/* Index those of all checkpoints known so far again, by other metadata. */
int constants_again(struct chunk *c);

/* The number of the first anchor at the offset or after it. */
size_t constants_first_behind(const struct chunk *c, uint64_t offset);

#endif
