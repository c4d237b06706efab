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

struct jfrec_summary {
	size_t chunk_count;
	struct jfrec_chunk_info *chunks;
	size_t type_count;
	struct jfrec_type_summary *types; /* by count, greatest first, then by name */
	size_t longest_name; /* the greatest name_width of all event types that any chunk declares
			      */
};

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

/* Free what jfrec_summarize() returned. */
void jfrec_summary_free(struct jfrec_summary *s);

JFREC_END_DECLS

#endif
