/* SPDX-License-Identifier: MIT */
/*
 * chunk_crew.h - several threads work on the chunks of a source
 *
 *	chunks --source_take()--> work(), by any thread --> found
 *	found --merge(), in the order of chunks--> result
 *
 * As many threads as jfrec_reader_set_jobs() allows: the caller's, and others that end before
 * source_each_chunk() returns.  All do the same: take a chunk, work on it, and merge what is ready.
 * Results are merged in the order of the chunks, one at a time, so the number of threads changes
 * only the time.
 */
#ifndef JFREC_READ_CHUNK_CREW_H
#define JFREC_READ_CHUNK_CREW_H

#include <pthread.h>

#include "read/chunk_task.h"

/* More threads than anybody has processors for reading. */
#define MAX_JOBS 64

struct chunk_work {
	/* Look at the chunk, alone; returns what it found, or NULL when memory is gone. */
	void *(*work)(void *ctx, struct chunk_task *task);
	/* Add what was found to the result.  0, or -1 with *err set. */
	int (*merge)(void *ctx, const struct chunk_task *task, void *found,
		     struct jfrec_error *err);
	/* Free what was found, merged or not; by any thread. */
	void (*drop)(void *ctx, void *found);
};

/*
 * Work on all chunks that are left; on `first` before them, if it is not NULL: a task that was
 * taken from the source, and is given back.  0, or -1 with *err set: as source_take(), as
 * merge(), JFREC_ENOMEM, or JFREC_ECANCELED if the caller wants it to stop.
 */
int source_each_chunk(struct chunk_source *s, struct chunk_task *first,
		      const struct chunk_work *how, void *ctx, struct jfrec_error *err);

/* A second look at all chunks, from the first one on: source_again(). */
struct second_look {
	jfrec_problem_fn *tell; /* NULL: problems are not reported */
	void *tell_ctx;
	bool filters;	    /* events pass as they did the first time */
	bool clock_by_file; /* recording.clock_by_file */
};

/* The same for such a look; while it filters, the source has entered no chunk. */
int source_each_chunk_again(struct chunk_source *s, const struct second_look *look,
			    const struct chunk_work *how, void *ctx, struct jfrec_error *err);

/* How many threads may read the source, the caller's included: up to MAX_JOBS. */
unsigned crew_jobs(const struct chunk_source *s);

/* Start a thread that no signal reaches but its own SIGBUS.  False: there is none. */
bool crew_start_thread(pthread_t *thread, void *(*run)(void *ctx), void *ctx);

#endif
