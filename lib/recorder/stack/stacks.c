/* SPDX-License-Identifier: MIT */
/*
 * stacks.c - stacks of samples, each kept once, and the names of their functions
 *
 * They are kept as long as the process, up to a limit: programs have few different ones.
 */
#include "recorder/stack/stacks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/ground/region.h"
#include "recorder/stack/modules.h"
#include "recorder/types/types.h"

#define MOST_STACKS    200000u
#define MOST_FUNCTIONS 100000u
#define FRAME_NATIVE   3u /* key: readers take it for a number of their own */

enum mark { MARK_NONE, MARK_NEEDED, MARK_WRITTEN };

struct frame {
	uint32_t function, offset; /* offset: see modules.h */
};

struct stack {
	uint64_t hash;
	struct frame *frames;
	uint32_t count, next;
	uint8_t mark;
	bool is_whole;
};

struct known {
	struct function f;
	uint32_t next;
	uint8_t mark;
};

/* A stack under another key. */
struct alias {
	uint64_t key;
	uint32_t id;
};

/* Numbers are places, from 1 on; chains begin in the slots. */
#define SLOTS 65536u

static struct {
	pthread_mutex_t lock;
	struct stack *stacks;
	struct known **functions; /* each stays where it is: subscribers see their names */
	struct alias *aliases; /* that the next checkpoint has */
	uint32_t stack_count, stack_room, function_count, function_room, alias_count, alias_room;
	uint32_t stack_slots[SLOTS], function_slots[SLOTS];
	bool has_frame_type, has_needed;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

void stacks_lock(void)
{
	pthread_mutex_lock(&all.lock);
}

void stacks_unlock(void)
{
	pthread_mutex_unlock(&all.lock);
}

/* What is there may be half written: it is left alone. */
void stacks_forget(void)
{
	static const void *left[3] __attribute__((used));

	left[0] = all.stacks;
	left[1] = all.functions;
	left[2] = all.aliases;
	all.stacks = NULL;
	all.functions = NULL;
	all.aliases = NULL;
	all.alias_count = all.alias_room = 0;
	all.stack_count = all.stack_room = all.function_count = all.function_room = 0;
	memset(all.stack_slots, 0, sizeof(all.stack_slots));
	memset(all.function_slots, 0, sizeof(all.function_slots));
	pthread_mutex_init(&all.lock, NULL);
}

/* Room for one more; NULL: there is none. */
static void *grow(void *rows, uint32_t count, uint32_t *room, size_t size, uint32_t most)
{
	uint32_t wanted = *room ? 2 * *room : 64;
	void *grown = rows;

	if (count >= most)
		return NULL;
	if (count == *room) {
		grown = realloc(rows, wanted * size);
		if (grown)
			*room = wanted;
	}
	return grown;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash ^= value;
	hash *= 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}

/* The number of a function; 0: no memory. */
static uint32_t find_function(uint64_t pc, uint32_t *offset)
{
	struct known **grown, *added;
	struct function f;
	uint32_t *slot;

	modules_name(pc, &f);
	*offset = f.offset;
	slot = &all.function_slots[mix(0, f.begin) % SLOTS];
	for (uint32_t i = *slot; i; i = all.functions[i - 1]->next) {
		const struct known *k = all.functions[i - 1];

		if (k->f.begin == f.begin && !strcmp(function_name(&k->f), function_name(&f)) &&
		    !strcmp(k->f.module, f.module))
			return i;
	}
	grown = grow(all.functions, all.function_count, &all.function_room, sizeof(*grown),
		     MOST_FUNCTIONS);
	if (grown)
		all.functions = grown;
	added = grown ? malloc(sizeof(*added)) : NULL;
	if (!added)
		return 0;
	*added = (struct known){ .f = f, .next = *slot };
	grown[all.function_count] = added;
	*slot = ++all.function_count;
	return *slot;
}

static bool is_same(const struct stack *s, const struct stack *other)
{
	return s->hash == other->hash && s->count == other->count &&
	       s->is_whole == other->is_whole &&
	       !memcmp(s->frames, other->frames, s->count * sizeof(*s->frames));
}

uint32_t stacks_add(const struct frames *f)
{
	struct frame frames[UNWIND_FRAMES];
	struct stack s = {
		.hash = f->is_whole, .frames = frames, .count = f->count, .is_whole = f->is_whole
	};
	struct stack *grown;
	uint32_t *slot;

	for (uint32_t i = 0; i < f->count; i++) {
		frames[i].function = find_function(f->pc[i], &frames[i].offset);
		if (!frames[i].function)
			return 0;
		s.hash = mix(mix(s.hash, frames[i].function), frames[i].offset);
	}
	slot = &all.stack_slots[s.hash % SLOTS];
	for (uint32_t i = *slot; i; i = all.stacks[i - 1].next)
		if (is_same(&all.stacks[i - 1], &s))
			return i;
	grown = grow(all.stacks, all.stack_count, &all.stack_room, sizeof(*grown), MOST_STACKS);
	if (grown)
		all.stacks = grown;
	s.frames = grown ? malloc(f->count * sizeof(*frames) + 1) : NULL;
	if (!s.frames)
		return 0;
	memcpy(s.frames, frames, f->count * sizeof(*frames));
	s.next = *slot;
	grown[all.stack_count] = s;
	*slot = ++all.stack_count;
	return *slot;
}

size_t stacks_frames(uint32_t id, struct jfrec_stack_frame frames[UNWIND_FRAMES], bool *is_whole)
{
	const struct stack *s = id && id <= all.stack_count ? &all.stacks[id - 1] : NULL;

	*is_whole = s && s->is_whole;
	for (uint32_t i = 0; s && i < s->count; i++) {
		const struct function *f = &all.functions[s->frames[i].function - 1]->f;
		uint32_t offset = s->frames[i].offset;

		frames[i] =
			(struct jfrec_stack_frame){ function_name(f), f->module,
						    offset ? f->base + offset : f->begin, offset };
	}
	return s ? s->count : 0;
}

/* Writing -------------------------------------------------------------------------------------- */

void stacks_new_chunk(void)
{
	for (uint32_t i = 0; i < all.stack_count; i++)
		all.stacks[i].mark = MARK_NONE;
	for (uint32_t i = 0; i < all.function_count; i++)
		all.functions[i]->mark = MARK_NONE;
	all.has_frame_type = all.has_needed = false;
	all.alias_count = 0;
}

static void need_functions(const struct stack *s)
{
	for (uint32_t i = 0; i < s->count; i++) {
		struct known *k = all.functions[s->frames[i].function - 1];

		if (k->mark == MARK_NONE)
			k->mark = MARK_NEEDED;
	}
}

uint64_t stacks_need(uint32_t id)
{
	if (!id || id > all.stack_count)
		return 0;
	if (all.stacks[id - 1].mark == MARK_NONE) {
		all.stacks[id - 1].mark = MARK_NEEDED;
		all.has_needed = true;
		need_functions(&all.stacks[id - 1]);
	}
	return 2 * (uint64_t)id + 1;
}

void stacks_need_as(uint32_t id, uint64_t key)
{
	struct alias *grown;

	if (!id || id > all.stack_count)
		return;
	grown = grow(all.aliases, all.alias_count, &all.alias_room, sizeof(*grown), MOST_STACKS);
	if (!grown)
		return;
	all.aliases = grown;
	grown[all.alias_count++] = (struct alias){ key, id };
	all.has_needed = true;
	need_functions(&all.stacks[id - 1]);
}

static void encode_stack(struct bytes *b, uint64_t key, const struct stack *s)
{
	bytes_varint(b, key);
	bytes_byte(b, !s->is_whole);
	bytes_varint(b, s->count);
	for (uint32_t k = 0; k < s->count; k++) {
		bytes_varint(b, CLASSES - 1 + (uint64_t)s->frames[k].function);
		bytes_varint(b, 0);
		bytes_varint(b, s->frames[k].offset);
		bytes_varint(b, FRAME_NATIVE);
	}
}

static uint32_t encode_stacks(struct bytes *b)
{
	uint32_t count = all.alias_count;

	for (uint32_t i = 0; i < all.alias_count; i++)
		encode_stack(b, all.aliases[i].key, &all.stacks[all.aliases[i].id - 1]);
	all.alias_count = 0;
	for (uint32_t i = 0; i < all.stack_count; i++) {
		if (all.stacks[i].mark != MARK_NEEDED)
			continue;
		all.stacks[i].mark = MARK_WRITTEN;
		encode_stack(b, 2 * (uint64_t)i + 3, &all.stacks[i]);
		count++;
	}
	return count;
}

/* Loader, name, package, modifiers, hidden. */
static void encode_class(struct bytes *b, uint64_t key, uint64_t symbol)
{
	bytes_varint(b, key);
	bytes_varint(b, 0);
	bytes_varint(b, symbol);
	bytes_varint(b, 0);
	bytes_varint(b, 0);
	bytes_byte(b, 0);
}

/* Methods, classes and symbols of a function have its number: twice and once more for symbols. */
static uint32_t encode_functions(struct bytes *methods, struct bytes *classes,
				 struct bytes *symbols)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < all.function_count; i++) {
		struct known *k = all.functions[i];
		uint64_t key = CLASSES + i;

		if (k->mark != MARK_NEEDED)
			continue;
		k->mark = MARK_WRITTEN;
		/* Its class, name, descriptor, modifiers (native), hidden. */
		bytes_varint(methods, key);
		bytes_varint(methods, key);
		bytes_varint(methods, 2 * key);
		bytes_varint(methods, 1);
		bytes_varint(methods, 0x100);
		bytes_byte(methods, 0);
		encode_class(classes, key, 2 * key + 1);
		bytes_varint(symbols, 2 * key);
		bytes_text(symbols, function_name(&k->f));
		bytes_varint(symbols, 2 * key + 1);
		bytes_text(symbols, k->f.module);
		count++;
	}
	return count;
}

