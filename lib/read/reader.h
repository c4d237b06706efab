/* SPDX-License-Identifier: MIT */
/*
 * reader.h - the public reader: an iterator over events
 */
#ifndef JFREC_READ_READER_H
#define JFREC_READ_READER_H

#include <signal.h>

#include "format/chunk.h"
#include "format/recording.h"
#include "read/select.h"
#include "read/where.h"

struct jfrec_event {
	struct jfrec_reader *reader;
	struct chunk *chunk;
	struct jfrec_type *type;
	struct raw_event raw;
	uint64_t *slots; /* decoded */
};

struct jfrec_reader {
	struct recording recording;
	struct selection selection;
	bool keeps_context;   /* jfrec_write_filtered() */
	struct where *where;  /* or NULL */
	struct extent extent; /* of the current chunk */
	volatile sig_atomic_t stop;
	struct waiting waiting;
	jfrec_progress_fn *progress;
	void *progress_ctx;
	uint64_t total; /* recording_total(), for the progress */
	/* For jfrec_reader_next() */
	struct chunk *chunk;
	struct chunk_walk walk;
	bool *wanted; /* by the index of the type */
	struct jfrec_event event;
	struct arena scratch; /* what lives as long as the event */
	uint64_t slots[PLAN_MAX_STEPS];
	/* For jfrec_reader_types() */
	struct metadata **all_metadata;
	size_t metadata_count;
	const struct jfrec_type **types;
};

/* A reader of files that are open, which it then has; recording_open_files(). */
struct jfrec_reader *reader_of_files(const struct recording_file *files, size_t count,
				     struct jfrec_error *err);
/* A reader that has nothing to read yet.  NULL when memory is gone. */
struct jfrec_reader *reader_without_input(struct jfrec_error *err);

/*
 * Load the next chunk that can be read.  1: *chunk is a reference of the
 * caller; 0: no more; -1: *err is set.
 */
int reader_next_chunk(struct jfrec_reader *r, struct chunk **chunk, struct jfrec_error *err);

/* Can events of this type, of the chunk loaded last, be wanted? */
static inline bool reader_wants(const struct jfrec_reader *r, const struct jfrec_type *t)
{
	return selection_wants(&r->selection, t) && (!r->where || where_wants(r->where, t));
}

/*
 * Which types of the metadata of the chunk loaded last are wanted, by index; to
 * be freed.  NULL when memory is gone.
 */
bool *reader_wanted(const struct jfrec_reader *r, const struct metadata *m);

#endif
