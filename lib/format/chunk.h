/* SPDX-License-Identifier: MIT */
/*
 * chunk.h - one chunk in memory: its bytes, its types, its constants
 *
 * The unit of memory and of damage: what is wrong with one chunk never spoils
 * the next, and nothing of it outlives it.
 */
#ifndef JFREC_FORMAT_CHUNK_H
#define JFREC_FORMAT_CHUNK_H

#include "format/chunk_pages.h"
#include "format/event_rows.h"
#include "format/live_buffer.h"
#include "format/metadata.h"
#include "format/plan.h"
#include "format/pool.h"
#include "format/recording.h"
#include "format/walk.h"

/* Events of a type whose values do not fit into their size. */
struct misfits {
	uint64_t count, bytes;
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
	struct growing *growing; /* NULL: all bytes are in memory, and no more will come */
	/* Offsets of checkpoints, ascending: where to continue after a damaged event. */
	uint64_t *anchors;
	size_t anchor_count, anchor_room;
	/* Where its events are, if they do not simply follow one another; event_rows_find() */
	struct stretches *stretches;
	struct chunk_pages pages; /* of a sound chunk; or none */
	struct misfits *misfits; /* by the index of the type */
	const uint8_t *last;	 /* event, once a walk has come to the end */
	uint64_t cut_bytes;	 /* of the truncated event, after it */
	struct misfits undeclared;
	const char *name; /* of the input; the chunk may end when another one is read */
};

/* The public description of an extent; the time zone is the metadata's, if there is one. */
struct jfrec_chunk_info chunk_info(const struct extent *x, const struct metadata *m);

/*
 * Bring a chunk into memory.  1: *chunk is a reference to give back with
 * chunk_unref(); 0: nothing of it can be read, which was reported as damage, or there
 * is nothing yet; -1: *err is set (JFREC_EIO, JFREC_ENOMEM).
 */
int chunk_load(struct recording *r, const struct extent *x, struct chunk **chunk,
	       struct jfrec_error *err);

/*
 * The same for a chunk that a JVM writes: of what is there so far.
 * Its input must stay open.
 */
int chunk_load_growing(struct recording *r, const struct extent *x, struct chunk **chunk,
		       struct jfrec_error *err);

/*
 * More of it is there: read the newer types, and the constants that came.  Nothing that was read
 * before is read again.  The metadata may be another afterwards, and the pools have grown.
 * 0, or -1 with *err set (JFREC_ENOMEM, JFREC_EUNSUPPORTED).
 */
int chunk_grow(struct recording *r, struct chunk *c, const struct extent *x,
	       struct jfrec_error *err);

/*
 * Of a growing chunk, events between these places will not be looked at again.  Returns where the
 * next call should begin: on the page that was left, since it has some of what follows.
 */
const uint8_t *chunk_forget(struct chunk *c, const uint8_t *first, const uint8_t *end);

struct chunk *chunk_ref(struct chunk *c);
void chunk_unref(struct chunk *c);

/* The event of that type at that offset of the chunk, if it is whole. */
bool chunk_event_at(const struct chunk *c, uint64_t offset, uint64_t type_id, struct raw_event *e);

/*
 * Does the chunk have its own metadata, events of it that follow one another from its first byte
 * to its last, and constants that fit into their checkpoints?  Nothing is reported.
 */
bool chunk_is_sound(struct recording *r, const struct extent *x);

/*
 * Find out where events are in a chunk in which they do not simply follow one another: all walks
 * go by that.  0, or -1 when memory is gone.
 */
int chunk_judge(struct chunk *c);

/* A cursor from that offset to the end. */
struct cursor chunk_from(const struct chunk *c, uint64_t offset);

/* walk_next(), whose bytes are in memory afterwards. */
int chunk_step_growing(const struct chunk *c, struct cursor *at, struct raw_event *e);

static inline __attribute__((always_inline)) int chunk_step(const struct chunk *c,
							    struct cursor *at, struct raw_event *e)
{
	return __builtin_expect(!c->growing, 1) ? walk_next(at, e) : chunk_step_growing(c, at, e);
}

/* The events of a chunk, in file order. */
struct chunk_walk {
	struct chunk *chunk;
	struct cursor at;
	const uint8_t *last; /* event, or NULL */
	size_t next_anchor, next_stretch;
	bool is_quiet; /* another walk reports damage */
	/* chunk_walk_any_of() */
	size_t next_page;
	const uint8_t *page_end;
};

struct chunk_walk chunk_walk(struct chunk *c);

/* The next event after damaged bytes, or false at the end. */
bool chunk_walk_over(struct chunk_walk *w, struct raw_event *e);

/*
 * Step to the next event, be it metadata or undeclared.  false: no more.
 * Damaged bytes are reported, and skipped.
 */
static inline bool chunk_walk_any(struct chunk_walk *w, struct raw_event *e)
{
	if (chunk_step(w->chunk, &w->at, e) <= 0)
		return chunk_walk_over(w, e);
	w->last = e->start;
	return true;
}

/* Step over pages that have no event of these types. */
void chunk_walk_skip(struct chunk_walk *w, const struct type_set *types);

/*
 * The same as chunk_walk_any() for who wants these types only, to which TYPE_CHECKPOINT may belong:
 * some of the others are left out.
 */
static inline bool chunk_walk_any_of(struct chunk_walk *w, const struct type_set *types,
				     struct raw_event *e)
{
	if (w->at.pos >= w->page_end)
		chunk_walk_skip(w, types);
	return chunk_walk_any(w, e);
}

/*
 * In a growing chunk, step over events of other types than these (by their indexes), up to one of
 * them or to the end of what is in the window.  True if there were any.
 */
bool chunk_step_over(struct chunk_walk *w, const bool *selected);

/*
 * The same as chunk_walk_any() of a growing chunk for who wants these types only: the others are
 * not copied into memory.  Some of them are left in.
 */
static inline bool chunk_walk_selected(struct chunk_walk *w, const bool *selected,
				       struct raw_event *e)
{
	while (chunk_step_over(w, selected))
		continue;
	return chunk_walk_any(w, e);
}

/* The chunk has grown: there is more to walk over. */
void chunk_walk_grow(struct chunk_walk *w);

/* What is done about an event of no declared type. */
void chunk_note_undeclared(struct chunk *c, const struct raw_event *e);

/* The type of an event; NULL for metadata, checkpoints, and undeclared ones, which are noted. */
static inline struct jfrec_type *chunk_type_of(struct chunk *c, const struct raw_event *e)
{
	struct jfrec_type *t;

	if (e->type_id <= TYPE_CHECKPOINT)
		return NULL;
	t = metadata_type(c->metadata, e->type_id);
	if (t && t->is_event)
		return t;
	chunk_note_undeclared(c, e);
	return NULL;
}

/* Is it the checkpoint that ends a flush, and of which time? */
bool chunk_is_flush(const struct raw_event *e, int64_t *ticks);

/* The same for events of declared types. */
bool chunk_walk_next(struct chunk_walk *w, struct raw_event *e, struct jfrec_type **type);

/*
 * Make what is otherwise made on first use, so that several threads can ask for the chunk's types
 * and constants.
 */
void chunk_make_shareable(struct chunk *c);

/* The same as chunk_decode(), but that nothing is noted. */
bool chunk_can_decode(const struct chunk *c, const struct jfrec_type *t, const struct raw_event *e,
		      uint64_t *slots);

/* Note an event of a declared type, as whole as a walk finds them, that cannot be decoded. */
void chunk_note_misfit(struct chunk *c, const struct jfrec_type *t, const struct raw_event *e);

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
