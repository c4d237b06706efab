/* SPDX-License-Identifier: MIT */
/*
 * squeeze.h - how small bytes become when they are compressed
 */
#ifndef JFREC_COST_SQUEEZE_H
#define JFREC_COST_SQUEEZE_H

#include "output/compress.h"

/* All zero at first. */
struct squeeze {
	struct compressor *zstd, *gzip;
	uint64_t raw, zstd_bytes, gzip_bytes; /* the last two once it has ended */
};

/* Add bytes.  0, or -1 when memory is gone. */
int squeeze_add(struct squeeze *s, const void *data, size_t len);

/* More may be added then, as another stream.  0, or -1. */
int squeeze_end(struct squeeze *s);

void squeeze_fini(struct squeeze *s);

#endif
