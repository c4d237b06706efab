/* SPDX-License-Identifier: MIT */
/*
 * region.h - the memory of events, laid out so that it can be read after a crash
 *
 *	struct region     what follows is where, and what is committed
 *	rows              struct thread_row: the threads of buffers
 *	slots             a hash table of texts: u32, 0 or the place of a struct text, in 8 bytes
 *	texts             struct text, each aligned to 8 bytes
 *	types             two places for an encoded metadata event
 *	big buffers       struct event_buffer of BIG_SIZE bytes
 *	buffers           the same of BUFFER_SIZE bytes
 *
 * It is a file on a tmpfs, mapped shared: when the process is killed, the file has what was emitted
 * until then.  Everything is native: a crash is read on the same machine.  Who reads it trusts
 * nothing: see lib/repository/crash_file.c.  The recorder holds a lock on the file (flock()) as
 * long as the process lives.
 *
 * What was flushed.  A buffer's events up to `flushed` are in chunks; the drainer has written those
 * up to `taken`, and commits them with the header of the chunk.  So, after a crash: if the header
 * of the chunk `chunk_path` says pending_size, all up to `taken` are in chunks, else all up to
 * `flushed`.  Between two flushes both are the same.  So it is with lost events: `telling` and
 * `told`.
 */
#ifndef JFREC_RECORDER_GROUND_REGION_H
#define JFREC_RECORDER_GROUND_REGION_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define REGION_MAGIC	"JFRECMEM"
#define REGION_VERSION	4u
#define BUFFER_SIZE	8192u
#define BIG_SIZE	65536u
#define BIG_COUNT	16u
#define BUFFER_HEADER	64u
#define BUFFER_ROOM	(BUFFER_SIZE - BUFFER_HEADER)
#define THREAD_ROWS	8192u
#define TEXT_SLOTS	16384u
#define TEXTS_SIZE	(1u << 20)
#define TYPES_SIZE	(256u << 10)
#define EVENT_TYPES	512u
#define THREAD_NAME	64u
#define REGION_PATH	1024u
/* Of a chunk. */
#define CHUNK_HEADER	68u

enum buffer_state { BUFFER_FREE, BUFFER_LEASED, BUFFER_FULL };
/* THREAD_SEEN: one that has emitted nothing, of which there are samples. */
enum thread_state { THREAD_FREE, THREAD_LIVE, THREAD_EXITED, THREAD_SEEN };

/* Ids in metadata: of events the recorder's own and then the program's, of the rest from 600. */
enum structure_type {
	TYPE_STRING = 609,
	TYPE_THREAD = 610,
	TYPE_THREAD_GROUP = 611,
	TYPE_STACK_TRACE,
	TYPE_STACK_FRAME,
	TYPE_METHOD,
	TYPE_CLASS,
	TYPE_SYMBOL,
	TYPE_FRAME_TYPE,
	TYPE_THREAD_STATE,
	TYPE_CLASS_LOADER,
	TYPE_PACKAGE = 660,
};
#define TYPE_FIRST_OF_PROGRAM 64u /* below are the recorder's own */
#define TYPE_LOSS	      3u /* jfrec.Loss: startTime, the name of the type, count */

struct event_buffer {
	_Atomic uint32_t pos;	  /* committed up to here; of the owner */
	_Atomic uint32_t flushed; /* of the drainer */
	_Atomic uint32_t taken;
	_Atomic uint32_t next; /* in a list: index + 1 */
	_Atomic uint32_t state;
	uint32_t index, size; /* size: of data */
	_Atomic uint32_t row; /* of its thread */
	_Atomic uint64_t key;
	uint8_t pad[BUFFER_HEADER - 40];
	uint8_t data[];
};

struct thread_row {
	_Atomic uint32_t state, next;
	_Atomic uint32_t tid, is_named;
	_Atomic uint64_t key; /* in the pool of threads; never used again */
	_Atomic uint64_t changes; /* odd: the name is being changed */
	_Atomic uint64_t name[THREAD_NAME / 8];
	_Atomic uint64_t since; /* ticks: when it was seen first */
	/*
	 * Where it waits: registers pc (0: it does not), sp, fp; of one that has exited [1] is
	 * when, or 0.
	 */
	_Atomic uint64_t wait[3];
	/* What its writers have lost of one type: see loss_of(). */
	_Alignas(64) _Atomic uint64_t losses[2];
};

