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

/* Chunks are repaired in memory. */
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

/* Where a file ends; where a stream does, if that is before `want` bytes from the offset on. */
static uint64_t end_of(struct input *in, uint64_t offset, uint64_t want)
{
	uint64_t have;

	if (!in->stream)
		return in->size;
	if (input_available(in, offset, want, &have, NULL) < 0)
		return offset;
	return have < want ? offset + have : UINT64_MAX;
}

/* The last header from `from` up to `to`, or the end of the input; 0 if there is none. */
static uint64_t last_head(struct input *in, uint64_t from, uint64_t to, uint64_t end)
{
	if (to >= end)
		return end;
	for (; to >= from; to--) {
		if (is_head_at(in, to))
			return to;
	}
	return 0;
}

/* What is not a chunk is passed on in pieces. */
#define PIECE (UINT64_C(1) << 20)

uint64_t returns_lacking(struct input *in, uint64_t offset, uint64_t *len)
{
	uint8_t head[HEAD];
	uint64_t size, most, next, stop, end;
	size_t got;

	end = end_of(in, offset, PIECE);
	*len = end - offset < PIECE ? end - offset : PIECE;
	if (input_read(in, offset, head, sizeof(head), &got, NULL) < 0 || got < sizeof(head) ||
	    !is_head(head))
		return 0;
	size = be64(head + 8);
	if (size > MAX_CHUNK || __builtin_add_overflow(offset, size, &stop))
		return 0;
	most = most_returns(size) < size - CHUNK_HEADER_SIZE ? most_returns(size)
							     : size - CHUNK_HEADER_SIZE;
	next = last_head(in, stop - most, stop, end_of(in, offset, size + HEAD));
	if (next < stop - most)
		return 0;
	*len = next - offset;
	return stop - next;
}

/* Of so many, one cannot mistake where they were. */
#define ENOUGH_RETURNS 8

/* What was met in chunks that lack some. */
struct trial {
	struct returned told;
	uint64_t bytes, returns, feeds;
	bool has_pairs; /* CR LF */
};

static int try_chunk(struct input *in, uint64_t offset, uint64_t len, struct trial *t)
{
	struct returned told = { 0 };
	struct buffer out = { 0 };
	struct span span;
	int ret = 0;

	if (input_span(in, offset, len, true, &span, NULL) < 0)
		return -1;
	for (uint64_t i = 0; i < span.len; i++) {
		t->returns += span.bytes[i] == '\r';
		t->feeds += span.bytes[i] == '\n';
	}
	t->bytes += span.len;
	t->has_pairs |= memmem(span.bytes, span.len, "\r\n", 2) != NULL;
	if (!t->has_pairs)
		ret = returns_put_back(span.bytes, span.len, &out, &told);
	t->told.count += told.count;
	t->told.unsure += told.unsure;
	span_fini(&span);
	buffer_fini(&out);
	return ret;
}

bool returns_fit(struct input *in)
{
	struct trial t = { 0 };
	uint64_t at = 0, len;

	do {
		if (returns_lacking(in, at, &len) && try_chunk(in, at, len, &t) < 0)
			return false;
		at += len;
	} while (len && !in->stream && is_head_at(in, at) && t.told.count < ENOUGH_RETURNS);
	/* One pair should be there by chance, and most of what lacks has one place. */
	return t.told.count && !t.has_pairs && t.returns * t.feeds >= t.bytes &&
	       t.told.unsure <= t.told.count / 2;
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
	returns_lacking(d->under, d->at, &len);
	if (input_span(d->under, d->at, len, true, &span, err) < 0)
		return -1;
	ret = returns_put_back(span.bytes, span.len, &d->out, &told);
	tell(d, &told);
	d->at += span.len;
	input_give_back(d->under, &span);
	input_forget(d->under, d->at);
	return ret < 0 ? jfrec_fail_memory(err) : 0;
}

static int returns_decode(struct decoder *decoder, struct source *s, void *to, size_t len,
			  size_t *got, struct jfrec_error *err)
{
	struct returns_decoder *d = (struct returns_decoder *)decoder;

	uint64_t have;

	(void)s;
	*got = 0;
	if (d->given == d->out.len) {
		if (input_available(d->under, d->at, 1, &have, err) < 0)
			return -1;
		if (have == 0)
			return input_end(d->under, err);
		if (mend(d, err) < 0)
			return -1;
	}
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
