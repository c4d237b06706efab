/* SPDX-License-Identifier: MIT */
/*
 * tape.c - decoded events of a chunk that wait for their turn
 */
#include "analyze/tape.h"

#include <stdlib.h>

#include "format/plan.h"

/* 256 KiB, of which a thread has 8 MiB: about a hundred thousand events. */
#define BLOCK_WORDS    32768
#define BLOCKS_OF_JOB  32
#define WORD	       sizeof(uint64_t)
#define HEAD_WORDS     (sizeof(struct taped) / WORD)

_Static_assert(sizeof(struct taped) % WORD == 0, "slots follow it");
_Static_assert(HEAD_WORDS + PLAN_MAX_STEPS <= BLOCK_WORDS, "a block has room for any event");

struct tape_block {
	struct tape_block *next;
	uint32_t used;
	uint64_t words[BLOCK_WORDS];
};

void tape_stock_init(struct tape_stock *s, unsigned jobs)
{
	atomic_init(&s->left, jobs > 1 ? (long)jobs * BLOCKS_OF_JOB : 0);
}

static struct tape_block *block_new(struct tape_stock *s)
{
	struct tape_block *b = NULL;

	if (atomic_fetch_sub(&s->left, 1) > 0)
		b = malloc(sizeof(*b));
	if (!b) {
		atomic_fetch_add(&s->left, 1);
		return NULL;
	}
	b->next = NULL;
	b->used = 0;
	return b;
}

/* Give back the block that was read first. */
static void drop_first(struct tape *t)
{
	struct tape_block *b = t->first;

	t->first = b->next;
	t->at = 0;
	free(b);
	atomic_fetch_add(&t->stock->left, 1);
}

bool tape_reserve(struct tape *t)
{
	struct tape_block *b = t->last;

	if (b && b->used + HEAD_WORDS + PLAN_MAX_STEPS <= BLOCK_WORDS)
		return true;
	b = block_new(t->stock);
	if (!b)
		return false;
	*(t->last ? &t->last->next : &t->first) = b;
	t->last = b;
	return true;
}

struct taped *tape_add(struct tape *t, unsigned slot_count)
{
	struct tape_block *b = t->last;
	struct taped *to = (struct taped *)&b->words[b->used];

	to->slot_count = (uint16_t)slot_count;
	b->used += (uint32_t)HEAD_WORDS + slot_count;
	return to;
}

const struct taped *tape_next(struct tape *t)
{
	const struct taped *next;

	if (t->first && t->at == t->first->used)
		drop_first(t);
	if (!t->first)
		return NULL;
	next = (const struct taped *)&t->first->words[t->at];
	t->at += (uint32_t)HEAD_WORDS + next->slot_count;
	return next;
}

void tape_fini(struct tape *t)
{
	while (t->first)
		drop_first(t);
}
