/* SPDX-License-Identifier: MIT */
/*
 * event_rows.h - decide which bytes of a damaged chunk are events
 */
#ifndef JFREC_FORMAT_EVENT_ROWS_H
#define JFREC_FORMAT_EVENT_ROWS_H

#include "format/chunk_header.h"
#include "format/metadata.h"
#include "format/walk.h"

/* A chunk, as far as it is known. */
struct damaged_chunk {
	const uint8_t *bytes, *end;
	struct metadata *metadata;
	const struct chunk_header *header;
	bool is_cut; /* its end is not where its last event ends */
	/* Offsets of checkpoints that others point to, ascending. */
	const uint64_t *anchors;
	size_t anchor_count;
};

/* Events that follow one another, by their offsets in the chunk. */
struct stretch {
	uint64_t from, to;
};

struct stretches {
	struct stretch *items;
	size_t count, room;
	/* What they hold: events as long as their fields, of so many types (few are counted). */
	uint64_t fitting;
	unsigned types;
	uint64_t odd; /* others, which follow from those before and lead to those after */
};

/* Enough types to tell one JVM from another. */
#define ENOUGH_TYPES 3

/*
 * Find them all, ascending.  Where one does not follow the other, it is looked for: what begins
 * there must be declared, as long as its fields, of the chunk's time, and lead to more that is.  In
 * an unbroken row nothing is refused for its time or its type.  0, or -1 when memory is gone.
 */
int event_rows_find(const struct damaged_chunk *chunk, struct stretches *found);

/*
 * The next place from *at on, and before `limit`, where bytes look like a metadata event that ends
 * by `end`, whatever precedes it.  False if there is none; *at is `limit` then.
 */
bool next_like_metadata(const uint8_t **at, const uint8_t *limit, const uint8_t *end,
			struct raw_event *e);

/* Does it begin as metadata does, with the names that it needs? */
bool has_metadata_names(const struct raw_event *metadata);

void stretches_fini(struct stretches *s);

#endif
