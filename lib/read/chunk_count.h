/* SPDX-License-Identifier: MIT */
/*
 * chunk_count.h - count the events of one chunk by their types, without loading it
 */
#ifndef JFREC_READ_CHUNK_COUNT_H
#define JFREC_READ_CHUNK_COUNT_H

#include "base/cursor.h"
#include "base/idmap.h"
#include "format/metadata.h"
#include "format/recording.h"

/* The events of a chunk that have a type. */
struct type_count {
	uint64_t id, count, bytes;
	int64_t first_ticks, last_ticks; /* 0 without times */
};

struct event_place {
	uint64_t offset, size;
};

/* What is needed to count, chunk after chunk.  All zero but for the first two is a new one. */
struct chunk_count {
	struct recording *recording; /* whose open file has the chunks */
	bool has_times;
	struct type_count *rows; /* of the chunk that was counted last */
	uint32_t row_count, room;
	struct idmap by_id;	   /* the rows */
	uint32_t small[SMALL_IDS]; /* the same for small ids: row + 1, or 0 */
	struct metadata *metadata; /* of the sound chunk that was counted last; or NULL */
	struct span window;
	uint64_t window_at; /* offset of the window in the input */
	struct event_place *checkpoints;
	size_t checkpoint_count, checkpoint_room;
};

/* Forget the rows, and what was read of the file. */
void chunk_count_begin(struct chunk_count *k);

/* Count one more event, of which the payload begins with its start.  False: no memory. */
bool chunk_count_add(struct chunk_count *k, uint64_t id, uint64_t size, struct cursor payload);

/*
 * Count the events of a chunk that is sound, to which its constants belong.  1: k->rows and
 * k->metadata are the chunk's; 0: it is not sound, and k->rows mean nothing; -1: *err is set.
 */
int chunk_count_sound(struct chunk_count *k, const struct extent *x, struct jfrec_error *err);

void chunk_count_fini(struct chunk_count *k);

#endif
