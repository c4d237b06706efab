/* SPDX-License-Identifier: MIT */
/*
 * v0_input.c - read an input that has chunks of version 0.x as if they were of 2.1
 *
 * It is a decoder as those of compressed files are: what reads chunks above it sees nothing of it.
 */
#include "format/v0_input.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "input/stream.h"

#define WINDOW (256u << 10)

/* Chunks are turned in memory; the largest that is known has 37 MB. */
#define MAX_CHUNK (UINT64_C(1) << 30)

/* A file of more chunks than this is not a recording of one program. */
#define MAX_HOPS 100000

/* A chunk that was turned: where it begins in what was made, and its minor version. */
struct turned {
	uint64_t offset;
	uint16_t minor;
};

struct v0_decoder {
	struct decoder decoder;
	struct input *under;
	struct problems *problems;
	uint64_t at;	  /* in the input */
	uint64_t pass_to; /* up to there it is passed on as it is */
	uint64_t made;	  /* where what is made next will be */
	struct buffer out;
	size_t given; /* of out */
	struct v0_series series;
	struct turned *turned;
	size_t turned_count, turned_room;
};

bool v0_is_at(struct input *in, uint64_t offset)
{
	uint8_t head[V0_HEADER_SIZE];
	size_t got;

	return input_read(in, offset, head, sizeof(head), &got, NULL) == 0 && got == sizeof(head) &&
	       v0_is_header(head);
}

bool v0_is_in(struct input *in)
{
	uint8_t head[V0_HEADER_SIZE];
	uint64_t offset = 0, size;
	size_t got;

	if (v0_is_at(in, 0))
		return true;
	for (unsigned hops = 0; !in->stream && hops < MAX_HOPS; hops++) {
		if (input_read(in, offset, head, sizeof(head), &got, NULL) < 0 ||
		    got < sizeof(head) || !chunk_header_is_magic(head))
			return false;
		if (v0_is_header(head))
			return true;
		size = be64(head + 8);
		if (size < CHUNK_HEADER_SIZE || __builtin_add_overflow(offset, size, &offset))
			return false;
	}
	return false;
}

/* Where a chunk ends --------------------------------------------------------------------------- */

/* The next chunk of any version after `from`, or the end of the input. */
static int next_chunk(struct v0_decoder *d, uint64_t from, uint64_t *end, struct jfrec_error *err)
{
	uint8_t *window = malloc(WINDOW);
	const uint8_t *found = NULL;
	size_t got;
	int ret = 0;

	if (!window)
		return jfrec_fail_memory(err);
	while ((ret = input_read(d->under, from, window, WINDOW, &got, err)) == 0) {
		found = memmem(window, got, "FLR", 4);
		if (found || got < WINDOW)
			break;
		/* No magic falls between two windows. */
		from += got - 3;
	}
	if (ret == 0)
		*end = from + (found ? (uint64_t)(found - window) : got);
	free(window);
	return ret;
}

/* How many bytes the chunk has: up to the end of its metadata event, or what is there. */
static int measure(struct v0_decoder *d, uint64_t *size, struct jfrec_error *err)
{
	uint8_t head[V0_HEADER_SIZE], start[8];
	uint64_t metadata, have, end;
	size_t got;

	if (input_read(d->under, d->at, head, sizeof(head), &got, err) < 0)
		return -1;
	metadata = v0_metadata_offset(head);
	if (metadata >= V0_HEADER_SIZE && metadata < MAX_CHUNK &&
	    input_read(d->under, d->at + metadata, start, sizeof(start), &got, err) < 0)
		return -1;
	if (metadata >= V0_HEADER_SIZE && metadata < MAX_CHUNK && got == sizeof(start) &&
	    be32(start + 4) == 0 && be32(start) >= sizeof(start)) {
		*size = metadata + be32(start);
		if (input_available(d->under, d->at, *size, &have, err) < 0)
			return -1;
		if (have == *size)
			return 0;
	}
	if (next_chunk(d, d->at + V0_HEADER_SIZE, &end, err) < 0)
		return -1;
	*size = end - d->at;
	return 0;
}

/* Reading -------------------------------------------------------------------------------------- */

static int turn_bytes(struct v0_decoder *d, uint64_t size, struct jfrec_error *err)
{
	struct turned t = { .offset = d->made };
	struct span span;
	int ret = 0;

	if (input_span(d->under, d->at, size, true, &span, err) < 0)
		return -1;
	if (span.len >= V0_HEADER_SIZE) {
		t.minor = be16(span.bytes + 6);
		ret = v0_translate(span.bytes, span.len, d->at, &d->series, d->problems, &d->out);
	}
	input_give_back(d->under, &span);
	if (ret < 0 || (d->out.len && !array_push(d->turned, d->turned_count, d->turned_room, t)))
		return jfrec_fail_memory(err);
	return 0;
}

