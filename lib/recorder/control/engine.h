/* SPDX-License-Identifier: MIT */
/*
 * engine.h - what records: region, chunk, repository, and the thread that flushes
 *
 * It runs while there is a recording.  One lock covers the chunk, the repository and the
 * recordings. It is held while chunks are written, so nothing that emits events takes it, nor does
 * fork().
 */
#ifndef JFREC_RECORDER_CONTROL_ENGINE_H
#define JFREC_RECORDER_CONTROL_ENGINE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "recorder/files/chunk.h"
#include "recorder/files/repository.h"
#include "recorder/ground/fail.h"

#define SECOND_NS 1000000000u

/* The process ends, though a disk hangs. */
#define PATIENCE_NS (5ull * SECOND_NS)

struct engine_options {
	const char *repository; /* NULL: in /tmp */
	uint64_t max_chunk, memory_size; /* 0: the default */
	bool keep_repository;
	bool blocks; /* threads wait for a free buffer */
};

void engine_lock(void);
void engine_unlock(void);
bool engine_lock_with_patience(void);

/* The same for another lock. */
bool lock_with_patience(pthread_mutex_t *lock);

/* What follows is under the lock, but where it says otherwise. */

bool engine_is_running(void);

/* For the next start.  -1: no memory, or a size that cannot be. */
int engine_configure(const struct engine_options *options, struct jfrec_recorder_error *err);

/* Begin, with the recordings that there are.  -1: nothing runs. */
int engine_start(struct jfrec_recorder_error *err);

/* Write what was emitted; finish the chunk, too.  After that the next flush begins another one. */
int engine_flush(struct jfrec_recorder_error *err);
int engine_finish_chunk(enum chunk_end end, struct jfrec_recorder_error *err);

/* Where the last chunk ended, or now: nanoseconds since 1970. */
uint64_t engine_boundary_ns(void);

struct repository *engine_repository(void);
bool engine_keeps_repository(void);

/* Has there been a flush, and is there a repository?  Both come some time after the start. */
bool engine_has_written(void);
bool engine_has_files(void);

/* Without the lock: a thread is about to give up what may be needed to make a repository. */
void engine_make_files(void);

/*
 * Write what was recorded to a file, where there is no repository.  False: it is still in the
 * buffers. *err is set also if it is in a file of another name.
 */
bool engine_write_to(const char *path, struct jfrec_recorder_error *err);

/* Only the thread that has the lock still writes. */
void engine_halt(void);

/* All events are in chunks: what was for a crash is not needed. */
void engine_settle(void);

/* After that: forget what there is, and delete it unless it shall stay. */
void engine_close(bool keep);

/* The stats that are its own. */
void engine_count(struct jfrec_recorder_stats *stats);

/* Is this the process that the region belongs to? */
bool engine_is_here(void);

/* What its thread has to do besides, some milliseconds after the start and without the lock. */
void engine_set_listen(void (*too)(void));

/* What a child of fork() has to do besides. */
void engine_set_fork_handler(void (*in_child)(void));

/*
 * Children of fork() keep what they emit, in memory, until engine_start(), which the caller has to
 * call in the child.  engine_goes_on(): is this such a child, that has not started yet?
 */
void engine_follow_forks(void);
bool engine_goes_on(void);

/* It cannot start. */
void engine_give_up(void);

/* Nanoseconds of CLOCK_MONOTONIC. */
uint64_t engine_monotonic_ns(void);

#endif
