/* SPDX-License-Identifier: MIT */
/*
 * chunk_count.c - count the events of one chunk by their types, without loading it
 *
 * Reads only the size and type of each event, and its start, through a window
 * of 1 MB; constants are gone through, so that none is lost without a word.
 */
#include "read/chunk_count.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/plan.h"
#include "format/stray.h"
#include "format/walk.h"

/* Mapped where it no longer changes: with AHEAD, that costs less than a copy. */
#define WINDOW (1u << 20)

/* A mapping's pages are not in any cache yet: ask for the bytes early. */
#define AHEAD 4096

/* Size, type id and start of an event: three varints. */
#define EVENT_HEAD (3 * VARINT_MAX)

static struct type_count *new_row(struct chunk_count *k, uint64_t id)
{
	uint32_t *at = idmap_put(&k->by_id, id, k->row_count);

	if (!at || (*at == k->row_count &&
		    !array_push(k->rows, k->row_count, k->room, (struct type_count){ .id = id })))
		return NULL;
	if (id < SMALL_IDS)
		k->small[id] = *at + 1;
	return &k->rows[*at];
}

static inline struct type_count *row_of(struct chunk_count *k, uint64_t id)
{
	uint32_t known = id < SMALL_IDS ? k->small[id] - 1 : idmap_get(&k->by_id, id);

	return known != IDMAP_NONE ? &k->rows[known] : new_row(k, id);
}

void chunk_count_begin(struct chunk_count *k)
{
	for (uint32_t i = 0; i < k->row_count; i++) {
		if (k->rows[i].id < SMALL_IDS)
			k->small[k->rows[i].id] = 0;
	}
	idmap_fini(&k->by_id);
	k->row_count = 0;
	k->checkpoint_count = 0;
	input_give_back(&k->recording->in, &k->window); /* the chunk may be another file's */
}

/* The bytes at an offset of the chunk: `want`, or fewer at its end. */
static int look(struct chunk_count *k, const struct extent *x, uint64_t offset, size_t want,
		struct cursor *c, struct jfrec_error *err)
{
	struct input *in = &k->recording->in;
	uint64_t left = x->offset + x->size - offset, at = offset - k->window_at;

	if (left > want)
		left = want;
	if (offset < k->window_at || at > k->window.len || left > k->window.len - at) {
		uint64_t len = x->offset + x->size - offset;

		input_give_back(in, &k->window);
		k->window_at = offset;
		if (input_span(in, offset, len < WINDOW ? len : WINDOW,
			       x->state != JFREC_UNFINISHED, &k->window, err) < 0)
			return -1;
		at = 0;
		if (left > k->window.len)
			left = k->window.len;
	}
	*c = cursor_over(k->window.bytes + at, left);
	return 0;
}

static void note_time(struct type_count *c, int64_t ticks)
{
	if (c->count == 0 || ticks < c->first_ticks)
		c->first_ticks = ticks;
	if (c->count == 0 || ticks > c->last_ticks)
		c->last_ticks = ticks;
}

/* The JDK's summary has no times of events, and they cost a third of the walk. */
static inline void count_event(const struct chunk_count *k, struct type_count *c, uint64_t size,
			       struct cursor *payload)
{
	if (k->has_times)
		note_time(c, (int64_t)cursor_varint(payload));
	c->count++;
	c->bytes += size;
}

bool chunk_count_add(struct chunk_count *k, uint64_t id, uint64_t size, struct cursor payload)
{
	struct type_count *row = row_of(k, id);

	if (row)
		count_event(k, row, size, &payload);
	return row != NULL;
}

static int note_checkpoint(struct chunk_count *k, uint64_t offset, uint64_t size)
{
	struct event_place place = { offset, size };

	return array_push(k->checkpoints, k->checkpoint_count, k->checkpoint_room, place) ? 0 : -1;
}

/*
 * Count the events whose heads are in the window, from *at on.  1: *at is the
 * next event; 0: no event can begin there; -1: out of memory.
 *
 * pos never passes the window's end: an event that ends there or further on is the last one that
 * is counted here, and pos stays at its head.
 */
static int count_window(struct chunk_count *k, struct cursor c, uint64_t *at, uint64_t end)
{
	const uint8_t *pos = c.pos;
	uint64_t left = end - *at; /* of the chunk */
	int ret = 1;

	while (left && ((uint64_t)(c.end - pos) >= EVENT_HEAD || (uint64_t)(c.end - pos) == left)) {
		struct type_count *row;
		struct cursor head;
		uint64_t size, id;

		__builtin_prefetch(pos + AHEAD);
		head = walk_head((struct cursor){ .pos = pos, .end = c.end }, &size, &id);
		/* The start may be cut off: not all events have one. */
		if (head.bad || size < (uint64_t)(head.pos - pos) || size > left) {
			ret = 0;
			break;
		}
		row = row_of(k, id);
		if (!row || (id == TYPE_CHECKPOINT && note_checkpoint(k, end - left, size) < 0)) {
			ret = -1;
			break;
		}
		count_event(k, row, size, &head);
		left -= size;
		if (size >= (uint64_t)(c.end - pos))
			break;
		pos += size;
	}
	*at = end - left;
	return ret;
}

