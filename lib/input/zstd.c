/* SPDX-License-Identifier: MIT */
/*
 * zstd.c - decompress zstd with libzstd
 */
#include <stdlib.h>
#include <zstd.h>

#include "base/error.h"
#include "input/stream.h"

struct zstd {
	struct decoder decoder;
	ZSTD_DStream *z;
	bool in_frame;
};

bool zstd_is(const struct source *s)
{
	return s->len >= 4 && s->buf[0] == 0x28 && s->buf[1] == 0xb5 && s->buf[2] == 0x2f &&
	       s->buf[3] == 0xfd;
}

static int zstd_read(struct decoder *d, struct source *s, void *to, size_t len, size_t *got,
		     struct jfrec_error *err)
{
	struct zstd *z = (struct zstd *)d;
	ZSTD_outBuffer out = { to, len, 0 };

	*got = 0;
	while (out.pos == 0) {
		ZSTD_inBuffer in;
		size_t ret;

		if (source_fill(s, err) < 0)
			return -1;
		if (s->pos == s->len && !z->in_frame)
			return 0;
		in = (ZSTD_inBuffer){ s->buf, s->len, s->pos };
		ret = ZSTD_decompressStream(z->z, &out, &in);
		if (ZSTD_isError(ret))
			return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET,
					  "the zstd data is damaged (%s)", ZSTD_getErrorName(ret));
		if (in.pos == s->pos && out.pos == 0 && s->at_end)
			return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET,
					  "the zstd data is truncated");
		s->pos = in.pos;
		z->in_frame = ret != 0;
	}
	*got = out.pos;
	return 0;
}

static void zstd_free(struct decoder *d)
{
	struct zstd *z = (struct zstd *)d;

	ZSTD_freeDStream(z->z);
	free(z);
}

struct decoder *zstd_new(void)
{
	struct zstd *z = calloc(1, sizeof(*z));

	if (!z)
		return NULL;
	z->decoder = (struct decoder){ zstd_read, zstd_free };
	z->z = ZSTD_createDStream();
	if (z->z)
		return &z->decoder;
	free(z);
	return NULL;
}
