/* SPDX-License-Identifier: MIT */
/*
 * walk.c - the stack of the thread that emits an event
 *
 * By the same tables as samples, but of the live stack, and fast: what the tables say about a
 * return address is remembered in one word.  Entries of the memory are pairs of words that are
 * written without a lock; the first is the address, mixed with the second, so that halves of two
 * entries are seen as none.
 */
#include "recorder/stack/walk.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/auxv.h>

#include "recorder/stack/modules.h"

#define KNOWN	 8192u /* a power of two */
#define MACHINES 8u
#define LARGEST	 ((uint64_t)64 << 20) /* stack on which every address up to its end is believed */
#define PAGE	 ((uint64_t)4096)
#define MOST_WALKS 1000

/*
 * A rule in a word: 2 bits kind, 1 is_from_fp, 20 cfa, 13 pc and 20 fp, the two in words; 8
 * generation.
 */
static struct known {
	_Atomic uint64_t mixed, rule;
} known[KNOWN];

static struct {
	_Atomic bool is_taken;
	struct unwind_machine machine;
} machines[MACHINES];

static uint64_t pack(const struct plain_rule *r, uint32_t generation)
{
	if (r->cfa % 8 || r->pc % 8 || r->fp % 8 || r->pc / 8 >= 1u << 13)
		return (uint64_t)(generation & 0xff) << 56;
	return (uint64_t)r->kind | (uint64_t)r->is_from_fp << 2 | (uint64_t)(r->cfa / 8) << 3 |
	       (uint64_t)(r->pc / 8) << 20 | (uint64_t)(r->fp / 8) << 33 |
	       (uint64_t)(generation & 0xff) << 56;
}

/*
 * All machines taken, by other threads or by what this handler has interrupted: it is not known
 * now.
 */
static uint64_t work_out(uint64_t pc, struct known *place, uint32_t generation)
{
	const struct frame_tables *t = modules_find_tables(NULL, pc);
	struct plain_rule rule = { .kind = PLAIN_UNKNOWN };
	uint64_t packed;
	unsigned i = 0;

	while (i < MACHINES &&
	       atomic_exchange_explicit(&machines[i].is_taken, true, memory_order_acquire))
		i++;
	if (i == MACHINES || !t) {
		if (i < MACHINES)
			atomic_store_explicit(&machines[i].is_taken, false, memory_order_release);
		return 0;
	}
	unwind_plain(t, pc, &machines[i].machine, &rule);
	atomic_store_explicit(&machines[i].is_taken, false, memory_order_release);
	packed = pack(&rule, generation);
	atomic_store_explicit(&place->rule, packed, memory_order_relaxed);
	atomic_store_explicit(&place->mixed, pc ^ packed, memory_order_relaxed);
	return packed;
}

static inline uint64_t rule_for(uint64_t pc, uint32_t generation)
{
	struct known *place = &known[(pc * 0x9e3779b97f4a7c15u) >> 51];
	uint64_t rule = atomic_load_explicit(&place->rule, memory_order_relaxed);

	_Static_assert(KNOWN == 1u << (64 - 51), "the hash is a place");
	if ((atomic_load_explicit(&place->mixed, memory_order_relaxed) ^ rule) == pc &&
	    rule >> 56 == (generation & 0xff))
		return rule;
	return work_out(pc, place, generation);
}

static inline void note(struct visited *v, const struct called_from *from, uint64_t address,
			uint64_t word)
{
	if (v->count < MOST_VISITED) {
		v->offsets[v->count] = (uint32_t)(address - from->sp);
		v->words[v->count] = word;
	}
	v->count++;
}

uint64_t walk_end_of_stack(bool is_main)
{
	/*
	 * The kernel's random bytes lie above all frames; descriptors of threads end their stacks.
	 */
	return is_main ? (uint64_t)getauxval(AT_RANDOM) : (uint64_t)(uintptr_t)pthread_self();
}

__attribute__((no_sanitize("address", "thread"))) void walk(const struct called_from *from,
							    uint64_t end, struct frames *frames,
							    struct visited *visited)
{
	uint64_t pc = from->pc, sp = from->sp, fp = from->fp, fp_at = 0; /* 0: in the register */
	uint32_t generation = modules_generation();
	unsigned count = 0;

	frames->is_cut = frames->is_whole = false;
	visited->count = 0;
	visited->uses_fp = false;
	/*
	 * Another stack, of a coroutine or of signals: what is sure to be there is the rest of its
	 * page.
	 */
	if (sp >= end || end - sp > LARGEST)
		end = (sp | (PAGE - 1)) + 1;
	while (count < UNWIND_FRAMES) {
		uint64_t rule, cfa, at;

		if (!pc) {
			frames->is_whole = true;
			break;
		}
		frames->pc[count++] = pc - 1;
		rule = rule_for(pc - 1, generation);
		if ((rule & 3) != PLAIN_FRAME) {
			frames->is_whole = (rule & 3) == PLAIN_OUTERMOST;
			if (!rule)
				visited->count = MOST_VISITED + 1;
			break;
		}
		/* Noted only now: most saved frame pointers are never used, and hold anything. */
		if (rule & 4 && fp_at)
			note(visited, from, fp_at, fp);
		visited->uses_fp |= rule & 4 && !fp_at;
		cfa = (rule & 4 ? fp : sp) + (rule >> 3 & 0x1ffff) * 8;
		at = cfa - (rule >> 20 & 0x1fff) * 8;
		/* Callers are above. */
		if (cfa <= sp || cfa > end || at < sp || at > end - 8 || at % 8)
			break;
		pc = walk_word(at);
		note(visited, from, at, pc);
		pc = unwind_without_signature(pc);
		if (rule >> 33 & 0x1ffff) {
			fp_at = cfa - (rule >> 33 & 0x1ffff) * 8;
			if (fp_at < sp || fp_at > end - 8)
				break;
			fp = walk_word(fp_at);
		}
		sp = cfa;
	}
	frames->count = count;
	visited->rest = (struct called_from){ pc, sp, fp };
}

bool walk_is_whole(struct called_from from, uint64_t end)
{
	struct frames frames NOT_CLEARED;
	struct visited visited NOT_CLEARED;

	for (int i = 0; i < MOST_WALKS; i++) {
		walk(&from, end, &frames, &visited);
		if (frames.is_whole)
			return true;
		if (frames.count < UNWIND_FRAMES)
			break;
		from = visited.rest;
	}
	return false;
}
