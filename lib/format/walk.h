/* SPDX-License-Identifier: MIT */
/*
 * walk.h - from one event of a chunk to the next
 */
#ifndef JFREC_FORMAT_WALK_H
#define JFREC_FORMAT_WALK_H

#include "base/cursor.h"

/* One event's bytes, not decoded. */
struct raw_event {
	const uint8_t *start;
	const uint8_t *payload; /* behind size and type id */
	uint64_t size;		/* from start */
	uint64_t type_id;
};

/*
 * Take the next event.  1: *e is set; 0: the bytes are used up; -1: no event
 * can begin here, and since events have no other mark than their size, nothing
 * says where the next one does.  The cursor then stays where it is.
 */
static inline __attribute__((always_inline)) int walk_next(struct cursor *c, struct raw_event *e)
{
	/* Field by field: a copy of the whole struct would wait for stores just made to its parts.
	 */
	struct cursor at = { .pos = c->pos, .end = c->end };

	if (c->pos == c->end)
		return 0;
	e->start = at.pos;
	e->size = cursor_varint(&at);
	e->type_id = cursor_varint(&at);
	e->payload = at.pos;
	if (at.bad || e->size < (uint64_t)(at.pos - c->pos) || e->size > cursor_left(c))
		return -1;
	c->pos += e->size;
	return 1;
}

/*
 * The payload, to decode.  It ends a few bytes behind the event, but not
 * behind `end`: so varints need not be checked byte by byte, and what ran past
 * the event shows afterwards (event_overran()).
 */
static inline struct cursor event_payload(const struct raw_event *e, const uint8_t *end)
{
	const uint8_t *stop = e->start + e->size;

	stop += (uint64_t)(end - stop) < VARINT_MAX ? (uint64_t)(end - stop) : VARINT_MAX;
	return (struct cursor){ .pos = e->payload, .end = stop };
}

static inline bool event_overran(const struct raw_event *e, const struct cursor *c)
{
	return c->bad || c->pos > e->start + e->size;
}

#endif
