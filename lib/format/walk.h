/* SPDX-License-Identifier: MIT */
/*
 * walk.h - step from event to event in a chunk
 */
#ifndef JFREC_FORMAT_WALK_H
#define JFREC_FORMAT_WALK_H

#include "base/cursor.h"

/* One event's bytes, not decoded. */
struct raw_event {
	const uint8_t *start;
	const uint8_t *payload; /* after size and type id */
	uint64_t size;		/* from start */
	uint64_t type_id;
};

/*
 * The size and the type id of an event.  A JVM writes a size in one byte, or in four where it was
 * not known beforehand, and ids in one byte or two.  Unless two varints of any length are left, a
 * cursor checks each byte.
 */
static inline __attribute__((always_inline)) struct cursor walk_head(struct cursor at,
								     uint64_t *size, uint64_t *id)
{
	uint32_t word;

	if (__builtin_expect(at.end - at.pos < 2 * VARINT_MAX, 0)) {
		*size = cursor_varint(&at);
		*id = cursor_varint(&at);
		return at;
	}
	memcpy(&word, at.pos, sizeof(word));
	if (!(word & 0x80)) {
		*size = word & 0x7f;
		at.pos++;
	} else if ((word & 0x80808000) == 0x00808000) {
		*size = (word & 0x7f) | (word >> 1 & 0x3f80) | (word >> 2 & 0x1fc000) |
			(word >> 3 & 0xfe00000);
		at.pos += 4;
	} else {
		*size = cursor_varint(&at);
	}
	*id = at.pos[0];
	if (*id < 0x80) {
		at.pos++;
	} else if (at.pos[1] < 0x80) {
		*id = (*id & 0x7f) | (uint64_t)at.pos[1] << 7;
		at.pos += 2;
	} else {
		*id = cursor_varint(&at);
	}
	return at;
}

/* walk_next() where there are bytes.  All of its variables are set where they are declared. */
static inline __attribute__((always_inline)) int walk_one(struct cursor *c, struct raw_event *e)
{
	/* In variables, since *c and *e could be in one place for all that a compiler knows. */
	const uint8_t *start = c->pos, *end = c->end;
	uint64_t size = 0, type_id = 0;
	struct cursor at = walk_head((struct cursor){ .pos = start, .end = end }, &size, &type_id);

	if (at.bad || size < (uint64_t)(at.pos - start) || size > (uint64_t)(end - start))
		return -1;
	/* Field by field: a whole struct would be read back while its parts are being stored. */
	e->start = start;
	e->payload = at.pos;
	e->size = size;
	e->type_id = type_id;
	c->pos = start + size; /* no further than `end`: size is at most what is left */
	return 1;
}

/*
 * Take the next event.  1: *e is set; 0: the bytes are used up; -1: no event
 * can begin here, and since events have no other mark than their size, nothing
 * says where the next one does.  The cursor then stays where it is.
 */
static inline __attribute__((always_inline)) int walk_next(struct cursor *c, struct raw_event *e)
{
	return c->pos == c->end ? 0 : walk_one(c, e);
}

/*
 * The payload, to decode.  It ends a few bytes after the event, but not after `end`: so varints
 * need not be checked byte by byte, and what ran past the event shows afterwards (event_overran()).
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
