/* SPDX-License-Identifier: MIT */
/*
 * bzip2.c - decompress bzip2 with libbz2
 */
#include <bzlib.h>
#include <limits.h>
#include <stdlib.h>

#include "base/error.h"
#include "input/stream.h"

struct bzip2 {
	struct decoder decoder;
	bz_stream z;
	bool in_stream; /* between its header and its checksum; then z is in use */
};

static const char *text_of(int ret)
{
	return ret == BZ_MEM_ERROR ? "cannot be decompressed: out of memory" : "is damaged";
}

/* Another stream may follow; anything else after one is padding, as bzip2(1) has it. */
static bool another_stream(struct bzip2 *b, const struct source *s)
{
	if (s->buf[s->pos] != 'B')
		return false;
	b->z = (bz_stream){ 0 };
	b->in_stream = BZ2_bzDecompressInit(&b->z, 0, 0) == BZ_OK;
	return b->in_stream;
}

static void end_stream(struct bzip2 *b)
{
	if (b->in_stream)
		BZ2_bzDecompressEnd(&b->z);
	b->in_stream = false;
}

static int bzip2_read(struct decoder *d, struct source *s, void *to, size_t len, size_t *got,
		      struct jfrec_error *err)
{
	struct bzip2 *b = (struct bzip2 *)d;
	unsigned room = len < UINT_MAX ? (unsigned)len : UINT_MAX;

	*got = 0;
	while (*got == 0) {
		int ret;

		if (source_fill(s, err) < 0)
			return -1;
		if (s->pos == s->len)
			return b->in_stream ? jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET,
							 "the bzip2 data is truncated")
					    : 0;
		if (!b->in_stream && !another_stream(b, s))
			return 0;
		b->z.next_in = (char *)s->buf + s->pos;
		b->z.avail_in = (unsigned)(s->len - s->pos);
		b->z.next_out = to;
		b->z.avail_out = room;
		ret = BZ2_bzDecompress(&b->z);
		s->pos = s->len - b->z.avail_in;
		*got = room - b->z.avail_out;
		if (ret == BZ_STREAM_END)
			end_stream(b);
		else if (ret != BZ_OK && *got == 0)
			return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET, "the bzip2 data %s",
					  text_of(ret));
	}
	return 0;
}

static void bzip2_free(struct decoder *d)
{
	struct bzip2 *b = (struct bzip2 *)d;

	end_stream(b);
	free(b);
}

struct decoder *bzip2_new(void)
{
	struct bzip2 *b = calloc(1, sizeof(*b));

	if (b)
		b->decoder = (struct decoder){ bzip2_read, bzip2_free };
	return b ? &b->decoder : NULL;
}
