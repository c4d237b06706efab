/* SPDX-License-Identifier: MIT */
/*
 * xz.c - decompress xz with liblzma
 */
#include <lzma.h>
#include <stdlib.h>

#include "base/error.h"
#include "input/stream.h"

/* xz -9 takes 65 MB; a header may ask for 4 GB. */
#define MOST_MEMORY (UINT64_C(128) << 20)

struct xz {
	struct decoder decoder;
	lzma_stream z;
	bool ended;
};

static const char *text_of(lzma_ret ret)
{
	switch (ret) {
	case LZMA_MEMLIMIT_ERROR:
		return "needs more than 128 MiB of memory to decompress";
	case LZMA_MEM_ERROR:
		return "cannot be decompressed: out of memory";
	case LZMA_BUF_ERROR:
		return "is truncated";
	case LZMA_OPTIONS_ERROR:
		return "has options that liblzma does not know";
	default:
		return "is damaged";
	}
}

static int xz_read(struct decoder *d, struct source *s, void *to, size_t len, size_t *got,
		   struct jfrec_error *err)
{
	struct xz *x = (struct xz *)d;

	*got = 0;
	x->z.next_out = to;
	x->z.avail_out = len;
	while (*got == 0 && !x->ended) {
		lzma_ret ret;

		if (source_fill(s, err) < 0)
			return -1;
		x->z.next_in = s->buf + s->pos;
		x->z.avail_in = s->len - s->pos;
		ret = lzma_code(&x->z, s->at_end ? LZMA_FINISH : LZMA_RUN);
		s->pos = s->len - x->z.avail_in;
		*got = len - x->z.avail_out;
		x->ended = ret == LZMA_STREAM_END;
		if (ret != LZMA_OK && !x->ended && *got == 0 &&
		    (ret != LZMA_BUF_ERROR || s->at_end))
			return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET, "the xz data %s",
					  text_of(ret));
	}
	return 0;
}

static void xz_free(struct decoder *d)
{
	struct xz *x = (struct xz *)d;

	lzma_end(&x->z);
	free(x);
}

struct decoder *xz_new(void)
{
	struct xz *x = calloc(1, sizeof(*x));

	if (!x)
		return NULL;
	x->decoder = (struct decoder){ xz_read, xz_free };
	x->z = (lzma_stream)LZMA_STREAM_INIT;
	if (lzma_stream_decoder(&x->z, MOST_MEMORY, LZMA_CONCATENATED) == LZMA_OK)
		return &x->decoder;
	free(x);
	return NULL;
}
