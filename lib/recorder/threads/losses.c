/* SPDX-License-Identifier: MIT */
/*
 * losses.c - how many events found no room
 */
#include "recorder/threads/losses.h"

#include "recorder/ground/memory.h"

/* After it has left the word where it was: so nobody sees it in both. */
static void add_for_all(uint32_t id, uint64_t count, uint64_t bytes)
{
	atomic_fetch_add_explicit(&region->lost[id], count, memory_order_release);
	atomic_fetch_add_explicit(&region->lost_bytes, bytes, memory_order_release);
}

static void add_word(uint64_t word)
{
	if (word)
		add_for_all(loss_type(word), loss_count(word), loss_bytes(word));
}

void losses_add(const struct writer *w, uint32_t id, size_t bytes)
{
	_Atomic uint64_t *at;
	uint64_t word;

	if (!w || thread.state != THREAD_ATTACHED) {
		add_for_all(id, 1, bytes);
		return;
	}
	at = &memory_row(thread.row)->losses[w == &thread.in_signal];
	word = atomic_load_explicit(at, memory_order_relaxed);
	if (loss_type(word) == id && loss_has_room(word, bytes)) {
		atomic_store_explicit(at, word + loss_of(0, 1, bytes), memory_order_relaxed);
		return;
	}
	atomic_store_explicit(at, loss_of(id, 1, bytes), memory_order_relaxed);
	add_word(word);
}

void losses_settle(struct thread_row *row)
{
	for (unsigned i = 0; i < 2; i++)
		add_word(atomic_exchange_explicit(&row->losses[i], 0, memory_order_relaxed));
}

static void add_row(struct losses *sums, struct thread_row *row)
{
	for (unsigned i = 0; i < 2; i++) {
		uint64_t word = atomic_load_explicit(&row->losses[i], memory_order_relaxed);

		sums->of[loss_type(word)] += loss_count(word);
		sums->bytes += loss_bytes(word);
	}
}

void losses_sum(struct losses *sums)
{
	uint32_t end = atomic_load(&region->fresh_row);

	/* First those for all: what moves there meanwhile is counted next time. */
	for (uint32_t id = 0; id < EVENT_TYPES; id++)
		sums->of[id] = atomic_load_explicit(&region->lost[id], memory_order_acquire);
	sums->bytes = atomic_load_explicit(&region->lost_bytes, memory_order_acquire);
	for (uint32_t i = 0; i < end && i < THREAD_ROWS; i++)
		add_row(sums, memory_row(i));
}
