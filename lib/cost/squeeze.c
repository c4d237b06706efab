/* SPDX-License-Identifier: MIT */
/*
 * squeeze.c - measure how well bytes compress
 */
#include "cost/squeeze.h"
#include "jfrec-tool.h"

/* jfrec_write_fn: the bytes are not needed. */
static int count(void *ctx, const void *data, size_t len)
{
	(void)data;
	*(uint64_t *)ctx += len;
	return 0;
}

static int begin(struct squeeze *s)
{
	if (!s->zstd)
		s->zstd = compressor_zstd(count, &s->zstd_bytes);
	if (!s->gzip)
		s->gzip = compressor_gzip(count, &s->gzip_bytes);
	return s->zstd && s->gzip ? 0 : -1;
}

int squeeze_add(struct squeeze *s, const void *data, size_t len)
{
	if (begin(s) < 0 || s->zstd->write(s->zstd, data, len) ||
	    s->gzip->write(s->gzip, data, len))
		return -1;
	s->raw += len;
	return 0;
}

int squeeze_end(struct squeeze *s)
{
	int ret = !s->zstd || (s->zstd->end(s->zstd) == 0 && s->gzip->end(s->gzip) == 0) ? 0 : -1;

	squeeze_fini(s);
	return ret;
}

struct jfrec_sizes squeeze_sizes(const struct squeeze *s, double bytes)
{
	double times = s->raw ? bytes / (double)s->raw : 0;

	if (!s->raw)
		return (struct jfrec_sizes){ bytes, bytes, bytes };
	return (struct jfrec_sizes){ bytes, (double)s->zstd_bytes * times,
				     (double)s->gzip_bytes * times };
}

void sizes_add(struct jfrec_sizes *to, struct jfrec_sizes more, double times)
{
	to->raw += more.raw * times;
	to->zstd += more.zstd * times;
	to->gzip += more.gzip * times;
}

void squeeze_fini(struct squeeze *s)
{
	if (s->zstd)
		s->zstd->free(s->zstd);
	if (s->gzip)
		s->gzip->free(s->gzip);
	s->zstd = s->gzip = NULL;
}