/* Those that fields of events name by their numbers, which no function has. */
static uint32_t encode_own_classes(struct bytes *classes, struct bytes *symbols)
{
	static const char *const names[CLASSES] = {
		[CLASS_MUTEX] = "pthread_mutex_t", [CLASS_RWLOCK] = "pthread_rwlock_t",
		[CLASS_CONDITION] = "pthread_cond_t", [CLASS_SEMAPHORE] = "sem_t", [CLASS_THREAD] = "pthread_t",
	};

	for (uint64_t i = 1; i < CLASSES; i++) {
		encode_class(classes, i, 2 * i + 1);
		bytes_varint(symbols, 2 * i + 1);
		bytes_text(symbols, names[i]);
	}
	return CLASSES - 1;
}

static unsigned add(struct bytes *b, unsigned type, uint32_t count, const struct bytes *entries)
{
	b->failed |= entries->failed;
	if (!count)
		return 0;
	bytes_varint(b, type);
	bytes_varint(b, count);
	bytes_add(b, entries->data, entries->size);
	return 1;
}

unsigned stacks_encode(struct bytes *b, bool has_classes)
{
	struct bytes stacks = { 0 }, methods = { 0 }, classes = { 0 }, symbols = { 0 },
		     once = { 0 };
	struct bytes state = { 0 };
	unsigned pools = 0, count;
	uint32_t functions, own = 0;

	if (!all.has_needed && (all.has_frame_type || !has_classes))
		return 0;
	all.has_needed = false;
	count = encode_stacks(&stacks);
	pools += add(b, TYPE_STACK_TRACE, count, &stacks);
	if (!all.has_frame_type) {
		/* The descriptor of all, and what all frames are. */
		bytes_varint(&symbols, 1);
		bytes_text(&symbols, "()V");
		bytes_varint(&once, FRAME_NATIVE);
		bytes_text(&once, "Native");
		bytes_varint(&state, STATE_RUNNABLE);
		bytes_text(&state, "STATE_RUNNABLE");
		bytes_varint(&state, STATE_SLEEPING);
		bytes_text(&state, "STATE_SLEEPING");
		own = encode_own_classes(&classes, &symbols);
	}
	functions = encode_functions(&methods, &classes, &symbols);
	pools += add(b, TYPE_METHOD, functions, &methods);
	pools += add(b, TYPE_CLASS, own + functions, &classes);
	pools += add(b, TYPE_SYMBOL, own + 2 * functions + !all.has_frame_type, &symbols);
	pools += add(b, TYPE_FRAME_TYPE, !all.has_frame_type, &once);
	pools += add(b, TYPE_THREAD_STATE, all.has_frame_type ? 0 : 2, &state);
	all.has_frame_type = true;
	bytes_fini(&state);
	bytes_fini(&stacks);
	bytes_fini(&methods);
	bytes_fini(&classes);
	bytes_fini(&symbols);
	bytes_fini(&once);
	return pools;
}
