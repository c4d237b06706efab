/* SPDX-License-Identifier: MIT */
/*
 * pool.h - the constant pools of a chunk: threads, classes, methods, stack traces
 *
 * A pool knows where each constant of one type lies, by its key, and decodes
 * nothing.  Keys are 64-bit and sparse, and 0 is a key like any other.
 */
#ifndef JFREC_FORMAT_POOL_H
#define JFREC_FORMAT_POOL_H

#include "base/idmap.h"
#include "format/metadata.h"

#define POOL_NONE IDMAP_NONE

/* A bit of the kind of a checkpoint: with it a flush is complete. */
#define CHECKPOINT_FLUSH 1

struct pool_entry {
	uint64_t key;
	const uint8_t *value;
};

/*
 * Many pools are never asked for anything, so keys are mapped when the first one is looked up:
 * until then a key may have several entries, of which the last one counts.
 */
struct pool {
	struct pool_entry *entries;
	uint32_t count, room;
	uint32_t mapped;  /* of the entries */
	bool is_unmapped; /* there was no memory */
	/*
	 * Of keys from `least` on, `span` of them, the entries: most kinds of constants are counted
	 * by the JVM, and then an array is less memory to look into than a map. 0: it would be too
	 * large.
	 */
	uint64_t least, span;
	uint32_t *places;
	struct idmap by_key; /* the others */
};

/* Constants of one type that follow one another in a checkpoint. */
struct pool_block {
	size_t checkpoint; /* which one, counted from 1 */
	const struct jfrec_type *type;
	const uint8_t *from, *to;
	uint64_t count;
	bool is_repeated; /* stray.c: there are more of that type in the checkpoint */
};

struct pool_blocks {
	struct pool_block *items;
	size_t count, room;
	size_t checkpoints; /* so far */
};

/* Constants that are stored under another type than their own: stray.c. */
struct pool_stray {
	struct pool_block block; /* zero: it can be one of several */
	const struct jfrec_type *type;
	uint64_t missing; /* constants of that type, without the block */
};

/* The pools of a chunk, by the index of their type; pool_at() has them as they should be. */
struct pools {
	struct pool *raw;
	uint32_t type_count;
	const uint8_t *end; /* of the chunk's bytes: no constant goes beyond */
	struct pool_blocks blocks;
	struct pool_stray stray; /* or zero */
};

/* Map the keys of entries that came since.  Without memory there is no map: pool_search(). */
void pool_map(struct pool *pool);

/* pool_find() in a pool that has no map. */
uint32_t pool_search(const struct pool *pool, uint64_t key);

/* The pool of the type of that index, in which each key has one entry. */
static inline const struct pool *pool_at(const struct pools *p, uint32_t type)
{
	struct pool *pool = &p->raw[type];

	if (pool->mapped != pool->count && !pool->is_unmapped)
		pool_map(pool);
	return pool;
}

/* The entry of that key in the pool of that type, or POOL_NONE. */
static inline uint32_t pool_find(const struct pools *p, const struct jfrec_type *t, uint64_t key)
{
	const struct pool *pool = pool_at(p, t->index);

	if (__builtin_expect(pool->mapped != pool->count, 0))
		return pool_search(pool, key);
	if (key - pool->least < pool->span)
		return pool->places[key - pool->least];
	return idmap_get(&pool->by_key, key);
}

/* Ask for the memory in which pool_find() will look. */
static inline void pool_prefetch(const struct pools *p, const struct jfrec_type *t, uint64_t key)
{
	const struct pool *pool = pool_at(p, t->index);

	if (key - pool->least < pool->span)
		__builtin_prefetch(&pool->places[key - pool->least]);
	else
		idmap_prefetch(&pool->by_key, key);
}

static inline const struct pool_entry *pool_entry(const struct pools *p, const struct jfrec_type *t,
						  uint32_t entry)
{
	return &p->raw[t->index].entries[entry];
}

/* 0, or -1 when memory is gone. */
int pools_init(struct pools *p, const struct metadata *m, const uint8_t *end);
void pools_fini(struct pools *p);

/*
 * Add the constants of the checkpoint event of these bytes.  A key that is
 * already there gets the new value: the JDK walks from the newest checkpoint
 * to the oldest, and the last one wins.
 *
 * *delta gets the distance to the previous checkpoint (negative, or 0 for the
 * first one), also when the event's constants turn out to be damaged.
 * Returns 0, or -1 with *err set (JFREC_EFORMAT, JFREC_ENOMEM; offset counts
 * from `event`): constants before the damage are kept.
 */
int pools_add_checkpoint(struct pools *p, const struct metadata *m, const uint8_t *event,
			 uint64_t size, int64_t *delta, struct jfrec_error *err);

/* A constant as it lies in a checkpoint. */
struct constant {
	const struct jfrec_type *type;
	uint64_t key;
	const uint8_t *start, *value, *end; /* of the key, of the value, of both */
};

/* 0, or -1 when memory is gone. */
typedef int pools_constant_fn(void *ctx, const struct constant *c);

/*
 * Tell of each constant of a checkpoint event, in the order of its bytes.  Its blocks are added to
 * *blocks, which may be NULL.  Otherwise as pools_add_checkpoint().
 */
int pools_each_constant(const struct metadata *m, const uint8_t *event, uint64_t size,
			int64_t *delta, pools_constant_fn *fn, void *ctx,
			struct pool_blocks *blocks, struct jfrec_error *err);

#endif
