/* SPDX-License-Identifier: MIT */
/*
 * gzip.c - decompress gzip, and what zip packs in the same way, with zlib
 */
#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/error.h"
#include "input/stream.h"

struct gzip {
	struct decoder decoder;
	z_stream z;
	const char *name;
	bool is_raw;	/* without header and checksum, and nothing follows */
	bool in_member; /* between its header and its checksum */
};

bool gzip_is(const struct source *s)
{
	return s->len >= 3 && s->buf[0] == 0x1f && s->buf[1] == 0x8b && s->buf[2] == 8;
}

/* Another member may follow; anything else after one is padding, as gzip(1) has it. */
static bool another_member(struct gzip *g, struct source *s)
{
	const uint8_t *p = s->buf + s->pos;

	if (g->is_raw || s->len - s->pos < 1 || p[0] != 0x1f)
		return false;
	return inflateReset(&g->z) == Z_OK;
}

static int gzip_read(struct decoder *d, struct source *s, void *to, size_t len, size_t *got,
		     struct jfrec_error *err)
{
	struct gzip *g = (struct gzip *)d;

	*got = 0;
	g->z.next_out = to;
	g->z.avail_out = len < UINT_MAX ? (uInt)len : UINT_MAX;
	while (*got == 0) {
		int ret;

		if (source_fill(s, err) < 0)
			return -1;
		if (s->pos == s->len)
			return g->in_member ? jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET,
							 "the %s data is truncated", g->name)
					    : 0;
		if (!g->in_member && !another_member(g, s))
			return 0;
		g->in_member = true;
		g->z.next_in = s->buf + s->pos;
		g->z.avail_in = (uInt)(s->len - s->pos);
		ret = inflate(&g->z, Z_NO_FLUSH);
		s->pos = s->len - g->z.avail_in;
		*got = (size_t)((char *)g->z.next_out - (char *)to);
		if (ret == Z_STREAM_END)
			g->in_member = false;
		else if (ret != Z_OK && ret != Z_BUF_ERROR && *got == 0)
			return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET,
					  "the %s data is damaged (%s)", g->name,
					  g->z.msg ? g->z.msg : "inflate failed");
	}
	return 0;
}

static void gzip_free(struct decoder *d)
{
	struct gzip *g = (struct gzip *)d;

	inflateEnd(&g->z);
	free(g);
}

static struct decoder *make(const char *name, bool is_raw)
{
	struct gzip *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	g->decoder = (struct decoder){ gzip_read, gzip_free };
	g->name = name;
	g->is_raw = g->in_member = is_raw;
	if (inflateInit2(&g->z, is_raw ? -15 : 15 + 16) == Z_OK)
		return &g->decoder;
	free(g);
	return NULL;
}

struct decoder *gzip_new(void)
{
	return make("gzip", false);
}

struct decoder *inflate_new(void)
{
	return make("deflated", true);
}

uint32_t inflate_crc(uint32_t crc, const void *bytes, size_t len)
{
	return (uint32_t)crc32_z(crc, bytes, len);
}
