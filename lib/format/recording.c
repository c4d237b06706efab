/* SPDX-License-Identifier: MIT */
/*
 * recording.c - a recording is a row of chunks
 */
#include "format/recording.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/cursor.h"
#include "base/error.h"
#include "format/metadata.h"

#define WINDOW (256u << 10)

/* More than this much metadata would be more than 100 times what any JVM writes. */
#define MAX_METADATA (64u << 20)

/* Why a chunk with this header cannot be read at all, or NULL. */
static const char *why_unsupported(const struct chunk_header *h)
{
	if (h->major == 0)
		return "is a recording of version 0.x (Oracle JDK 7 or 8); only 1.x and 2.x can be read: "
		       "open it with JDK Mission Control 6 or later";
	if (h->major > 2)
		return "is a recording of a version newer than 2.x; a newer jfrec is needed";
	if (!(h->flags & CHUNK_COMPRESSED_INTS))
		return "is a recording with uncompressed integers, a debugging mode that cannot be read";
	return NULL;
}

static int check_first(struct recording *r, struct jfrec_error *err)
{
	uint8_t bytes[CHUNK_HEADER_SIZE] = { 0 };
	struct chunk_header h;
	const char *why;
	size_t got;

	if (input_read(&r->in, 0, bytes, sizeof(bytes), &got, err) < 0)
		return -1;
	if (got == 0)
		return jfrec_fail(err, JFREC_EFORMAT, 0, "is empty");
	if (got < 4 || !chunk_header_is_magic(bytes))
		return jfrec_fail(err, JFREC_EFORMAT, 0,
				  "is not a recording: it does not begin with \"FLR\" and a zero byte");
	h = chunk_header_parse(bytes);
	if (got >= 8 && h.major == 0) /* its header is shorter, and has other flags */
		return jfrec_fail(err, JFREC_EUNSUPPORTED, 0, "%s", why_unsupported(&h));
	if (got < sizeof(bytes))
		return jfrec_fail(err, JFREC_EFORMAT, 0,
				  "is cut off after %zu bytes, inside the %u bytes of its first header",
				  got, CHUNK_HEADER_SIZE);
	why = why_unsupported(&h);
	return why ? jfrec_fail(err, JFREC_EUNSUPPORTED, 0, "%s", why) : 0;
}

int recording_open(struct recording *r, const char *path, struct jfrec_error *err)
{
	*r = (struct recording){ 0 };
	if (input_open(&r->in, path, err) < 0)
		return -1;
	if (check_first(r, err) == 0)
		return 0;
	recording_close(r);
	return -1;
}

void recording_close(struct recording *r)
{
	metadata_unref(r->metadata);
	r->metadata = NULL;
	input_close(&r->in);
}

struct clock recording_clock(struct recording *r, const struct chunk_header *h)
{
	if (!r->has_clock) {
		r->has_clock = true;
		r->clock = clock_of(h);
	}
	return clock_agrees(&r->clock, h) ? r->clock : clock_of(h);
}

/*
 * Is there a chunk at this offset, with metadata that can be parsed?  The
 * magic alone proves nothing: each flush leaves a copy of the chunk's header
 * among its constants.  Many headers may name one large event of metadata, so
 * what all these parses may cost is limited.
 */
static bool is_chunk(struct recording *r, uint64_t offset)
{
	uint8_t head[CHUNK_HEADER_SIZE], start[VARINT_MAX + 1];
	struct metadata *m = NULL;
	struct chunk_header h;
	uint64_t left, size;
	struct span span;
	struct cursor c;
	size_t got;

	if (input_read(&r->in, offset, head, sizeof(head), &got, NULL) < 0 || got < sizeof(head))
		return false;
	h = chunk_header_parse(head);
	left = r->in.size - offset;
	if (!chunk_header_is_magic(head) || why_unsupported(&h) || h.size < CHUNK_HEADER_SIZE ||
	    h.metadata < CHUNK_HEADER_SIZE || h.metadata >= left)
		return false;
	if (input_read(&r->in, offset + h.metadata, start, sizeof(start), &got, NULL) < 0)
		return false;
	c = cursor_over(start, got);
	size = cursor_varint(&c);
	if (cursor_varint(&c) != TYPE_METADATA || c.bad || size > left - h.metadata ||
	    size > MAX_METADATA || r->tried > MAX_METADATA + 4 * r->in.size)
		return false;
	r->tried += size;
	if (input_span(&r->in, offset + h.metadata, size, false, &span, NULL) < 0)
		return false;
	m = metadata_parse(span.bytes, span.len, NULL, NULL);
	span_fini(&span);
	metadata_unref(m);
	return m != NULL;
}

/* The offset of the next chunk at or after `from`, or the end of the input. */
static int find_chunk(struct recording *r, uint64_t from, uint64_t *found,
		      struct jfrec_error *err)
{
	uint8_t *window = malloc(WINDOW);
	size_t got = 0;
	int ret = 0;

