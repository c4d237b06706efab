/* SPDX-License-Identifier: MIT */
/*
 * memory.h - map the region, and hand out its buffers without locks
 *
 * Buffers are exchanged, not copied: a thread gives up a full one and takes a free one.  The owner
 * of a buffer never waits, and reads nothing that others write in it.
 */
#ifndef JFREC_RECORDER_GROUND_MEMORY_H
#define JFREC_RECORDER_GROUND_MEMORY_H

#include <stdbool.h>

#include "recorder/ground/fail.h"
#include "recorder/ground/held.h"
#include "recorder/ground/region.h"

/* Does it belong to this process, and not to the one that it was forked from?  No system call. */
bool memory_is_here(void);

/* NULL until the first start.  Never unmapped: events may be in it at any time. */
extern struct region *region;

/*
 * What this process recorded before it executed another program: the path of its last chunk, and
 * whether its repository is to be kept.  False: there is nothing.  The next memory_open() replaces
 * it.
 */
bool memory_find_former(char chunk[REGION_PATH], bool *keep);

/*
 * Map it, with memory_size bytes of buffers.  In a file it outlives a crash.  To find space for all
 * of them takes milliseconds; small: there is some for the first buffers, until
 * memory_reserve_all().
 */
enum memory_kind { MEMORY_PRIVATE, MEMORY_FILE, MEMORY_FILE_SMALL };
int memory_open(uint64_t memory_size, enum memory_kind kind, struct jfrec_recorder_error *err);

/* Is it small?  Then make it what it is to be; where there is no room for it, of private memory. */
bool memory_is_small(void);
void memory_reserve_all(void);

/* Has it more than the first rows and buffers: texts, types, large buffers? */
bool memory_is_whole(void);

/* What killed processes of this user have left takes memory until it is removed. */
void memory_remove_forgotten(void);

/* Where files are memory; NULL: there is no such place. */
const char *memory_folder(void);

/* The file that holds it, or NULL: private memory. */
const char *memory_path(void);

/* Remove its file, which is no longer needed; what is mapped stays. */
void memory_unlink(void);

/*
 * The process ends, and its events are written.  If its file could not be removed, since it belongs
 * to the user that this process was, give back what it takes; settled: say that its repository is
 * not needed either.
 */
void memory_retire(bool settled);

/*
 * What processes of this user have left that said so: the path of a chunk of the repository, and
 * the process it was.  The memory is removed.  False: there is no other.
 */
bool memory_find_settled(char chunk[REGION_PATH], uint32_t *pid);

/*
 * By a handler of a signal, of a process that ends: nothing is in its file, which is small, and it
 * is removed.
 */
void memory_drop_small(void);

/* Before another start: a file again, with what is mapped, if there is room for one. */
void memory_keep_again(void);

/*
 * In the child of a fork(): put private memory in its place, so that the parent's is not touched.
 */
void memory_leave(void);

/* By the drainer: allow as many buffers as the threads need. */
void memory_grow(void);

static inline void *memory_at(uint64_t offset)
{
	return (char *)region + offset;
}

static inline struct event_buffer *memory_buffer(uint32_t index)
{
	if (index < region->buffer_max)
		return memory_at(region->buffers_at + (uint64_t)index * BUFFER_SIZE);
	return memory_at(region->big_at + (uint64_t)(index - region->buffer_max) * BIG_SIZE);
}

static inline struct thread_row *memory_row(uint32_t index)
{
	return (struct thread_row *)memory_at(region->rows_at) + index;
}

static inline struct types_place *memory_types(uint32_t which)
{
	return (struct types_place *)memory_at(region->types_at) + which;
}

/* A free buffer, or NULL; need: bytes of one event. */
struct event_buffer *buffer_take(size_t need);

/* Another number when that may be worth another try; never 0. */
static inline uint32_t buffers_given(void)
{
	return atomic_load_explicit(&region->given, memory_order_acquire) | 1;
}
void buffers_give(void);

/*
 * After that was NULL: with memory_block(true), one that is free within a second; else NULL again.
 */
struct event_buffer *buffer_wait(size_t need);
void memory_block(bool on);

/* The owner is done with it. */
void buffer_push_full(struct event_buffer *b);

/* By the drainer: all that are full, the last one first; index + 1, 0: none. */
uint32_t buffer_take_full(void);

/* By the drainer: everything in it is in a chunk. */
void buffer_recycle(struct event_buffer *b);

/* A row for a thread, or NULL; and back. */
struct thread_row *row_take(void);
void row_free(struct thread_row *row);

/*
 * So many full buffers are worth a flush before it is due; and one takes no more, so that they are
 * soon empty again.  Are there so many?
 */
uint32_t memory_round(void);
bool memory_is_pressed(void);

/* Is more than half of the memory full? */
bool memory_is_short(void);

/*
 * How often it looks.  Two processors fill a byte in a nanosecond or so: a quarter of the buffers
 * between two looks if some have just been filled, else all.
 */
uint64_t memory_look_ns(bool is_busy);

#endif
