/* SPDX-License-Identifier: MIT */
/*
 * flush.h - move events from the buffers into the chunk, and what they refer to
 */
#ifndef JFREC_RECORDER_CONTROL_FLUSH_H
#define JFREC_RECORDER_CONTROL_FLUSH_H

#include "recorder/files/chunk.h"
#include "recorder/ground/fail.h"

struct flush_counts {
	uint64_t written, damaged_bytes;
};

/* The next flush begins a new chunk: everything that is referred to is written again. */
void flush_new_chunk(void);

/* A flush has failed: the next one that does not tells it, and why. */
void flush_note_trouble(const char *message);

/* The process ends: the next flush tells that, in the name of this thread. */
void flush_note_shutdown(const char *reason);

/*
 * Flushes are of a process that is too short to look at its machine, its libraries and its load:
 * what it is and was is enough.
 */
void flush_be_brief(bool is_brief);

/*
 * Move what is in the buffers into the chunk and commit it: of the full ones the first `most`, of
 * those that are not full all, if no full one is left.  -1: nothing has changed, and the events are
 * still in the buffers.
 */
#define FLUSH_ALL UINT32_MAX
int flush_to(struct chunk *c, enum chunk_end end, uint32_t most, struct flush_counts *counts,
	     struct jfrec_recorder_error *err);

/* Has the last one left full buffers? */
bool flush_has_more(void);

#endif
