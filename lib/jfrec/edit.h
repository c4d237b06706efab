/* SPDX-License-Identifier: MIT */
/* jfrec/edit.h - rewriting recordings: filter, merge, split, repair */
#ifndef JFREC_EDIT_H
#define JFREC_EDIT_H

#include "jfrec/output.h"
#include "jfrec/reader.h"

JFREC_BEGIN_DECLS

/* What became of the events of one type. */
struct jfrec_edit_row {
	const char *name;
	uint64_t kept, kept_bytes;
	uint64_t dropped, dropped_bytes;
	uint64_t unreadable; /* their values do not match their size */
};

/* How a chunk came into the output. */
enum jfrec_fate {
	JFREC_COPIED = 0,    /* byte for byte */
	JFREC_COMPLETED = 1, /* with its header finished */
	JFREC_REWRITTEN = 2, /* its events, and the constants they need */
	JFREC_LOST = 3,	     /* not at all */
};

struct jfrec_repaired_chunk {
	const char *input; /* the file it came from, as in struct jfrec_problem */
	struct jfrec_chunk_info info;
	uint64_t promised; /* its size in bytes, according to its header */
	enum jfrec_fate fate;
	uint64_t events;	   /* in the output */
	int64_t first_ns, last_ns; /* when the first began and the last ended, if there are any */
};

/* What was repaired. */
struct jfrec_repaired;

/*
 * Write a recording that every reader accepts, with every event that r delivers.  Intact chunks are
 * copied unchanged.
 *
 * r should be opened with jfrec_open_options.rescue; afterwards it can only be closed.  Lost bytes
 * are reported as problems, with their number.  The caller commits the output.
 *
 * Returns what was done, to be freed with jfrec_repaired_free(), or NULL with *err set:
 * JFREC_EFORMAT if no event could be recovered, JFREC_EINVAL if the output would replace an input.
 */
struct jfrec_repaired *jfrec_write_repaired(struct jfrec_reader *r, struct jfrec_output *o,
					    struct jfrec_error *err);

/* How many chunks the inputs have. */
size_t jfrec_repaired_chunk_count(const struct jfrec_repaired *repair);

/* Chunk number i, in the order of the inputs; NULL beyond the last. */
const struct jfrec_repaired_chunk *jfrec_repaired_chunk_get(const struct jfrec_repaired *repair,
							    size_t i);

/* How many event types there are. */
size_t jfrec_repaired_row_count(const struct jfrec_repaired *repair);

/* Event type number i, by name, whose .dropped is 0; NULL beyond the last. */
const struct jfrec_edit_row *jfrec_repaired_row_get(const struct jfrec_repaired *repair, size_t i);

/* Free what jfrec_write_repaired() returned. */
void jfrec_repaired_free(struct jfrec_repaired *repair);

struct jfrec_filtered {
	uint64_t chunks_kept, chunks_removed;
	bool found; /* at least one event was selected, not only kept as context */
};

/*
 * Write a recording of the events that jfrec_reader_select(), _filter() and _where() selected in r
 * and that overlap the span of time (ns since 1970; NULL: no bound).  Their bytes are copied
 * unchanged, with the constants that they refer to and no others.  Chunks without such an event are
 * omitted, except for the first one.
 *
 * Afterwards r can only be closed.  The caller commits the output.  Damage is reported as problems,
 * and damaged events are not in the output.
 *
 * Returns what was done, to be freed with jfrec_filtered_free(), or NULL with
 * *err set: as jfrec_reader_next(); JFREC_EFORMAT if no chunk could be read;
 * JFREC_EOUTPUT; JFREC_EINVAL if the output would replace an input;
 * JFREC_ECANCELED.
 */
struct jfrec_filtered *jfrec_write_filtered(struct jfrec_reader *r, const int64_t *from_ns,
					    const int64_t *to_ns, struct jfrec_output *o,
					    struct jfrec_error *err);

/*
 * Make jfrec_write_filtered() also keep the events that describe the JVM (its version, arguments,
 * flags and properties, the machine, the settings in force), in each chunk that has a selected
 * event.
 */
