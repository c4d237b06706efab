/* SPDX-License-Identifier: MIT */
/*
 * compress.h - compressing what is written, as it comes
 */
#ifndef JFREC_OUTPUT_COMPRESS_H
#define JFREC_OUTPUT_COMPRESS_H

#include "jfrec.h"

/* All return 0 or an errno value, as jfrec_write_fn does. */
struct compressor {
	int (*write)(struct compressor *c, const void *data, size_t len);
	/* What is left, and the trailer. */
	int (*end)(struct compressor *c);
	void (*free)(struct compressor *c);
	jfrec_write_fn *to;
	void *ctx;
};

/* NULL when memory is gone. */
struct compressor *compressor_gzip(jfrec_write_fn *to, void *ctx);
/* The same bytes without gzip's header and trailer: RFC 1951. */
struct compressor *compressor_deflate(jfrec_write_fn *to, void *ctx);
struct compressor *compressor_zstd(jfrec_write_fn *to, void *ctx);

#endif
