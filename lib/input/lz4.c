/* SPDX-License-Identifier: MIT */
/*
 * lz4.c - decompress LZ4 frames with liblz4
 */
#include <lz4frame.h>
#include <stdlib.h>

#include "base/error.h"
#include "input/stream.h"

struct lz4 {
	struct decoder decoder;
	LZ4F_dctx *z;
	bool in_frame;
};

static int lz4_read(struct decoder *d, struct source *s, void *to, size_t len, size_t *got,
		    struct jfrec_error *err)
{
	struct lz4 *z = (struct lz4 *)d;

	*got = 0;
	while (*got == 0) {
		size_t in, ret;

		if (source_fill(s, err) < 0)
			return -1;
		in = s->len - s->pos;
		if (in == 0)
			return z->in_frame ? jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET,
							"the lz4 data is truncated")
					   : 0;
		*got = len;
		ret = LZ4F_decompress(z->z, to, got, s->buf + s->pos, &in, NULL);
		if (LZ4F_isError(ret)) {
			*got = 0;
			return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET,
					  "the lz4 data is damaged (%s)", LZ4F_getErrorName(ret));
		}
		s->pos += in;
		z->in_frame = ret != 0;
	}
	return 0;
}

static void lz4_free(struct decoder *d)
{
	struct lz4 *z = (struct lz4 *)d;

	LZ4F_freeDecompressionContext(z->z);
	free(z);
}

struct decoder *lz4_new(void)
{
	struct lz4 *z = calloc(1, sizeof(*z));

	if (!z)
		return NULL;
	z->decoder = (struct decoder){ lz4_read, lz4_free };
	if (!LZ4F_isError(LZ4F_createDecompressionContext(&z->z, LZ4F_VERSION)))
		return &z->decoder;
	free(z);
	return NULL;
}
