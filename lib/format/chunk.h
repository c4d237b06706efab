/* SPDX-License-Identifier: MIT */
/*
 * chunk.h - one chunk in memory: its bytes, its types, its constants
 *
 * The unit of memory and of damage: what is wrong with one chunk never spoils
 * the next, and nothing of it outlives it.
 */
#ifndef JFREC_FORMAT_CHUNK_H
#define JFREC_FORMAT_CHUNK_H

#include "format/metadata.h"
#include "format/plan.h"
#include "format/pool.h"
#include "format/recording.h"
#include "format/walk.h"

/* Events of a type whose values do not fit into their size. */
struct misfits {
	uint64_t count;
	uint64_t first_at; /* byte in the input */
};

struct chunk {
	unsigned refs;
	struct jfrec_chunk_info info;
	struct extent extent;
	struct span span;
	const uint8_t *bytes, *end;
	struct metadata *metadata;
	struct pools pools;
	struct clock clock;
	struct problems *problems;
	struct input *input; /* whose the bytes are */
	/* Offsets of checkpoints, ascending: where to go on behind a damaged event. */
	uint64_t *anchors;
	size_t anchor_count, anchor_room;
	struct misfits *misfits; /* by the index of the type */
	const uint8_t *last;	 /* event, once a walk has come to the end */
	struct misfits undeclared;
	uint64_t undeclared_bytes;
};

/* The public description of an extent; the time zone is the metadata's, if there is one. */
struct jfrec_chunk_info chunk_info(const struct extent *x, const struct metadata *m);

/*
 * Bring a chunk into memory.  1: *chunk is a reference to give back with
 * chunk_unref(); 0: nothing of it can be read, as was told as damage, or there
 * is nothing yet; -1: *err is set (JFREC_EIO, JFREC_ENOMEM).
 */
int chunk_load(struct recording *r, const struct extent *x, struct chunk **chunk,
	       struct jfrec_error *err);

struct chunk *chunk_ref(struct chunk *c);
void chunk_unref(struct chunk *c);

/* The events of a chunk, in file order. */
struct chunk_walk {
	struct chunk *chunk;
	struct cursor at;
	const uint8_t *last; /* event, or NULL */
	size_t next_anchor;
};

struct chunk_walk chunk_walk(struct chunk *c);

/* The next event behind damaged bytes, or false at the end. */
bool chunk_walk_over(struct chunk_walk *w, struct raw_event *e);

/*
 * Step to the next event, be it metadata or undeclared.  false: no more.
 * Damaged bytes are told, and left behind.
 */
static inline bool chunk_walk_any(struct chunk_walk *w, struct raw_event *e)
{
	if (walk_next(&w->at, e) <= 0)
		return chunk_walk_over(w, e);
	w->last = e->start;
	return true;
}

/* The same for events of declared types. */
bool chunk_walk_next(struct chunk_walk *w, struct raw_event *e, struct jfrec_type **type);

/* What chunk_walk_next() does about an event of no declared type. */
void chunk_note_undeclared(struct chunk *c, const struct raw_event *e);

/*
 * Decode an event into slots[plan->step_count].  False if its values do not
 * fit into its size: that is noted, and told by chunk_tell_end().
 */
bool chunk_decode(struct chunk *c, const struct jfrec_type *t, const struct raw_event *e,
		  uint64_t *slots);

/* Tell what chunk_decode() could not decode, and when it ends if cut. Once, when it is done. */
void chunk_tell_end(struct chunk *c);

/* Offset of a place in the chunk's bytes from the start of the input. */
static inline uint64_t chunk_offset(const struct chunk *c, const uint8_t *at)
{
	return c->extent.offset + (uint64_t)(at - c->bytes);
}

#endif
