/* SPDX-License-Identifier: MIT */
/*
 * headless.c - make a header for a chunk that lost it
 *
 * JVMs leave copies of it from JDK 14 on only, and async-profiler leaves none.  What it says can be
 * found out: where metadata is shows in the bytes, checkpoints are looked for where no chain leads
 * to them, and chunks of one JVM have one clock.
 */
#include "format/headless.h"

#include "format/clock.h"
#include "format/event_rows.h"
#include "format/plan.h"

/* As for metadata of another chunk: fewer events may be chance. */
#define ENOUGH_EVENTS 20

/* Bytes that look like metadata are parsed so often at most. */
#define MOST_PARSED 16

/* A chunk is not larger; of a sparse file there may be terabytes. */
#define MOST_BYTES (64u << 20)

/* Chunks are seldom longer; JVMs end them when they have 12 MB. */
#define LONGEST_S 86400

/* A chunk that has no header yet. */
struct headless {
	const uint8_t *bytes, *end;
	struct metadata *metadata;
	struct chunk_header header;
};

/*
 * With the lender's clock, and all times that the chunk may be of: less than a day before or after.
 */
static struct chunk_header header_of(const struct lender *lender)
{
	struct chunk_header h = lender->header;
	int64_t day = double_to_long(LONGEST_S * (double)h.ticks_per_second);
	struct clock clock = clock_of(&h);

	if (lender->is_behind) {
		h.start_ticks = h.start_ticks > day ? h.start_ticks - day : 0;
		h.start_ns = clock_time_ns(&clock, h.start_ticks);
	}
	h.duration_ns = LONGEST_S * INT64_C(1000000000);
	h.checkpoint = h.metadata = 0;
	h.generation = 0;
	return h;
}

/* The first metadata that declares anything is its own, if there is one. */
static void find_metadata(struct headless *c)
{
	const uint8_t *at = c->bytes;
	struct raw_event e;

	for (unsigned n = 0; n < MOST_PARSED && next_like_metadata(&at, c->end, c->end, &e);
	     n++, at++) {
		struct metadata *m = metadata_parse(e.start, e.size, NULL, NULL);

		if (m && !m->doubt && m->type_count) {
			c->metadata = m;
			c->header.metadata = (uint64_t)(e.start - c->bytes);
			return;
		}
		metadata_unref(m);
	}
}

/* The least and the greatest time of the events in these stretches. */
static void find_span(const struct headless *c, const struct stretches *s, int64_t *first,
		      int64_t *last)
{
	struct raw_event e;

	*first = INT64_MAX;
	*last = INT64_MIN;
	for (size_t i = 0; i < s->count; i++) {
		struct cursor at = { c->bytes + s->items[i].from, c->bytes + s->items[i].to,
				     false };

		while (walk_next(&at, &e) > 0) {
			const struct jfrec_type *t = metadata_type(c->metadata, e.type_id);
			struct cursor payload = event_payload(&e, c->end);
			int64_t start = (int64_t)cursor_varint(&payload);

			if (!t || !t->is_event || plan_of(t)->start_step != 0)
				continue;
			*first = start < *first ? start : *first;
			*last = start > *last ? start : *last;
		}
	}
}

/* Are enough of its bytes events, by the clock that was borrowed?  Then these say when it was. */
static bool has_events(struct headless *c)
{
	struct damaged_chunk chunk = {
		.bytes = c->bytes, .end = c->end, .metadata = c->metadata, .header = &c->header,
	};
	struct clock clock = clock_of(&c->header);
	struct stretches found;
	int64_t first, last;
	bool ret = event_rows_find(&chunk, &found) == 0 && found.fitting >= ENOUGH_EVENTS;

	if (ret) {
		find_span(c, &found, &first, &last);
		ret = first <= last;
	}
	stretches_fini(&found);
	if (!ret)
		return false;
	c->header.start_ns = clock_time_ns(&clock, first);
	c->header.start_ticks = first;
	c->header.duration_ns = clock_span_ns(&clock, long_subtract(last, first));
	return true;
}

bool headless_header(struct input *in, uint64_t from, uint64_t to, const struct lender *lender,
		     struct chunk_header *h)
{
	struct headless c = { .header = header_of(lender) };
	struct span span;
	bool ret = false;

	if (to - from > 2 * CHUNK_HEADER_SIZE && to - from <= MOST_BYTES &&
	    input_span(in, from, to - from, true, &span, NULL) == 0) {
		c.bytes = span.bytes;
		c.end = c.bytes + span.len;
		c.header.size = to - from;
		find_metadata(&c);
		if (!c.metadata && lender->metadata)
			c.metadata = metadata_ref(lender->metadata);
		ret = c.metadata && has_events(&c);
		span_fini(&span);
	}
	metadata_unref(c.metadata);
	*h = c.header;
	return ret;
}
