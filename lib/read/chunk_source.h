/* SPDX-License-Identifier: MIT */
/*
 * chunk_source.h - the chunks of a recording, for all that consumes them
 *
 * Printing, editing, streaming, cost and queries stand on this, and know nothing else of a reader:
 *
 *	source_next() --> struct chunk --> chunk_walk_next() --> source_passes() --> chunk_decode()
 *
 * Several consumers can share one pass: each is asked which types it wants, and gets what passes.
 * A chunk that source_next() gives belongs to the thread that asked for it.  For several threads
 * see chunk_task.h: there each chunk comes with a filter, room and problems of its own.
 */
#ifndef JFREC_READ_CHUNK_SOURCE_H
#define JFREC_READ_CHUNK_SOURCE_H

#include <stdatomic.h>

#include "format/recording.h"
#include "jfrec.h"
#include "read/event.h"

struct chunk_source;

/* The source of a reader, which lives as long as the reader. */
struct chunk_source *reader_source(struct jfrec_reader *r);

/* Chunks --------------------------------------------------------------------------------------- */

/*
 * Load the next chunk that can be read.  1: *chunk is a reference of the caller, and the filter
 * is about its events; 0: no more; -1: *err is set.
 */
int source_next(struct chunk_source *s, struct chunk **chunk, struct jfrec_error *err);

/*
 * Only find where the next one lies, whether it can be read or not; for those that load it
 * themselves, or copy it.  As source_next().
 */
int source_find(struct chunk_source *s, struct extent *x, struct jfrec_error *err);

/*
 * The files and their bytes, for those that copy chunks, find them (recording_next()) or load them
 * in an order of their own (recording_visit(), chunk_load()).
 */
struct recording *source_recording(struct chunk_source *s);

/*
 * A second look at the same chunks, from the first one on: recording_again().  It reports no
 * problems and has no filter.
 */
int source_again(const struct chunk_source *s, struct recording *again, struct jfrec_error *err);

/* Have a pipe stored, so that such looks can be had: jfrec_reader_spool(). */
int source_spool(struct chunk_source *s, struct jfrec_error *err);

/*
 * The types of a chunk of that second look: as its header says where they are, or, where these are
 * in doubt, as they turn out when it is loaded.  NULL if it cannot be read, or memory is gone.
 */
struct metadata *source_types_of(struct recording *again, const struct extent *x);

/*
 * Call fn() with the types of each chunk in turn, at least with those that chunks do not share with
 * the one before, without moving on in the source.  A name of an event type that was asked for and
 * none of them has is reported.  0, or -1 with *err set: as source_again(), or JFREC_ENOMEM if fn()
 * returns -1.
 */
int source_each_metadata(struct chunk_source *s, int (*fn)(void *ctx, const struct metadata *m),
			 void *ctx, struct jfrec_error *err);

/* Which events --------------------------------------------------------------------------------- */

/*
 * Have the filter be about the events of a chunk that did not come from source_next(), or that has
 * grown.  0, or -1 with *err set.
 */
int source_enter(struct chunk_source *s, const struct chunk *c, struct jfrec_error *err);

/* Is the type selected by its name and its category?  Filters on fields are not asked. */
bool source_names(const struct chunk_source *s, const struct jfrec_type *t);

/* Can the filter let events of this type pass, in the chunk at hand? */
bool source_selects(const struct chunk_source *s, const struct jfrec_type *t);

/* The same of all types, by their index; to be freed.  NULL when memory is gone. */
bool *source_selected(const struct chunk_source *s, const struct metadata *m);

/* Does the filter let all events of a selected type pass? */
bool source_passes_all(const struct chunk_source *s, const struct jfrec_type *t);

/*
 * Does the filter let the event pass?  Its type must be selected.  slots: room for those of its
 * type, not all of which are set.  One that cannot be decoded is noted, and does not pass.
 */
bool source_passes(struct chunk_source *s, struct chunk *c, const struct jfrec_type *t,
		   const struct raw_event *e, uint64_t *slots);

/*
 * The field whose values tell events apart, and whether these are frames; NULL: there is none. See
 * jfrec_during.label.
 */
const char *source_label_name(const struct chunk_source *s, bool *is_frame);

/* The label of the event that passed last, NO_LABEL (label_spans.h) if it has none; and its text.
 */
uint32_t source_label(const struct chunk_source *s);
const char *source_label_text(const struct chunk_source *s, uint32_t label);

/*
 * Note which of the names of event types that were asked for these types have.  With `tell`, report
 * those that none has had so far: "no event type is called ... as yet".
 */
void source_look_at_names(struct chunk_source *s, const struct metadata *m, bool tell);

/* jfrec_reader_keep_context() */
bool source_keeps_context(const struct chunk_source *s);

/* Problems ------------------------------------------------------------------------------------- */

/* Where problems of this recording are reported. */
struct problems *source_problems(struct chunk_source *s);

/* How many were reported, or would have been. */
uint64_t source_problem_count(const struct chunk_source *s);

/* What is reported from here on is neither passed on nor counted, until source_loud(). */
struct source_quiet {
	jfrec_problem_fn *fn;
	uint64_t damage, told;
};
struct source_quiet source_quiet(struct chunk_source *s);
void source_loud(struct chunk_source *s, const struct source_quiet *before);

/* The caller ----------------------------------------------------------------------------------- */

/* Set once the caller wants it to stop: jfrec_reader_stop(). */
const atomic_int *source_stop_flag(const struct chunk_source *s);

/* 0, or -1 with *err set if the caller wants it to stop: "interrupted". */
int source_check_stop(const struct chunk_source *s, struct jfrec_error *err);

/* Report how far reading has come, and how many events were dealt with. */
void source_progress(const struct chunk_source *s, uint64_t events);

/* The same for those that read in another order: of how many bytes how many are done. */
void source_progress_of(const struct chunk_source *s, uint64_t done, uint64_t total,
			uint64_t events);

/* Call `before` before each wait for more of a pipe; NULL: no more. */
void source_before_wait(struct chunk_source *s, void (*before)(void *ctx), void *ctx);

/* Room for one event at a time, of the thread that asks for chunks. */
struct event_room *source_room(struct chunk_source *s);

#endif