/* All events of the chunk.  1; 0 where no event can begin; -1 with *err set. */
static int count_events(struct chunk_count *k, const struct extent *x, struct jfrec_error *err)
{
	uint64_t at = x->offset + CHUNK_HEADER_SIZE, end = x->offset + x->size;
	int more = 1;

	while (at < end && more > 0) {
		struct cursor c;

		if (look(k, x, at, WINDOW, &c, err) < 0)
			return -1;
		if (cursor_left(&c) < EVENT_HEAD && cursor_left(&c) < end - at)
			return 0; /* the file shrank */
		more = count_window(k, c, &at, end);
	}
	return more < 0 ? jfrec_fail_memory(err) : more;
}

/* The chunk's metadata, read on its own; NULL if it is not where the header says. */
static struct metadata *read_metadata(struct chunk_count *k, const struct extent *x)
{
	struct input *in = &k->recording->in;
	uint64_t offset = x->header.metadata, size;
	struct metadata *m = NULL;
	struct span span;
	struct cursor c;

	if (offset >= CHUNK_HEADER_SIZE && offset < x->size &&
	    look(k, x, x->offset + offset, EVENT_HEAD, &c, NULL) == 0) {
		size = cursor_varint(&c);
		if (cursor_varint(&c) == TYPE_METADATA && !c.bad && size <= x->size - offset &&
		    input_span(in, x->offset + offset, size, false, &span, NULL) == 0) {
			m = metadata_parse(span.bytes, span.len, k->metadata, NULL);
			span_fini(&span);
		}
	}
	return m;
}

/*
 * Could all that was counted be events?  Sizes in damaged bytes lead to others, whose types are
 * seldom those that the chunk declares, nor as long; looking at each event would cost as much as
 * counting.
 */
static bool are_possible(const struct chunk_count *k, const struct metadata *m)
{
	for (uint32_t i = 0; i < k->row_count; i++) {
		const struct type_count *c = &k->rows[i];
		const struct jfrec_type *t;

		if (!c->count || c->id <= TYPE_CHECKPOINT)
			continue;
		t = metadata_type(m, c->id);
		if (!t || !t->is_event || c->bytes / c->count < plan_of(t)->min_size)
			return false;
	}
	return true;
}

static int pass_over(void *ctx, const struct constant *one)
{
	(void)ctx;
	(void)one;
	return 0;
}

/* Has the checkpoint the constants that it says? */
static bool is_whole(const struct chunk_count *k, const struct metadata *m,
		     const struct event_place *p, struct pool_blocks *blocks)
{
	struct input *in = &k->recording->in;
	struct span span;
	int64_t delta;
	bool ret;

	if (input_span(in, p->offset, p->size, false, &span, NULL) < 0)
		return false;
	ret = span.len == p->size && pools_each_constant(m, span.bytes, span.len, &delta, pass_over,
							 NULL, blocks, NULL) == 0;
	input_give_back(in, &span);
	return ret;
}

static struct met_types counted_types(const struct chunk_count *k)
{
	struct met_types types = { 0 };

	for (uint32_t i = 0; i < k->row_count; i++)
		met_types_add(&types, k->rows[i].id);
	return types;
}

/* Where most checkpoints are wrong, a tool wrote them so: damage hits a few. */
#define MOST_HIT 8

static bool are_constants_sound(const struct chunk_count *k, const struct metadata *m)
{
	struct met_types types = counted_types(k);
	struct pool_blocks blocks = { 0 };
	size_t wrong = 0;
	bool ret;

	for (size_t i = 0; i < k->checkpoint_count; i++)
		wrong += !is_whole(k, m, &k->checkpoints[i], &blocks);
	ret = wrong ? wrong > MOST_HIT && wrong > k->checkpoint_count / 2
		    : !strays_possible(m, &blocks, &types);
	free(blocks.items);
	return ret;
}

int chunk_count_sound(struct chunk_count *k, const struct extent *x, struct jfrec_error *err)
{
	struct metadata *m;
	int counted;

	chunk_count_begin(k);
	m = x->state == JFREC_TRUNCATED ? NULL : read_metadata(k, x);
	if (!m || m->doubt) {
		metadata_unref(m);
		return 0;
	}
	metadata_unref(k->metadata);
	k->metadata = m;
	counted = count_events(k, x, err);
	if (counted > 0 && (!are_possible(k, m) || !are_constants_sound(k, m)))
		counted = 0;
	return counted;
}

void chunk_count_fini(struct chunk_count *k)
{
	metadata_unref(k->metadata);
	free(k->rows);
	free(k->checkpoints);
	span_fini(&k->window);
	idmap_fini(&k->by_id);
	*k = (struct chunk_count){ .recording = NULL };
}