	if (!window)
		return jfrec_fail_memory(err);
	/* Windows overlap by three bytes, so that no magic falls between two. */
	for (; from + CHUNK_HEADER_SIZE <= r->in.size; from += got - 3) {
		const uint8_t *at = window, *end;

		from = input_skip_hole(&r->in, from);
		ret = input_read(&r->in, from, window, WINDOW, &got, err);
		if (ret < 0 || got < CHUNK_HEADER_SIZE)
			break;
		end = window + got;
		while ((at = memmem(at, (size_t)(end - at), "FLR", 4)) != NULL) {
			*found = from + (uint64_t)(at - window);
			if (is_chunk(r, *found))
				goto out;
			at++;
		}
	}
	*found = r->in.size;
out:
	free(window);
	return ret;
}

/* What is between the chunks: after the last one it is the last one's doing. */
static void tell_gap(struct recording *r, const struct extent *before, uint64_t from, uint64_t to)
{
	if (before && before->state == JFREC_UNFINISHED)
		problem_notice(&r->problems, from, to - from,
			       "%" PRIu64 " bytes at byte %" PRIu64
			       ", behind the last flush of chunk %" PRIu64 ", are left out",
			       to - from, from, before->number);
	else
		problem_damage(&r->problems, from, to - from,
			       "%" PRIu64 " bytes at byte %" PRIu64 " belong to no chunk", to - from,
			       from);
}

/* Go on at the next chunk behind `from`; 0 when there is none. */
static int resynchronize(struct recording *r, uint64_t from, struct jfrec_error *err)
{
	uint64_t found;

	if (find_chunk(r, from, &found, err) < 0)
		return -1;
	r->next = found;
	return found < r->in.size;
}

/*
 * A chunk of a size that leads nowhere ends where the next one begins.  If
 * that is not before the end its size gives, the size is right after all.
 */
static int clip(struct recording *r, struct extent *x, struct jfrec_error *err)
{
	bool is_possible = x->size >= CHUNK_HEADER_SIZE && x->size <= r->in.size - x->offset;
	uint64_t end;

	if (find_chunk(r, x->offset + CHUNK_HEADER_SIZE, &end, err) < 0)
		return -1;
	if (is_possible && end >= x->offset + x->size)
		return 0;
	x->state = JFREC_TRUNCATED;
	x->size = end - x->offset;
	problem_damage(&r->problems, x->offset, 0,
		       "chunk %" PRIu64 " at byte %" PRIu64 " should have %" PRIu64
		       " bytes, but %" PRIu64 " are there",
		       x->number, x->offset, x->header.size, x->size);
	return 0;
}

/* Does a chunk begin at this offset, or does the input end there? */
static bool is_boundary(const struct recording *r, uint64_t offset)
{
	uint8_t magic[4];
	size_t got;

	return offset == r->in.size ||
	       (input_read(&r->in, offset, magic, sizeof(magic), &got, NULL) == 0 &&
		got == sizeof(magic) && chunk_header_is_magic(magic));
}

int recording_next(struct recording *r, struct extent *x, struct jfrec_error *err)
{
	struct extent before = *x;
	uint8_t bytes[CHUNK_HEADER_SIZE];
	uint64_t left;
	size_t got;

	if (r->next >= r->in.size)
		return 0;
	if (input_read(&r->in, r->next, bytes, sizeof(bytes), &got, err) < 0)
		return -1;
	x->header = chunk_header_parse(bytes);
	if (got < sizeof(bytes) || !chunk_header_is_magic(bytes) || why_unsupported(&x->header)) {
		uint64_t from = r->next;
		int more = resynchronize(r, from + 1, err);

		if (more < 0)
			return -1;
		tell_gap(r, r->number ? &before : NULL, from, r->next);
		return more ? recording_next(r, x, err) : 0;
	}
	x->number = ++r->number;
	x->offset = r->next;
	x->size = x->header.size;
	x->state = x->header.generation ? JFREC_UNFINISHED : JFREC_FINISHED;
	left = r->in.size - x->offset;
	if (x->size < CHUNK_HEADER_SIZE || x->size > left ||
	    !is_boundary(r, x->offset + x->size)) {
		if (clip(r, x, err) < 0)
			return -1;
	}
	if (x->state == JFREC_UNFINISHED)
		problem_notice(&r->problems, x->offset, 0,
			       "chunk %" PRIu64 " at byte %" PRIu64
			       " was never finished (its JVM still writes it, or was killed); "
			       "it is read up to its last flush",
			       x->number, x->offset);
	if (x->header.ticks_per_second <= 0)
		problem_notice(&r->problems, x->offset, 0,
			       "chunk %" PRIu64 " at byte %" PRIu64 " has %" PRId64
			       " ticks per second, which cannot be; they are taken for nanoseconds",
			       x->number, x->offset, x->header.ticks_per_second);
	r->next = x->offset + x->size;
	return 1;
}
