/* SPDX-License-Identifier: MIT */
/* jfrec/chunk.h - the parts of a recording, and what can be wrong with them */
#ifndef JFREC_CHUNK_H
#define JFREC_CHUNK_H

#include "jfrec/base.h"

JFREC_BEGIN_DECLS

enum jfrec_chunk_state {
	JFREC_FINISHED = 0,   /* complete */
	JFREC_UNFINISHED = 1, /* its JVM still writes it, or was killed: good to the last flush */
	JFREC_TRUNCATED = 2,  /* the file ends before the chunk does */
};

/* The header of a chunk (jfrec-format(5)). */
struct jfrec_chunk_info {
	uint64_t offset; /* of the chunk in the input */
	uint64_t size;	 /* bytes that exist and belong to it */
	unsigned major, minor;
	int64_t start_ns;    /* since 1970, UTC */
	int64_t duration_ns; /* up to the last flush, if unfinished */
	int64_t start_ticks;
	int64_t ticks_per_second;
	int32_t utc_offset_s; /* of the JVM's time zone, summer time included; 0 without metadata */
	enum jfrec_chunk_state state;
	bool final; /* the JVM said that no other chunk follows */
};

/*
 * A problem that a reader found in a recording.
 *
 * Damage loses events or constants; a notice loses nothing that the producer
 * promised (a chunk that its JVM has not finished is read up to its last
 * flush).  Reading continues after both: with the next chunk, if necessary.
 */
struct jfrec_problem {
	bool damage;	   /* false: a notice */
	const char *input; /* the path of the file, as given or found in a directory */
	uint64_t offset;   /* byte in the input where it begins */
	uint64_t lost;	   /* bytes that could not be used; 0 where that has no meaning */
	/*
	 * When what is lost was recorded, in ns since 1970: from the last event before it to the
	 * first one after it. Both 0 if unknown.
	 */
	int64_t from_ns, to_ns;
	const char *text; /* one sentence; tells the times, too */
};

/* Called for a problem; *problem is valid during the call. */
typedef void jfrec_problem_fn(void *ctx, const struct jfrec_problem *problem);

JFREC_END_DECLS

#endif
