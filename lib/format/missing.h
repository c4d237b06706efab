/* SPDX-License-Identifier: MIT */
/*
 * missing.h - stand-ins for constants that a chunk refers to but lacks
 */
#ifndef JFREC_FORMAT_MISSING_H
#define JFREC_FORMAT_MISSING_H

#include "format/chunk.h"

struct missing_constants {
	struct idmap *keys; /* by the index of their type */
	uint32_t type_count;
	uint64_t count;
};

/*
 * Those that its events name, and those that its constants do, each once: all are decoded.
 * 0, or -1 when memory is gone.
 */
int missing_constants_find(struct chunk *c, struct missing_constants *missing);
void missing_constants_fini(struct missing_constants *missing);

/* How many there are.  0, or -1 when memory is gone. */
int missing_count(struct chunk *c, uint64_t *count);

#endif
