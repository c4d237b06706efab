/* SPDX-License-Identifier: MIT */
/*
 * chunk_riders.h - several who look at the chunks of a source ride in one pass
 *
 *	chunk --work() of each rider--> found of each --merge() of each, in the order of chunks-->
 *
 * So a chunk is read, and its metadata and constants are worked out, once for all of them.
 */
#ifndef JFREC_READ_CHUNK_RIDERS_H
#define JFREC_READ_CHUNK_RIDERS_H

#include "read/chunk_crew.h"

/* At most so many ride together. */
#define MAX_RIDERS 4

struct chunk_rider {
	/*
	 * work may be NULL, but not of the first: then the rider does all in merge(), where one
	 * works at a time.
	 */
	const struct chunk_work *how;
	void *ctx;
};

/*
 * As source_each_chunk(); the problems of the first rider are reported. When one of them fails, all
 * end.
 */
int source_each_chunk_of(struct chunk_source *s, struct chunk_task *first,
			 const struct chunk_rider *riders, size_t count, struct jfrec_error *err);

#endif
