/* SPDX-License-Identifier: MIT */
/*
 * recall.c - the stack of the thread that emits an event, if it was seen a moment ago
 *
 * Entries are read and written without locks, by signal handlers, too: a count of changes is odd
 * while one is written, and who finds it odd walks.  No fences: acquire and release order the rest.
 */
#include "recorder/stack/recall.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "recorder/stack/modules.h"

#define ENTRIES 256u /* a power of two */

static struct entry {
	_Atomic uint32_t changes, count, generation, uses_fp;
	_Atomic uint64_t pc, sp, fp, end, key;
	_Atomic uint32_t offsets[MOST_VISITED]; /* of the words, from sp */
	_Atomic uint64_t words[MOST_VISITED];
} entries[ENTRIES];

/* Two threads have different stack pointers. */
static struct entry *entry_of(const struct called_from *from)
{
	_Static_assert(ENTRIES == 1u << (64 - 56), "the hash is a place");
	return &entries[((from->pc ^ from->sp << 16) * 0x9e3779b97f4a7c15u) >> 56];
}

#define LOAD(x)	       atomic_load_explicit(&(x), memory_order_acquire)
#define STORE(x, value) atomic_store_explicit(&(x), value, memory_order_release)

/* Was the stack that the entry remembers walked with the same registers? */
static bool starts_alike(struct entry *e, const struct called_from *from, uint64_t end)
{
	return LOAD(e->pc) == from->pc && LOAD(e->sp) == from->sp && LOAD(e->end) == end &&
	       (!LOAD(e->uses_fp) || LOAD(e->fp) == from->fp) &&
	       LOAD(e->generation) == modules_generation();
}

/*
 * Words are read in the order of the walk.  As long as all are the same, a walk would read the next
 * one, too: so none is read that may not be there.
 */
uint64_t recall(const struct called_from *from, uint64_t end)
{
	struct entry *e = entry_of(from);
	uint32_t before = LOAD(e->changes), count;
	uint64_t key;

	if (before & 1 || !starts_alike(e, from, end))
		return 0;
	key = LOAD(e->key);
	count = LOAD(e->count);
	for (uint32_t i = 0; i < count && i < MOST_VISITED; i++) {
		uint32_t offset = LOAD(e->offsets[i]);
		uint64_t word = LOAD(e->words[i]);

		/* An offset that another thread has just written may lead off this stack. */
		if (LOAD(e->changes) != before || walk_word(from->sp + offset) != word)
			return 0;
	}
	return LOAD(e->changes) == before ? key : 0;
}

void recall_later(const struct called_from *from, uint64_t end, const struct visited *visited,
		  uint64_t key)
{
	struct entry *e = entry_of(from);
	uint32_t before = LOAD(e->changes);

	if (!key || visited->count > MOST_VISITED || before & 1 ||
	    !atomic_compare_exchange_strong(&e->changes, &before, before + 1))
		return;
	STORE(e->pc, from->pc);
	STORE(e->sp, from->sp);
	STORE(e->fp, from->fp);
	STORE(e->uses_fp, visited->uses_fp);
	STORE(e->end, end);
	STORE(e->generation, modules_generation());
	STORE(e->key, key);
	STORE(e->count, visited->count);
	for (uint32_t i = 0; i < visited->count; i++) {
		STORE(e->offsets[i], visited->offsets[i]);
		STORE(e->words[i], visited->words[i]);
	}
	STORE(e->changes, before + 2);
}
