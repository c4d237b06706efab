/* SPDX-License-Identifier: MIT */
/*
 * lives.c - events of threads that begin and end
 *
 * A thread begins here when the recorder sees it first: at its first event, or when it is sampled.
 * It does not emit these itself, since it may be in the middle of another event.
 */
#include "recorder/observe/lives.h"

#include <stdbool.h>
#include <string.h>

#include "recorder/ground/memory.h"
#include "recorder/types/types.h"

static struct {
	uint32_t pid;		    /* a child of fork() has other threads */
	uint64_t told[THREAD_ROWS]; /* the keys of those that were told */
	uint8_t is_new[THREAD_ROWS];
} at;

static void tell_start(struct bytes *b, uint64_t ticks, uint64_t key)
{
	size_t event = bytes_begin(b, TYPE_THREAD_START);

	bytes_varint(b, ticks);
	bytes_varint(b, key);
	bytes_varint(b, 0);
	bytes_varint(b, key);
	/* Who made it is not known. */
	bytes_varint(b, 0);
	bytes_end(b, event);
}

static void tell_end(struct bytes *b, uint64_t ticks, uint64_t key)
{
	size_t event = bytes_begin(b, TYPE_THREAD_END);

	bytes_varint(b, ticks);
	bytes_varint(b, key);
	bytes_varint(b, key);
	bytes_end(b, event);
}

void lives_tell(struct bytes *b, const uint8_t *exited, need_thread *need)
{
	bool starts = types_is_wanted(TYPE_THREAD_START), ends = types_is_wanted(TYPE_THREAD_END);
	uint32_t end = atomic_load(&region->fresh_row);

	if (at.pid && at.pid != region->pid)
		memset(&at, 0, sizeof(at));
	at.pid = region->pid;
	for (uint32_t i = 0; i < end && i < THREAD_ROWS; i++) {
		struct thread_row *row = memory_row(i);
		uint64_t key, until;

		if (atomic_load_explicit(&row->state, memory_order_acquire) == THREAD_FREE)
			continue;
		key = atomic_load(&row->key);
		/* What ended without a word has no time at which it did. */
		until = exited[i] ? atomic_load(&row->wait[1]) : 0;
		if (at.told[i] != key && starts)
			tell_start(b, atomic_load(&row->since), key);
		if (until && ends)
			tell_end(b, until, key);
		if ((at.told[i] != key && starts) || (until && ends))
			need(i, key);
		at.is_new[i] = at.told[i] != key;
		at.told[i] = key;
	}
}

void lives_undo(void)
{
	for (uint32_t i = 0; i < THREAD_ROWS; i++)
		if (at.is_new[i])
			at.told[i] = 0;
	lives_settle();
}

void lives_settle(void)
{
	memset(at.is_new, 0, sizeof(at.is_new));
}
