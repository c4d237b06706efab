/* SPDX-License-Identifier: MIT */
/* jfrec/summary.h - counting events */
#ifndef JFREC_SUMMARY_H
#define JFREC_SUMMARY_H

#include "jfrec/reader.h"

JFREC_BEGIN_DECLS

struct jfrec_type_summary {
	uint64_t id;
	const char *name;  /* "jdk.CPULoad"; "123 (missing event metadata)" if undeclared */
	const char *label; /* or NULL */
	size_t name_width; /* of the name, in UTF-16 units as Java counts */
	uint64_t count;
	uint64_t bytes;
	/* Start of the first and the last by time, if count > 0; not with merge_ids. */
	int64_t first_ns, last_ns;
};

/* How many events of each type a recording has. */
struct jfrec_summary;

/*
 * Count the events of each type.  No event is decoded, and the recording is
 * read through a small window.
 *
 * Chunks of different JVMs may give one id to different types.  With merge_ids
 * all events of an id are counted for the type that had it first, as `jfr
 * summary` does; without, each id and name has a row of its own.
 *
 * Returns the summary, to be freed with
 * jfrec_summary_free(), or NULL with *err set (JFREC_EIO, JFREC_ENOMEM).
 * Damage is reported as problems.  The reader can then only be closed.
 */
struct jfrec_summary *jfrec_summarize(struct jfrec_reader *r, bool merge_ids,
				      struct jfrec_error *err);

/* How many chunks were read. */
size_t jfrec_summary_chunk_count(const struct jfrec_summary *s);

/* Chunk number i, in the order of the recording; NULL beyond the last. */
const struct jfrec_chunk_info *jfrec_summary_chunk_get(const struct jfrec_summary *s, size_t i);

/* How many types there are. */
size_t jfrec_summary_type_count(const struct jfrec_summary *s);

/* Type number i, by count, the greatest first, then by name; NULL beyond the last. */
const struct jfrec_type_summary *jfrec_summary_type_get(const struct jfrec_summary *s, size_t i);

/* The greatest .name_width of all event types that any chunk declares. */
size_t jfrec_summary_longest_name(const struct jfrec_summary *s);

/* Free what jfrec_summarize() returned. */
void jfrec_summary_free(struct jfrec_summary *s);

JFREC_END_DECLS

#endif