void jfrec_reader_keep_context(struct jfrec_reader *r);

/* How many event types there are. */
size_t jfrec_filtered_row_count(const struct jfrec_filtered *f);

/* Event type number i, by name; NULL beyond the last. */
const struct jfrec_edit_row *jfrec_filtered_row_get(const struct jfrec_filtered *f, size_t i);

/* Free what jfrec_write_filtered() returned. */
void jfrec_filtered_free(struct jfrec_filtered *f);

/* The limits of each file; 0: none. */
struct jfrec_split_limits {
	size_t struct_size;
	uint64_t chunks, bytes, events;
	int64_t duration_ns;
};

/* What was written. */
struct jfrec_split {
	size_t files;
	uint64_t chunks, bytes; /* of all of them, before they are compressed */
};

/*
 * Open the output for file number `index` of `count`.  It belongs to the caller of
 * jfrec_write_split(), which seals it before it opens the next one.  NULL with *err set ends the
 * splitting.
 */
typedef struct jfrec_output *jfrec_split_fn(void *ctx, size_t index, size_t count,
					    struct jfrec_error *err);

/*
 * Copy the chunks of the recording to several files, in order.  Each file gets as many chunks as
 * the limits allow, but at least one.  The bytes are unchanged, so that the concatenated files are
 * the recording again.  The input is read twice: a pipe is stored first (jfrec_reader_spool()).
 * Afterwards r can only be closed.
 *
 * Returns what was done, to be freed with jfrec_split_free(), or NULL with *err set:
 * JFREC_EINVAL if an output would replace an input, JFREC_EOUTPUT, JFREC_EIO,
 * JFREC_ENOMEM, JFREC_ECANCELED, or what open() set.
 */
struct jfrec_split *jfrec_write_split(struct jfrec_reader *r,
				      const struct jfrec_split_limits *limits, jfrec_split_fn *open,
				      void *ctx, struct jfrec_error *err);

/* Free what jfrec_write_split() returned. */
void jfrec_split_free(struct jfrec_split *s);

struct jfrec_merge_options {
	size_t struct_size;
	/* Only events that touch this span, in ns since 1970; NULL: no bound. */
	const int64_t *from_ns, *to_ns;
	uint64_t max_size;  /* omit the oldest chunks beyond this many bytes; 0: none */
	int64_t max_age_ns; /* and those that ended this long before the last one; 0: none */
	bool plain;	    /* do not convert chunks of different JVMs */
	bool compact;	    /* combine many small chunks into few large ones */
};

struct jfrec_merged {
	uint64_t bytes; /* of all chunks of the inputs */
	size_t chunks;	/* of the inputs */
	size_t duplicates, left_out;
	size_t copied, completed, rewritten; /* finished, unfinished, damaged or cut by time */
	size_t packed;			     /* with other type ids or keys */
	size_t written;			     /* chunks in the output */
	uint64_t bytes_written;		     /* and their bytes, before they are compressed */
	size_t jvms;
};

/*
 * Write one recording of all inputs of r, with the chunks in the order of their start.  Duplicate
 * chunks are written once; unfinished chunks are completed.
 *
 * The JDK's tool uses the clock of the first chunk for all chunks, and reuses type ids and keys of
 * the previous chunk.  So if there are several inputs, the chunks of all JVMs but the first get
 * different ids, and times by the first JVM's clock; every reader then shows the right names and
 * times.
 *
 * Afterwards r can only be closed.  The caller commits the output.  Returns what was done, to be
 * freed with jfrec_merged_free(), or NULL with *err set: JFREC_EFORMAT if there is no chunk,
 * JFREC_ENOEVENT if no event is left to write, JFREC_EINVAL if the output would replace an input.
 */
struct jfrec_merged *jfrec_write_merged(struct jfrec_reader *r,
					const struct jfrec_merge_options *options,
					struct jfrec_output *o, struct jfrec_error *err);

/* Free what jfrec_write_merged() returned. */
void jfrec_merged_free(struct jfrec_merged *m);

JFREC_END_DECLS

#endif
