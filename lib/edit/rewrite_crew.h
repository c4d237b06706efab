/* SPDX-License-Identifier: MIT */
/*
 * rewrite_crew.h - several threads write chunks again
 *
 *	chunk --by any thread--> bytes --in the order of chunks--> output
 *
 * The chunk whose turn it is goes straight into the output; the others wait in memory, of which
 * there is a limit for each thread: beyond it a thread waits for its turn.  So with one thread, and
 * of the largest chunks, nothing waits in memory.
 */
#ifndef JFREC_EDIT_REWRITE_CREW_H
#define JFREC_EDIT_REWRITE_CREW_H

#include "edit/rewrite.h"
#include "read/chunk_crew.h"

/* A chunk that is written again, and what became of it. */
struct rewritten {
	/* For rewrite_chunk(): */
	struct chunk_writer writer;
	struct jfrec_output *out; /* NULL: it waits in the writer */
	struct tally tally;
	bool is_first;
	/* What it returned. */
	int written;
	struct jfrec_error err;
	/* Whatever else is to be merged; freed by rewrite_work.drop(). */
	bool found;
	void *more;
	uint64_t reserved; /* of the memory for what waits */
};

struct rewrite_work {
	/* Write the task's chunk by rewrite_chunk(), alone; returns what that does. */
	int (*chunk)(void *ctx, struct chunk_task *task, struct rewritten *r,
		     struct jfrec_error *err);
	/* Add what became of a chunk to the result, in the order of chunks.  0, or -1, *err set. */
	int (*merge)(void *ctx, struct rewritten *r, struct jfrec_error *err);
	/* Free r->more; may be NULL. */
	void (*drop)(void *ctx, struct rewritten *r);
};

/*
 * Write all chunks that are left, by as many threads as jfrec_reader_set_jobs() allows.  0, or -1
 * with *err set, as source_each_chunk(), or as what writes and merges them.
 */
int rewrite_all(struct chunk_source *s, struct jfrec_output *out, const struct rewrite_work *how,
		void *ctx, struct jfrec_error *err);

#endif
