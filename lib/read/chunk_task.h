/* SPDX-License-Identifier: MIT */
/*
 * chunk_task.h - a chunk with all that a thread needs to work on it alone
 *
 * One thread takes tasks from the source and gives them back; between that any other thread can
 * work on each, at the same time as others on theirs:
 *
 *	source_take() --> task --> a thread: walk, filter, decode --> partial result
 *	                  source_give_back() <-- merge, in the order of .number
 *
 * What tasks share is only read: the recording's bytes, and metadata, whose plans are all made
 * before a task is handed out if jfrec_reader_set_jobs() allows more than one thread.  Problems
 * that a task meets wait in it and are reported when it is given back, so that the number of
 * threads changes neither what is reported nor in which order.
 */
#ifndef JFREC_READ_CHUNK_TASK_H
#define JFREC_READ_CHUNK_TASK_H

#include "read/chunk_source.h"

struct chunk_task {
	struct chunk *chunk;
	uint64_t number; /* 0 is the first */
	bool has_failed; /* what comes after it is not reported */
	uint64_t events; /* that were looked at, as who works on it counts them: for the progress */
	/*
	 * The source as this thread sees it, for source_selects(), source_selected(),
	 * source_passes(), source_passes_all(), source_stop_flag(), source_check_stop() and
	 * source_room(), and for nothing else.
	 */
	struct chunk_source *source;
};

/*
 * Load the next chunk that can be read.  1: *task is the caller's, to be given back; 0: no more;
 * -1: *err is set.  Chunks stay in memory until they are given back.
 */
int source_take(struct chunk_source *s, struct chunk_task **task, struct jfrec_error *err);

/* The number that the next task will have. */
uint64_t source_next_number(const struct chunk_source *s);

/*
 * Report the task's problems and free it; to be called in the order of the tasks, also after a
 * failure.  0, or -1 with *err set if memory was gone while events were filtered: then some are
 * missing.
 */
int source_give_back(struct chunk_source *s, struct chunk_task *task, struct jfrec_error *err);

#endif
