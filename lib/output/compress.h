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
/* The same in less time, to some more bytes. */
struct compressor *compressor_gzip_quick(jfrec_write_fn *to, void *ctx);
/* The same without gzip's header and trailer: RFC 1951. */
struct compressor *compressor_deflate(jfrec_write_fn *to, void *ctx);
struct compressor *compressor_zstd(jfrec_write_fn *to, void *ctx);

/* Compressing pieces on their own, each all at once, with zstd. */
struct block_compressor;

/* NULL when memory is gone. */
struct block_compressor *block_compressor_new(void);
void block_compressor_free(struct block_compressor *b);

/* The most bytes that `len` bytes become. */
size_t compress_block_bound(size_t len);

/* How many bytes `to` got, whose room is compress_block_bound(); 0: memory is gone. */
size_t compress_block(struct block_compressor *b, int level, const void *data, size_t len, void *to,
		      size_t room);

#endif
