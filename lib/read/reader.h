/* SPDX-License-Identifier: MIT */
/*
 * reader.h - the public reader: an iterator over events
 *
 * Only lib/read knows what is in it; everything else stands on chunk_source.h.
 */
#ifndef JFREC_READ_READER_H
#define JFREC_READ_READER_H

#include "format/problem_log.h"
#include "read/chunk_overlaps.h"
#include "read/chunk_source.h"
#include "read/during.h"
#include "read/select.h"
#include "read/types.h"
#include "read/where.h"

struct chunk_source {
	struct recording recording;
	struct selection selection;
	struct where *where; /* or NULL */
	struct during *during; /* or NULL: of a reader, whose tasks and second looks ask it */
	struct during_view view; /* of the chunk that was entered */
	bool keeps_context;  /* jfrec_write_filtered() */
	bool tells_overlaps; /* jfrec_reader_tell_overlaps() */
	struct chunk_overlaps overlaps;
	struct extent extent; /* of the current chunk */
	atomic_int stop;
	struct waiting waiting;
	jfrec_progress_fn *progress;
	void *progress_ctx;
	uint64_t total; /* recording_total(), for the progress */
	struct event_room room;
	/* For chunk_task.h */
	unsigned jobs; /* jfrec_reader_set_jobs() */
	/* Of a task the source it was taken from; of a second look the one that is looked at. */
	const struct chunk_source *task_of;
	bool is_second; /* such a look, in which chunks are not measured */
	uint64_t task_count;		    /* taken so far */
	unsigned tasks_out;		    /* not given back */
	bool has_no_more;
	bool has_failed; /* a task did */
	struct problem_log end_log; /* to be reported after what is in the last task */
};

struct jfrec_reader {
	struct chunk_source source;
	/* For jfrec_reader_next() */
	struct chunk *chunk;
	struct chunk_walk walk;
	bool *selected; /* by the index of the type */
	struct jfrec_event event;
	/* For jfrec_reader_types() */
	struct metadata **all_metadata;
	size_t metadata_count;
	struct jfrec_types types;
};

/* Note when a chunk was recorded, and report, once all are noted, that some overlap. */
void source_note_span(struct chunk_source *s, const struct metadata *m,
		      const struct jfrec_chunk_info *info);
void source_tell_overlaps(struct chunk_source *s);

#endif
