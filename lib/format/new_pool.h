/* SPDX-License-Identifier: MIT */
/*
 * new_pool.h - the constants of one type of a chunk that is being written
 *
 * Equal constants get one key.  They are kept until the chunk's end, since
 * checkpoints follow the events.
 */
#ifndef JFREC_FORMAT_NEW_POOL_H
#define JFREC_FORMAT_NEW_POOL_H

#include "base/digest.h"
#include "format/chunk_writer.h"

/* All zero but the type id at first. */
struct new_pool {
	uint64_t type_id;
	uint64_t last_key; /* given out; keys begin with 1, and 0 is none */
	struct digest_map keys;
	struct buffer records; /* key, length, value */
};

/*
 * The key of the constant that the digest stands for.  If *is_new its value is
 * to be added.  0 when memory is gone.
 */
uint64_t new_pool_key(struct new_pool *p, struct digest d, bool *is_new);

void new_pool_add(struct new_pool *p, uint64_t key, const void *value, size_t len);

/* Both at once. 0 when memory is gone. */
uint64_t new_pool_intern(struct new_pool *p, const void *value, size_t len);

/* Hand all constants to the chunk and forget them; keys go on from the last one. */
void new_pool_write(struct new_pool *p, struct chunk_writer *w);

void new_pool_fini(struct new_pool *p);

#endif
