/* SPDX-License-Identifier: MIT */
/*
 * lost_returns_input.c - read an input as it was before each CR LF in it became LF
 */
#include "format/lost_returns_input.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "format/chunk_header.h"
#include "format/lost_returns.h"
#include "input/stream.h"

/* Chunks are mended in memory. */
#define MAX_CHUNK (UINT64_C(1) << 30)

/* The first bytes of a header: magic, version, size. */
#define HEAD 16

struct returns_decoder {
	struct decoder decoder;
	struct input *under;
	struct problems *problems;
	uint64_t at;	 /* in the input */
	uint64_t number; /* of the chunk */
	struct buffer out;
	size_t given; /* of out */
};

static bool is_head(const uint8_t head[static HEAD])
{
	uint16_t major = be16(head + 4);

	return chunk_header_is_magic(head) && (major == 1 || major == 2) &&
	       be64(head + 8) >= CHUNK_HEADER_SIZE;
}

static bool is_head_at(struct input *in, uint64_t offset)
{
	uint8_t head[HEAD];
	size_t got;

	return input_read(in, offset, head, sizeof(head), &got, NULL) == 0 && got == sizeof(head) &&
	       is_head(head);
}

/* The last header from `from` up to `to`, or the end of the file; 0 if there is none. */
static uint64_t last_head(struct input *in, uint64_t from, uint64_t to)
{
	if (to >= in->size)
		return in->size;
	for (; to >= from; to--) {
		if (is_head_at(in, to))
			return to;
	}
	return 0;
}

uint64_t returns_lacking(struct input *in, uint64_t offset, uint64_t *len)
{
	uint8_t head[HEAD];
	uint64_t size, most, next, end;
	size_t got;

	*len = in->size - offset;
	if (input_read(in, offset, head, sizeof(head), &got, NULL) < 0 || got < sizeof(head) ||
	    !is_head(head))
		return 0;
	size = be64(head + 8);
	if (size > MAX_CHUNK || __builtin_add_overflow(offset, size, &end))
		return 0;
	most = most_returns(size) < size - CHUNK_HEADER_SIZE ? most_returns(size)
							     : size - CHUNK_HEADER_SIZE;
	next = last_head(in, end - most, end);
	if (next < end - most)
		return 0;
	*len = next - offset;
	return end - next;
}

/* Of so many, one cannot mistake where they were. */
#define ENOUGH_RETURNS 8

static int try_chunk(struct input *in, uint64_t offset, uint64_t len, struct returned *sum)
{
	struct returned told = { 0 };
	struct buffer out = { 0 };
	struct span span;
	int ret;

	if (input_span(in, offset, len, true, &span, NULL) < 0)
		return -1;
	ret = returns_put_back(span.bytes, span.len, &out, &told);
	sum->count += told.count;
	sum->unsure += told.unsure;
	span_fini(&span);
	buffer_fini(&out);
	return ret;
}

bool returns_fit(struct input *in)
{
	struct returned sum = { 0 };
	uint64_t len;

	for (uint64_t at = 0; at < in->size && sum.count < ENOUGH_RETURNS; at += len) {
		if (returns_lacking(in, at, &len) && try_chunk(in, at, len, &sum) < 0)
			return false;
	}
	return sum.count && sum.unsure <= sum.count / 2;
}

static void tell(const struct returns_decoder *d, const struct returned *told)
{
	if (told->unsure)
		problem_damage(d->problems, d->at, told->unsure,
			       "chunk %" PRIu64 ": of %" PRIu64
			       " carriage returns that are put back, %" PRIu64
			       " may belong elsewhere, the first at byte %" PRIu64
			       " of the chunk: values near them may be wrong",
			       d->number, told->count, told->unsure, told->first_unsure);
}

static int mend(struct returns_decoder *d, struct jfrec_error *err)
{
	struct returned told = { 0 };
	struct span span;
	uint64_t len;
	int ret;

	buffer_clear(&d->out);
	d->given = 0;
	d->number++;
	if (returns_lacking(d->under, d->at, &len) == 0 && len > MAX_CHUNK)
		len = MAX_CHUNK;
	if (input_span(d->under, d->at, len, true, &span, err) < 0)
		return -1;
	ret = returns_put_back(span.bytes, span.len, &d->out, &told);
	tell(d, &told);
	d->at += span.len;
	input_give_back(d->under, &span);
	return ret < 0 ? jfrec_fail_memory(err) : 0;
}

static int returns_decode(struct decoder *decoder, struct source *s, void *to, size_t len,
			  size_t *got, struct jfrec_error *err)
{
	struct returns_decoder *d = (struct returns_decoder *)decoder;

	(void)s;
	*got = 0;
	if (d->given == d->out.len && d->at < d->under->size && mend(d, err) < 0)
		return -1;
	*got = d->out.len - d->given < len ? d->out.len - d->given : len;
	memcpy(to, d->out.data + d->given, *got);
	d->given += *got;
	return 0;
}

static void returns_free(struct decoder *decoder)
{
	struct returns_decoder *d = (struct returns_decoder *)decoder;

	buffer_fini(&d->out);
	free(d);
}

static struct decoder *make(struct input *under, uint64_t offset, void *ctx)
{
	struct returns_decoder *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->decoder = (struct decoder){ returns_decode, returns_free };
	d->under = under;
	d->problems = ctx;
	d->at = offset;
	return &d->decoder;
}

int returns_read(struct input *in, struct problems *problems, struct jfrec_error *err)
{
	return input_decode(in, 0, make, problems, err);
}
