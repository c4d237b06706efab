/* SPDX-License-Identifier: MIT */
/*
 * out.h - a buffer for output, which needs few writes
 *
 * The buffer is 256 KB: larger ones fall out of the second-level cache and are
 * slower.  Errors stick: after a failed write all output is dropped, and the
 * caller looks at `error` now and then.
 */
#ifndef JFREC_BASE_OUT_H
#define JFREC_BASE_OUT_H

#include <stdint.h>
#include <string.h>

#include "jfrec.h"

#define OUT_BUFFER (256u << 10)

/* Room beyond the buffer's nominal end, so that small writers need not be exact. */
#define OUT_SLACK 4096u

/* Literals are copied in steps of this many bytes and must be readable up to its multiple. */
#define OUT_STEP 32u

/* Longer ones are faster copied by memcpy(). */
#define OUT_STEPS_MAX 256u

struct out {
	char *buf;
	char *pos;	  /* where the next byte goes */
	char *full;	  /* beyond this the buffer is flushed */
	uint64_t flushed; /* bytes that left the buffer */
	jfrec_write_fn *write;
	void *ctx;
	int error; /* what write returned */
};

/* out_init() with a buffer of that many bytes. */
int out_init_sized(struct out *o, size_t size, jfrec_write_fn *write, void *ctx,
		   struct jfrec_error *err);
int out_init(struct out *o, jfrec_write_fn *write, void *ctx, struct jfrec_error *err);
void out_fini(struct out *o);

/* Free the buffer once all of it was handed to write: nothing may follow but out_fini(). */
void out_free_buffer(struct out *o);

/* Hand everything to write. */
void out_flush(struct out *o);

/* Forget what was not handed to write. */
static inline void out_discard(struct out *o)
{
	o->pos = o->buf;
}

/* Fill *err from o->error. Returns -1. */
int out_fail(const struct out *o, struct jfrec_error *err);

/* All bytes so far. */
static inline uint64_t out_total(const struct out *o)
{
	return o->flushed + (uint64_t)(o->pos - o->buf);
}

/* At least n (<= OUT_SLACK) bytes to write at; out_end() says where the text ends. */
static inline char *out_room(struct out *o)
{
	if (__builtin_expect(o->pos > o->full, 0))
		out_flush(o);
	return o->pos;
}

static inline void out_end(struct out *o, char *end)
{
	o->pos = end;
}

void out_put_large(struct out *o, const char *data, size_t len);

/* Hand these bytes to write, after what is in the buffer; they are not copied. */
void out_pass(struct out *o, const char *data, size_t len);

static inline void out_put(struct out *o, const char *data, size_t len)
{
	if (__builtin_expect(len > (size_t)(o->full + OUT_SLACK - o->pos), 0)) {
		out_put_large(o, data, len);
		return;
	}
	memcpy(o->pos, data, len);
	o->pos += len;
}

/* For text that is padded to OUT_STEP, mostly short: no call for memcpy. */
static inline void out_literal(struct out *o, const char *data, size_t len)
{
	char *at = out_room(o);
	size_t done = OUT_STEP;

	if (__builtin_expect(len > OUT_STEPS_MAX, 0)) {
		out_put(o, data, len);
		return;
	}
	memcpy(at, data, OUT_STEP);
	for (; done < len; done += OUT_STEP)
		memcpy(at + done, data + done, OUT_STEP);
	o->pos = at + len;
}

static inline void out_char(struct out *o, char c)
{
	char *at = out_room(o);

	*at = c;
	o->pos = at + 1;
}

#define OUT_STR(o, s) out_put((o), (s), sizeof(s) - 1)

#endif
