/* SPDX-License-Identifier: MIT */
/*
 * out.c - a buffer for output, which needs few writes
 */
#include "base/out.h"

#include <stdlib.h>

#include "base/error.h"

int out_init_sized(struct out *o, size_t size, jfrec_write_fn *write, void *ctx,
		   struct jfrec_error *err)
{
	*o = (struct out){ .write = write, .ctx = ctx };
	o->buf = malloc(size + 2 * OUT_SLACK);
	if (!o->buf)
		return jfrec_fail_memory(err);
	o->pos = o->buf;
	o->full = o->buf + size;
	return 0;
}

int out_init(struct out *o, jfrec_write_fn *write, void *ctx, struct jfrec_error *err)
{
	return out_init_sized(o, OUT_BUFFER, write, ctx, err);
}

void out_free_buffer(struct out *o)
{
	free(o->buf);
	o->buf = o->pos = o->full = NULL;
}

void out_fini(struct out *o)
{
	free(o->buf);
	*o = (struct out){ 0 };
}

static void write_out(struct out *o, const char *data, size_t len)
{
	if (!o->error && len)
		o->error = o->write(o->ctx, data, len);
	o->flushed += len;
}

void out_flush(struct out *o)
{
	write_out(o, o->buf, (size_t)(o->pos - o->buf));
	o->pos = o->buf;
}

void out_pass(struct out *o, const char *data, size_t len)
{
	out_flush(o);
	write_out(o, data, len);
}

void out_put_large(struct out *o, const char *data, size_t len)
{
	if (len > (size_t)(o->full - o->buf)) {
		out_pass(o, data, len);
		return;
	}
	out_flush(o);
	memcpy(o->pos, data, len);
	o->pos += len;
}

int out_fail(const struct out *o, struct jfrec_error *err)
{
	return jfrec_fail_output(err, o->error);
}
