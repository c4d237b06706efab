/* SPDX-License-Identifier: MIT */
/*
 * chunk_list.c - list the chunks of several recordings in order of time
 */
#include "edit/chunk_list.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"

static struct piece *add(struct pieces *p)
{
	if (!array_reserve(p->items, p->count, p->room))
		return NULL;
	return &p->items[p->count++];
}

static int by_start(const void *x, const void *y)
{
	const struct piece *a = x, *b = y;
	int64_t one = a->extent.header.start_ns, other = b->extent.header.start_ns;

	if (one != other)
		return one < other ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

int pieces_find(struct pieces *p, struct chunk_source *s, struct jfrec_error *err)
{
	struct extent x;
	int got;

	while ((got = source_find(s, &x, err)) > 0) {
		struct piece *piece;

		if (extent_is_fresh(&x))
			continue;
		piece = add(p);
		if (!piece)
			return jfrec_fail_memory(err);
		*piece = (struct piece){ .extent = x,
					 .path = source_recording(s)->current,
					 .order = (uint32_t)p->count };
	}
	return got;
}

void pieces_sort(struct pieces *p)
{
	if (p->count)
		qsort(p->items, p->count, sizeof(*p->items), by_start);
}

/* Duplicates ----------------------------------------------------------------------------------- */

#define STEP (256u << 10)

static int bring(struct chunk_source *s, const struct piece *p, uint64_t at, uint8_t *to,
		 size_t len, struct jfrec_error *err)
{
	struct recording *rec = source_recording(s);
	size_t got;

	if (recording_visit(rec, p->path, err) < 0 ||
	    input_read(&rec->in, p->extent.offset + at, to, len, &got, err) < 0)
		return -1;
	return got == len ? 0 : jfrec_fail(err, JFREC_EIO, at, "was truncated meanwhile");
}

/* Are the first `len` bytes after the headers the same?  1, 0, or -1 with *err set. */
static int same_bytes(struct chunk_source *s, const struct piece *a, const struct piece *b,
		      uint64_t len, struct jfrec_error *err)
{
	uint8_t *bytes = malloc(2 * (size_t)STEP);
	int same = 1;

	if (!bytes)
		return jfrec_fail_memory(err);
	for (uint64_t at = CHUNK_HEADER_SIZE; same == 1 && at < len; at += STEP) {
		size_t n = len - at < STEP ? (size_t)(len - at) : STEP;

		if (bring(s, a, at, bytes, n, err) < 0 || bring(s, b, at, bytes + STEP, n, err) < 0)
			same = -1;
		else
			same = memcmp(bytes, bytes + STEP, n) == 0;
	}
	free(bytes);
	return same;
}

static bool is_whole(const struct piece *p)
{
	return p->extent.state == JFREC_FINISHED;
}

static bool begin_alike(const struct chunk_header *a, const struct chunk_header *b)
{
	return a->start_ns == b->start_ns && a->start_ticks == b->start_ticks &&
	       a->ticks_per_second == b->ticks_per_second && a->major == b->major &&
	       a->minor == b->minor;
}

/* Is one of them in the other?  1: the first; 2: the second; 0: none; -1 with *err set. */
static int which_is_superfluous(struct chunk_source *s, const struct piece *a,
				const struct piece *b, struct jfrec_error *err)
{
	uint64_t one = a->extent.size, other = b->extent.size;
	const struct piece *shorter = one < other ? a : b;
	int same;

	if (!begin_alike(&a->extent.header, &b->extent.header) ||
	    (one != other && is_whole(shorter)))
		return 0;
	same = same_bytes(s, a, b, shorter->extent.size, err);
	if (same <= 0)
		return same;
	if (one == other)
		return is_whole(a) ? 2 : is_whole(b) ? 1 : 2;
	return shorter == a ? 1 : 2;
}

static void drop(struct pieces *p, size_t i)
{
	p->count--;
	memmove(&p->items[i], &p->items[i + 1], (p->count - i) * sizeof(*p->items));
}

int64_t pieces_drop_duplicates(struct pieces *p, struct chunk_source *s, struct jfrec_error *err)
{
	int64_t dropped = 0;

	for (size_t i = 0; i < p->count; i++) {
		size_t k = i + 1;

		while (k < p->count &&
		       p->items[k].extent.header.start_ns == p->items[i].extent.header.start_ns) {
			int which = which_is_superfluous(s, &p->items[i], &p->items[k], err);

			if (which < 0)
				return -1;
			if (which == 1)
				p->items[i] = p->items[k];
			if (which)
				drop(p, k);
			else
				k++;
			dropped += which != 0;
		}
	}
	return dropped;
}

/* Age and size --------------------------------------------------------------------------------- */

static size_t drop_first(struct pieces *p, size_t n)
{
	p->count -= n;
	memmove(p->items, p->items + n, p->count * sizeof(*p->items));
	return n;
}

static size_t drop_aged(struct pieces *p, int64_t max_age_ns)
{
	int64_t last = INT64_MIN;
	size_t kept = 0, before = p->count;

	for (size_t i = 0; i < p->count; i++) {
		if (piece_end_ns(&p->items[i]) > last)
			last = piece_end_ns(&p->items[i]);
	}
	for (size_t i = 0; i < p->count; i++) {
		if (long_subtract(last, piece_end_ns(&p->items[i])) <= max_age_ns)
			p->items[kept++] = p->items[i];
	}
	p->count = kept;
	return before - kept;
}

/* The newest one stays in any case. */
static size_t drop_beyond(struct pieces *p, uint64_t max_size)
{
	uint64_t size = 0;
	size_t first = p->count;

	while (first && (size + p->items[first - 1].extent.size <= max_size || first == p->count))
		size += p->items[--first].extent.size;
	return drop_first(p, first);
}

size_t pieces_drop_oldest(struct pieces *p, const struct jfrec_merge_options *options)
{
	size_t n = 0;

	if (options->max_age_ns)
		n += drop_aged(p, options->max_age_ns);
	if (options->max_size)
		n += drop_beyond(p, options->max_size);
	return n;
}

void pieces_fini(struct pieces *p)
{
	free(p->items);
	*p = (struct pieces){ 0 };
}