static int turn(struct v0_decoder *d, struct jfrec_error *err)
{
	uint64_t size;

	if (measure(d, &size, err) < 0)
		return -1;
	buffer_clear(&d->out);
	d->given = 0;
	if (size > MAX_CHUNK)
		problem_damage(d->problems, d->at, size,
			       "a chunk of version 0.9 of more than 1 GiB cannot be read");
	else if (turn_bytes(d, size, err) < 0)
		return -1;
	d->at += size;
	input_forget(d->under, d->at);
	return 0;
}

/* What comes next is not a chunk of 0.x: pass on what is there up to the next one. */
static int pass(struct v0_decoder *d, struct jfrec_error *err)
{
	uint8_t *window = malloc(WINDOW);
	const uint8_t *at = window, *end;
	size_t got = 0;
	int ret;

	if (!window)
		return jfrec_fail_memory(err);
	ret = input_read(d->under, d->at, window, WINDOW, &got, err);
	end = window + got;
	d->pass_to = d->at + (got > V0_HEADER_SIZE ? got - (V0_HEADER_SIZE - 1) : got);
	/* The magic alone is also among the constants of each flush; with a version 0 it is not. */
	while (ret == 0 && at && (at = memmem(at, (size_t)(end - at), "FLR\0\0", 6)) != NULL) {
		if (at > window && end - at >= V0_HEADER_SIZE) {
			d->pass_to = d->at + (uint64_t)(at - window);
			break;
		}
		at++;
	}
	free(window);
	return ret;
}

static int pass_on(struct v0_decoder *d, void *to, size_t len, size_t *got, struct jfrec_error *err)
{
	if (len > d->pass_to - d->at)
		len = (size_t)(d->pass_to - d->at);
	if (input_read(d->under, d->at, to, len, got, err) < 0)
		return -1;
	d->at += *got;
	d->made += *got;
	input_forget(d->under, d->at);
	return 0;
}

static void give(struct v0_decoder *d, void *to, size_t len, size_t *got)
{
	*got = d->out.len - d->given < len ? d->out.len - d->given : len;
	memcpy(to, d->out.data + d->given, *got);
	d->given += *got;
	d->made += *got;
}

static int v0_decode(struct decoder *decoder, struct source *s, void *to, size_t len, size_t *got,
		     struct jfrec_error *err)
{
	struct v0_decoder *d = (struct v0_decoder *)decoder;
	uint64_t have;

	(void)s;
	*got = 0;
	while (*got == 0) {
		if (d->given < d->out.len) {
			give(d, to, len, got);
		} else if (d->at < d->pass_to) {
			if (pass_on(d, to, len, got, err) < 0)
				return -1;
			if (*got == 0)
				return input_end(d->under, err);
		} else if (input_available(d->under, d->at, 1, &have, err) < 0) {
			return -1;
		} else if (have == 0) {
			return input_end(d->under, err);
		} else if ((v0_is_at(d->under, d->at) ? turn(d, err) : pass(d, err)) < 0) {
			return -1;
		}
	}
	return 0;
}

static void v0_free(struct decoder *decoder)
{
	struct v0_decoder *d = (struct v0_decoder *)decoder;

	buffer_fini(&d->out);
	free(d->series.last.bytes);
	free(d->turned);
	free(d);
}

/* Life ----------------------------------------------------------------------------------------- */

struct v0_request {
	struct problems *problems;
	const struct v0_metadata *lent;
};

static struct decoder *make(struct input *under, uint64_t offset, void *ctx)
{
	const struct v0_request *request = ctx;
	struct v0_decoder *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->decoder = (struct decoder){ v0_decode, v0_free };
	d->under = under;
	d->problems = request->problems;
	d->series.lent = request->lent;
	d->at = d->pass_to = d->made = offset;
	return &d->decoder;
}

int v0_read(struct input *in, uint64_t offset, struct problems *problems,
	    const struct v0_metadata *lent, struct jfrec_error *err)
{
	struct v0_request request = { problems, lent };

	return input_decode(in, offset, make, &request, err);
}

/* NULL: the input has no such chunks. */
static const struct v0_decoder *decoder_of(const struct input *in)
{
	const struct decoder *d = in->stream ? in->stream->decoder : NULL;

	return d && d->read == v0_decode ? (const struct v0_decoder *)d : NULL;
}

bool v0_is_decoded(const struct input *in)
{
	return decoder_of(in);
}

const struct v0_metadata *v0_last_metadata(const struct input *in)
{
	const struct v0_decoder *d = decoder_of(in);

	return d && d->series.last.bytes ? &d->series.last : NULL;
}

int v0_minor_at(const struct input *in, uint64_t offset)
{
	const struct v0_decoder *d = decoder_of(in);
	size_t low = 0, high = d ? d->turned_count : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (d->turned[middle].offset == offset)
			return d->turned[middle].minor;
		if (d->turned[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return -1;
}
