/* SPDX-License-Identifier: MIT */
/*
 * traces.c - stacks of events, each kept once
 *
 * A hash table without locks, as in interned_texts.c: a stack is written first, then its place is
 * put into a free slot.  The number of the slot is what events contain, so it is never given up.
 */
#include "recorder/stack/traces.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "recorder/stack/modules.h"
#include "recorder/stack/stacks.h"

#define SLOTS  65536u
#define PROBES 32u
#define WORDS  (2u << 20) /* addresses of all stacks, and a word for each stack */

struct tables {
	_Atomic uint32_t slots[SLOTS]; /* the place of a stack; 0: free */
	_Atomic uint32_t used;
	/* of a stack: hash, count and whether it is whole; then its addresses */
	uint64_t words[WORDS];
	/* The drainer's: the number in stacks.h, and whether this chunk has it. */
	uint32_t known[SLOTS];
	uint8_t is_needed[SLOTS];
};

static struct tables *tables;
static bool is_of_parent;

void traces_open(void)
{
	void *p;

	if (tables && is_of_parent)
		memset(tables->known, 0, sizeof(tables->known));
	is_of_parent = false;
	if (tables)
		return;
	p = mmap(NULL, sizeof(*tables), PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	tables = p == MAP_FAILED ? NULL : p;
}

static uint64_t head_of(const struct frames *f)
{
	uint64_t hash = f->count;

	/* Each step is short, since the next one waits for it. */
	for (unsigned i = 0; i < f->count; i++)
		hash = (hash << 7 | hash >> 57) ^ f->pc[i];
	hash *= 0x9e3779b97f4a7c15u;
	hash ^= hash >> 29;
	return (hash & ~(uint64_t)0xff) | (uint64_t)f->count | (uint64_t)f->is_whole << 7;
}

static bool is_same(uint32_t place, uint64_t head, const struct frames *f)
{
	const uint64_t *words = tables->words + place;

	return words[0] == head && !memcmp(words + 1, f->pc, f->count * sizeof(*words));
}

/* Its place, or 0: all is full. */
static uint32_t store(uint64_t head, const struct frames *f)
{
	uint32_t used = atomic_load_explicit(&tables->used, memory_order_relaxed), place;

	do {
		place = used ? used : 1;
		if (f->count + 1 > WORDS - place)
			return 0;
	} while (!atomic_compare_exchange_weak(&tables->used, &used, place + f->count + 1));
	tables->words[place] = head;
	for (unsigned i = 0; i < f->count; i++)
		tables->words[place + 1 + i] = f->pc[i];
	return place;
}

uint64_t traces_add(const struct frames *f)
{
	uint32_t place = 0, found;
	uint64_t head;

	if (!tables || !f->count)
		return 0;
	head = head_of(f);
	for (uint32_t i = 0; i < PROBES; i++) {
		uint32_t slot = (uint32_t)(head >> 32) + i;

		slot %= SLOTS;
		found = atomic_load_explicit(&tables->slots[slot], memory_order_acquire);
		if (!found) {
			if (!place)
				place = store(head, f);
			if (!place)
				return 0;
			if (atomic_compare_exchange_strong(&tables->slots[slot], &found, place))
				return stacks_key_of_trace(slot);
		}
		if (is_same(found, head, f))
			return stacks_key_of_trace(slot);
	}
	return 0;
}

void traces_forget(void)
{
	is_of_parent = true;
}

void traces_new_chunk(void)
{
	if (tables && atomic_load(&tables->used))
		memset(tables->is_needed, 0, sizeof(tables->is_needed));
}

/* Give it to stacks.h.  Its number there. */
static uint32_t hand_over(uint32_t place, uint32_t count)
{
	const uint64_t *pc = tables->words + place + 1, *end = pc + count;
	struct frames f = { .is_whole = tables->words[place] >> 7 & 1 };

	/* What the program has called is read(), not what read() does here. */
	while (pc < end && modules_is_wrapper(*pc))
		pc++;
	while (pc < end)
		f.pc[f.count++] = *pc++;
	return stacks_add(&f);
}

static void need(uint32_t slot, uint64_t key)
{
	uint32_t place = atomic_load_explicit(&tables->slots[slot], memory_order_acquire), count;

	if (!place)
		return;
	count = tables->words[place] & 0x7f;
	if (!tables->known[slot] && count <= UNWIND_FRAMES)
		tables->known[slot] = hand_over(place, count);
	tables->is_needed[slot] = 1;
	stacks_need_as(tables->known[slot], key);
}

void traces_need(uint64_t key)
{
	uint32_t slot;

	if (tables && stacks_is_trace(key, SLOTS, &slot) && !tables->is_needed[slot])
		need(slot, key);
}

uint32_t traces_stack(uint64_t key)
{
	uint32_t slot;

	return tables && stacks_is_trace(key, SLOTS, &slot) ? tables->known[slot] : 0;
}
