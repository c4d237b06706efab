/* SPDX-License-Identifier: MIT */
/*
 * rewrite.h - write a chunk again with some of its events
 *
 * The events that stay are copied as they are, in their order; then come the
 * constants that they refer to, and those that these refer to; then the
 * metadata.  All keys and type ids stay as well, and so do the times in the
 * header, so that chunks of one JVM keep fitting together.
 *
 * What the reader finds in a damaged, unfinished or truncated chunk is what is
 * written, and the result is a finished chunk.  A constant that occurs twice
 * is written once, as the reader resolves it.
 */
#ifndef JFREC_EDIT_REWRITE_H
#define JFREC_EDIT_REWRITE_H

#include "edit/tally.h"
#include "read/chunk_source.h"
#include "write/chunk_writer.h"

/* A constant that the chunk does not have. */
struct added_constant {
	uint64_t key;
	const uint8_t *value;
	size_t len;
};

/*
 * What is to become of a chunk's events and constants.  All zero keeps
 * everything; each function may be NULL.
 */
struct rewrite {
	/*
	 * Can events of the type stay?  If not they are dropped without a look.
	 * Asked for each type of the chunk before the first event.
	 */
	bool (*selects_type)(void *ctx, const struct jfrec_type *type);

	/* Do all events of the type stay?  Then selects_raw() is not asked.  NULL: no. */
	bool (*selects_all)(void *ctx, const struct jfrec_type *type);

	/*
	 * Does the event, whose bytes these are, stay?  Asked before it is decoded,
	 * into slots of plan_of(type)->step_count that may be used.
	 */
	bool (*selects_raw)(void *ctx, const struct jfrec_type *type, const struct raw_event *e,
			    uint64_t *slots);

	/*
	 * Does the event stay?  All functions of jfrec.h for events can be used on
	 * it; what they return is valid during the call.
	 */
	bool (*selects)(void *ctx, const struct jfrec_event *ev);

	/*
	 * May events of the type be replaced?  Asked as selects_type().  NULL: all, if
	 * there is a function for it.
	 */
	bool (*replaces_type)(void *ctx, const struct jfrec_type *type);

	/*
	 * Is it known of the event, whose bytes these are, that replace() would leave it as it is,
	 * and that it has no bytes after its last field?  Asked before it is decoded.  NULL: no.
	 */
	bool (*leaves)(void *ctx, const struct jfrec_type *type, const struct raw_event *e);

	/*
	 * Append to *to what takes the place of an event that stays: one whole
	 * event of the same type, size and type id included.  1; 0 with nothing
	 * appended: as it is; -1 with *err set.
	 *
	 * The constants that are kept are those that the replacement refers to.
	 */
	int (*replace)(void *ctx, const struct jfrec_event *ev, struct buffer *to,
		       struct jfrec_error *err);

	/*
	 * The same for a constant that something refers to: its value is at
	 * `value`, of len bytes, and another one of its type may take its place.
	 * Called once for each constant.
	 */
	int (*replace_constant)(void *ctx, const struct jfrec_type *type, uint64_t key,
				const uint8_t *value, size_t len, struct buffer *to,
				struct jfrec_error *err);

	/*
	 * Set *added to number i of the constants of that type that replacements refer to and
	 * the chunk does not have; false: there are no more.  Asked when all constants are
	 * replaced.
	 */
	bool (*added)(void *ctx, const struct jfrec_type *type, size_t i,
		      struct added_constant *added);

	/* The same for the metadata, from its id on.  Ids and fields must stay. */
	int (*replace_metadata)(void *ctx, const struct metadata *m, struct buffer *to,
				struct jfrec_error *err);
	void *ctx;
	bool even_empty; /* write the chunk, be there an event left or not */
	bool no_tails;	 /* replace also events of other types with bytes after their last field */
};

/*
 * Write the chunk.  What became of its events is added to *tally.  If none
 * stays, nothing is written, unless that is wanted.
 *
 * *w is begun and ended here, without an output if `out` is NULL.  The reader reports problems
 * that are met.
 * 1; 0: nothing was written; -1 with *err set.
 */
int rewrite_chunk(struct chunk_source *s, struct chunk *c, const struct rewrite *how,
		  struct chunk_writer *w, struct jfrec_output *out, struct tally *tally,
		  struct jfrec_error *err);

#endif
