/* SPDX-License-Identifier: MIT */
/*
 * pool_writer.h - collect and write the constants of one type
 *
 * Equal constants get one key.  They are kept until the chunk's end, since
 * checkpoints follow the events.
 */
#ifndef JFREC_WRITE_POOL_WRITER_H
#define JFREC_WRITE_POOL_WRITER_H

#include "base/digest.h"
#include "write/chunk_writer.h"

/* All zero but the type id at first. */
struct new_pool {
	uint64_t type_id;
	uint64_t last_key; /* given out; keys begin with 1, and 0 is none */
	struct digest_map keys;
	uint64_t kept;	       /* bits: keys of new_pool_keep_key() */
	struct buffer records; /* key, length, value */
};

/*
 * The key of the constant that the digest stands for.  If *is_new its value is
 * to be added.  0 when memory is gone.
 */
uint64_t new_pool_key(struct new_pool *p, struct digest d, bool *is_new);

/*
 * The same for a pool whose keys some readers know by heart, those of types of
 * stack frames: a key below 64 stays, if no other constant has it.  Returns the key
 * plus 1, since it can be 0.  A pool is used by one of the two functions only.
 */
uint64_t new_pool_keep_key(struct new_pool *p, struct digest d, uint64_t key, bool *is_new);

void new_pool_add(struct new_pool *p, uint64_t key, const void *value, size_t len);

/* Both at once. 0 when memory is gone. */
uint64_t new_pool_intern(struct new_pool *p, const void *value, size_t len);

/* Hand all constants to the chunk and forget them; keys go on from the last one. */
void new_pool_write(struct new_pool *p, struct chunk_writer *w);

void new_pool_fini(struct new_pool *p);

#endif
