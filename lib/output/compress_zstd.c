/* SPDX-License-Identifier: MIT */
/*
 * compress_zstd.c - compress output with libzstd
 */
#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

#include "output/compress.h"

#define STEP ((size_t)128 << 10)

struct zstd {
	struct compressor base;
	ZSTD_CStream *z;
	unsigned char out[STEP];
};

/* One step. *left is 0 when all that was to be done is done. */
static int step(struct zstd *z, ZSTD_inBuffer *in, ZSTD_EndDirective how, size_t *left)
{
	ZSTD_outBuffer out = { z->out, STEP, 0 };

	*left = ZSTD_compressStream2(z->z, &out, in, how);
	if (ZSTD_isError(*left))
		return EINVAL;
	return out.pos ? z->base.to(z->base.ctx, z->out, out.pos) : 0;
}

static int zstd_write(struct compressor *c, const void *data, size_t len)
{
	ZSTD_inBuffer in = { data, len, 0 };
	size_t left;
	int error = 0;

	while (in.pos < in.size && !error)
		error = step((struct zstd *)c, &in, ZSTD_e_continue, &left);
	return error;
}

static int zstd_end(struct compressor *c)
{
	ZSTD_inBuffer in = { 0 };
	size_t left;
	int error;

	do {
		error = step((struct zstd *)c, &in, ZSTD_e_end, &left);
	} while (left && !error);
	return error;
}

static void zstd_free(struct compressor *c)
{
	struct zstd *z = (struct zstd *)c;

	ZSTD_freeCStream(z->z);
	free(z);
}

struct compressor *compressor_zstd(jfrec_write_fn *to, void *ctx)
{
	struct zstd *z = calloc(1, sizeof(*z));

	if (!z)
		return NULL;
	z->base = (struct compressor){ zstd_write, zstd_end, zstd_free, to, ctx };
	z->z = ZSTD_createCStream();
	if (z->z)
		return &z->base;
	free(z);
	return NULL;
}

/* Pieces --------------------------------------------------------------------------------------- */

struct block_compressor *block_compressor_new(void)
{
	return (struct block_compressor *)ZSTD_createCCtx();
}

void block_compressor_free(struct block_compressor *b)
{
	ZSTD_freeCCtx((ZSTD_CCtx *)b);
}

size_t compress_block_bound(size_t len)
{
	return ZSTD_compressBound(len);
}

size_t compress_block(struct block_compressor *b, int level, const void *data, size_t len, void *to,
		      size_t room)
{
	size_t n = ZSTD_compressCCtx((ZSTD_CCtx *)b, to, room, data, len, level);

	return ZSTD_isError(n) ? 0 : n;
}
