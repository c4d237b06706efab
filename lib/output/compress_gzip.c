/* SPDX-License-Identifier: MIT */
/*
 * compress_gzip.c - compress output with zlib
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#include "output/compress.h"

#define STEP ((size_t)64 << 10)

/* 15 bits of window, with gzip's header instead of zlib's, and without any. */
#define GZIP_BITS    (15 + 16)
#define DEFLATE_BITS (-15)

struct gzip {
	struct compressor base;
	z_stream z;
	unsigned char out[STEP];
};

static int drain(struct gzip *g, int flush)
{
	int error;

	do {
		g->z.next_out = g->out;
		g->z.avail_out = STEP;
		if (deflate(&g->z, flush) == Z_STREAM_ERROR)
			return EINVAL;
		error = g->z.avail_out < STEP
				? g->base.to(g->base.ctx, g->out, STEP - g->z.avail_out)
				: 0;
	} while (!error && g->z.avail_out == 0);
	return error;
}

static int gzip_write(struct compressor *c, const void *data, size_t len)
{
	struct gzip *g = (struct gzip *)c;
	int error = 0;

	g->z.next_in = (Bytef *)data;
	while (len && !error) {
		uInt piece = len < UINT_MAX ? (uInt)len : UINT_MAX;

		g->z.avail_in = piece;
		len -= piece;
		error = drain(g, Z_NO_FLUSH);
	}
	return error;
}

static int gzip_end(struct compressor *c)
{
	return drain((struct gzip *)c, Z_FINISH);
}

static void gzip_free(struct compressor *c)
{
	struct gzip *g = (struct gzip *)c;

	deflateEnd(&g->z);
	free(g);
}

/* A third of the time of zlib's default for a tenth more bytes. */
#define QUICK 3

static struct compressor *make(int level, int window_bits, jfrec_write_fn *to, void *ctx)
{
	struct gzip *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	g->base = (struct compressor){ gzip_write, gzip_end, gzip_free, to, ctx };
	if (deflateInit2(&g->z, level, Z_DEFLATED, window_bits, 8,
			 Z_DEFAULT_STRATEGY) == Z_OK)
		return &g->base;
	free(g);
	return NULL;
}

struct compressor *compressor_gzip(jfrec_write_fn *to, void *ctx)
{
	return make(Z_DEFAULT_COMPRESSION, GZIP_BITS, to, ctx);
}

struct compressor *compressor_gzip_quick(jfrec_write_fn *to, void *ctx)
{
	return make(QUICK, GZIP_BITS, to, ctx);
}

struct compressor *compressor_deflate(jfrec_write_fn *to, void *ctx)
{
	return make(QUICK, DEFLATE_BITS, to, ctx);
}
