/* SPDX-License-Identifier: MIT */
/*
 * v0_constants.h - the constants of a chunk of version 0.x, by key and time
 *
 * They lie in checkpoint events:
 *
 *	u4 size, u4 1, u8 ticks, u8 checkpoint before
 *	then, to the end: u4 content, u4 count, (key, value)[count]
 *
 * A key may be bound again later in the chunk: what an event means is the first binding at or after
 * its end, or the last one if all are older.
 */
#ifndef JFREC_FORMAT_V0_CONSTANTS_H
#define JFREC_FORMAT_V0_CONSTANTS_H

#include "base/digest.h"
#include "format/v0_types.h"

/* A key that is bound to a value. */
struct v0_constant {
	const struct v0_content *content;
	uint64_t key;
	int64_t ticks;		     /* of its checkpoint */
	const uint8_t *value, *end;  /* where it lies, and where the event ends */
	uint64_t out, out_as_loader; /* the keys it got in 2.1; 0: none yet */
	size_t bindings;	     /* of a key's first value: how many it has */
};

/* All zero at first. */
struct v0_constants {
	struct v0_constant *items; /* by content, key and time once all are there */
	size_t count, room;
	struct digest_map first;	     /* of (content, key): the index, plus 1 */
	struct v0_java_thread *java_threads; /* by id and time */
	size_t java_count, java_room;
};

struct v0_java_thread {
	uint64_t id; /* of its thread in the system */
	int64_t ticks;
	size_t constant; /* which item */
};

/*
 * Add those of a checkpoint, of which c is what follows its previous one.  0; 1: what follows
 * cannot be read, *at says where; -1 when memory is gone.
 */
int v0_constants_add(struct v0_constants *k, const struct v0_types *t, int64_t ticks,
		     struct cursor *c, const uint8_t **at);

/* All are there: look-ups may begin.  -1 when memory is gone. */
int v0_constants_end(struct v0_constants *k);
void v0_constants_fini(struct v0_constants *k);

/* What the key means at that time, or NULL. */
struct v0_constant *v0_constant_at(const struct v0_constants *k, const struct v0_content *content,
				   uint64_t key, int64_t ticks);

/* Java's thread with that id of the system at that time, or NULL. */
struct v0_constant *v0_java_thread_at(const struct v0_constants *k, uint64_t id, int64_t ticks);

/* A cursor over the value of that id; false: it has none. */
bool v0_part(const struct v0_constant *constant, const char *id, struct cursor *c,
	     const struct v0_value **value);

/* The part as a key or number; 0: it has none. */
uint64_t v0_part_key(const struct v0_constant *constant, const char *id);

#endif
