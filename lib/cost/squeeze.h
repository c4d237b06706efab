/* SPDX-License-Identifier: MIT */
/*
 * squeeze.h - measure how well bytes compress
 */
#ifndef JFREC_COST_SQUEEZE_H
#define JFREC_COST_SQUEEZE_H

#include "jfrec-tool.h"
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

/* What so many bytes of the kind come to; as many, if there is no sample of it. */
struct jfrec_sizes squeeze_sizes(const struct squeeze *s, double bytes);

/* Add to sizes so many times others. */
void sizes_add(struct jfrec_sizes *to, struct jfrec_sizes more, double times);

void squeeze_fini(struct squeeze *s);

#endif