/* The type of events, how many, and their bytes: 9, 23 and 32 bits. */
static inline uint64_t loss_of(uint32_t id, uint64_t count, uint64_t bytes)
{
	return (uint64_t)id << 55 | count << 32 | bytes;
}

static inline uint32_t loss_type(uint64_t word)
{
	return (uint32_t)(word >> 55);
}

static inline uint64_t loss_count(uint64_t word)
{
	return word >> 32 & 0x7fffff;
}

static inline uint64_t loss_bytes(uint64_t word)
{
	return (uint32_t)word;
}

/* For one more? */
static inline int loss_has_room(uint64_t word, uint64_t bytes)
{
	return loss_count(word) < 0x7fffff && loss_bytes(word) + bytes <= UINT32_MAX;
}

struct text {
	uint32_t hash, size;
	char bytes[];
};

/* Two places, so that one is whole at any time. */
struct types_place {
	_Atomic uint32_t size;
	uint8_t bytes[TYPES_SIZE - 4];
};

struct region {
	char magic[8];
	uint32_t version, header_size;
	uint64_t size;
	uint64_t time_ns; /* since 1970, at tick 0 */
	uint32_t pid, buffer_max;
	uint64_t rows_at, slots_at, texts_at, types_at, buffers_at, big_at;

	/* Of the drainer. */
	_Atomic uint64_t pending_size;
	_Atomic uint64_t told_bytes, telling_bytes;
	_Atomic uint32_t types_which; /* 0 or 1: the place that counts */
	char chunk_path[REGION_PATH];
	uint32_t keeps_repository; /* 1: the next process does not delete it */
	uint32_t is_settled; /* 1: all is in its file; a process that may deletes this */

	/* Of all, each where others do not write. */
	_Alignas(64) _Atomic uint64_t free_list; /* a tag against ABA, and index + 1 */
	_Alignas(64) _Atomic uint32_t full_list; /* pushed to by all, taken whole */
	_Atomic uint32_t full_count;
	_Alignas(64) _Atomic uint64_t free_big;
	_Alignas(64) _Atomic uint32_t fresh; /* buffers from here on were never used ... */
	_Atomic uint32_t limit;		     /* ... and may be, up to here */
	_Atomic uint32_t given;		     /* changes after buffers have become free */
	_Alignas(64) _Atomic uint64_t free_rows;
	_Atomic uint32_t fresh_row, row_limit, live_threads;
	_Atomic uint64_t last_key;
	_Alignas(64) _Atomic uint32_t texts_used, text_limit, texts_count;
	_Atomic uint64_t lost_bytes;
	/* Without those that are in rows yet. */
	_Alignas(64) _Atomic uint64_t lost[EVENT_TYPES];
	/* Of all, in chunks; and with those in the flush that is pending. */
	_Atomic uint64_t told[EVENT_TYPES], telling[EVENT_TYPES];
};

/* Where everything is, for so many buffers; what changes later is 0. */
static inline void region_lay_out(struct region *r, uint32_t buffers)
{
	memset(r, 0, sizeof(*r));
	r->version = REGION_VERSION;
	r->header_size = sizeof(*r);
	r->buffer_max = buffers;
	r->rows_at = (sizeof(*r) + 4095) & ~(uint64_t)4095;
	r->slots_at = r->rows_at + sizeof(struct thread_row) * THREAD_ROWS;
	r->texts_at = r->slots_at + sizeof(uint32_t) * TEXT_SLOTS;
	r->types_at = r->texts_at + TEXTS_SIZE;
	r->big_at = r->types_at + 2 * TYPES_SIZE;
	r->buffers_at = r->big_at + (uint64_t)BIG_COUNT * BIG_SIZE;
	r->size = r->buffers_at + (uint64_t)buffers * BUFFER_SIZE;
}

_Static_assert(sizeof(struct event_buffer) == BUFFER_HEADER, "a buffer's header has 64 bytes");
_Static_assert(sizeof(struct thread_row) == 192, "a row of a thread has 192 bytes");
_Static_assert(EVENT_TYPES <= 512, "a type has 9 bits");

#endif
