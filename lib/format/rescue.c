/* SPDX-License-Identifier: MIT */
/*
 * rescue.c - types for a chunk that lost its own, events behind damaged ones
 *
 * Each chunk declares its types, but one JVM numbers them alike in all of its
 * chunks.  A chunk cut off before its metadata (8 and 11 write it last) can be
 * read with a neighbour's, if that fits so well that it cannot be chance.
 */
#include "format/rescue.h"

#include <stdlib.h>

#include "format/plan.h"
#include "format/walk.h"

/*
 * That few events fit may be chance: on one host JVMs share the clock, and
 * number their types from the same start.
 */
#define ENOUGH_EVENTS 20
#define ENOUGH_TYPES  3

/* Has the event a declared type, and the length that its type's fields have? */
static bool event_fits(const struct metadata *m, const struct raw_event *e)
{
	const struct jfrec_type *t = metadata_type(m, e->type_id);
	struct cursor payload = { .pos = e->payload, .end = e->start + e->size };

	return t && t->is_event && !plan_of(t)->fault && plan_skip(plan_of(t), &payload) &&
	       payload.pos == payload.end;
}

static bool is_among(const uint64_t *ids, unsigned count, uint64_t id)
{
	for (unsigned i = 0; i < count; i++) {
		if (ids[i] == id)
			return true;
	}
	return false;
}

/* Do all events fit, and are they many? */
static bool fits(const struct metadata *m, const uint8_t *bytes, const uint8_t *end)
{
	struct cursor at = { .pos = bytes + CHUNK_HEADER_SIZE, .end = end };
	uint64_t seen[ENOUGH_TYPES];
	unsigned events = 0, types = 0;
	struct raw_event e;

	while (walk_next(&at, &e) == 1) {
		if (e.type_id <= TYPE_CHECKPOINT)
			continue;
		if (!event_fits(m, &e))
			return false;
		if (types < ENOUGH_TYPES && !is_among(seen, types, e.type_id))
			seen[types++] = e.type_id;
		events += events < ENOUGH_EVENTS;
	}
	return events == ENOUGH_EVENTS && types == ENOUGH_TYPES;
}

/* The metadata event at that offset of a chunk. */
static struct metadata *metadata_at(const uint8_t *bytes, uint64_t len, uint64_t offset)
{
	struct cursor at = cursor_over(bytes, len);
	struct raw_event e;

	cursor_seek(&at, bytes, offset);
	if (at.bad || offset < CHUNK_HEADER_SIZE || walk_next(&at, &e) != 1 ||
	    e.type_id != TYPE_METADATA)
		return NULL;
	return metadata_parse(e.start, e.size, NULL, NULL);
}

/* The metadata of the chunk behind this one, if it is the same JVM's. */
static struct metadata *next_metadata(struct recording *r, const struct extent *x)
{
	uint64_t offset = x->offset + x->size, have;
	uint8_t bytes[CHUNK_HEADER_SIZE];
	struct clock own = clock_of(&x->header);
	struct metadata *m;
	struct chunk_header h;
	struct span span;
	size_t got;

	if (input_read(&r->in, offset, bytes, sizeof(bytes), &got, NULL) < 0 ||
	    got < sizeof(bytes) || !chunk_header_is_magic(bytes))
		return NULL;
	h = chunk_header_parse(bytes);
	if (!clock_agrees(&own, &h) || h.metadata > h.size ||
	    input_available(&r->in, offset, h.size, &have, NULL) < 0 || have < h.size ||
	    input_span(&r->in, offset, h.size, true, &span, NULL) < 0)
		return NULL;
	m = metadata_at(span.bytes, span.len, h.metadata);
	span_fini(&span);
	return m;
}

struct metadata *rescue_metadata(struct recording *r, const struct extent *x, const uint8_t *bytes,
				 const uint8_t *end)
{
	struct metadata *m = r->metadata;

	if (end - bytes < CHUNK_HEADER_SIZE)
		return NULL;
	if (m && r->has_clock && clock_agrees(&r->clock, &x->header) && fits(m, bytes, end))
		return metadata_ref(m);
	m = next_metadata(r, x);
	if (m && fits(m, bytes, end))
		return m;
	metadata_unref(m);
	return NULL;
}

/* Behind damage ----------------------------------------------------------------------------------
 */

/* Places may share their events' bytes; beyond this many looks at each, no more is tried. */
#define MAX_LOOKS 64

/* How long before its chunk an event may have begun, and how long after its end the clock may be.
 */
#define SLACK_S 3600

/* Ticks that events of the chunk can have begun at. */
struct tick_range {
	int64_t first, last;
};

static struct tick_range ticks_of(const struct chunk_header *h)
{
	struct clock clock = clock_of(h);
	double slack = SLACK_S * 1e9 * clock.ticks_per_ns;
	double length = (double)h->duration_ns * clock.ticks_per_ns;

	return (struct tick_range){
		.first = double_to_long((double)h->start_ticks - slack),
		.last = double_to_long((double)h->start_ticks + length + slack),
	};
}

static bool is_in_time(const struct raw_event *e, const struct tick_range *range)
{
	struct cursor payload = { .pos = e->payload, .end = e->start + e->size };
	int64_t start = (int64_t)cursor_varint(&payload);

	return !payload.bad && start >= range->first && start <= range->last;
}

/* One bit for each place: events lead from it to the end. */
static bool leads_to_end(const uint8_t *bits, uint64_t place)
{
	return bits[place / 8] >> place % 8 & 1;
}

/*
 * From the end to the front: a place is good if an event fits there and ends at
 * a good place.  So each place is looked at once.
 */
const uint8_t *rescue_resume(const struct metadata *m, const struct chunk_header *h,
			     const uint8_t *from, const uint8_t *to)
{
	struct tick_range range = ticks_of(h);
	uint64_t len = (uint64_t)(to - from), first = len, budget = MAX_LOOKS * len;
	uint8_t *bits = calloc(len / 8 + 1, 1);

	if (!bits)
		return to;
	bits[len / 8] |= (uint8_t)(1 << len % 8);
	for (uint64_t place = len; place-- > 1;) {
		struct cursor at = { .pos = from + place, .end = to };
		struct raw_event e;

		if (walk_next(&at, &e) != 1 || !leads_to_end(bits, place + e.size) ||
		    !is_in_time(&e, &range))
			continue;
		if (e.size > budget)
			break;
		budget -= e.size;
		if (!event_fits(m, &e))
			continue;
		bits[place / 8] |= (uint8_t)(1 << place % 8);
		first = place;
	}
	free(bits);
	return from + first;
}
